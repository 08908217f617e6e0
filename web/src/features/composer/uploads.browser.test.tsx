import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useEffect } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { DraftStore } from "../../state/drafts";
import { show } from "../../testing/render";
import { AttachmentRow } from "./attachments";
import { type Uploads, useUploads } from "./uploads";
import { useDraft } from "./use-draft";

let draft: DraftStore;
const shown: { uploads: Uploads | null } = { uploads: null };
let answer: (name: string) => Response | Promise<Response>;

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const kept = (name: string) => json({ id: `id-${name}`, name, size: 3, mime_type: "image/png", sha256: "" }, 201);

function Row() {
  const { attachments } = useDraft(draft);
  const uploads = useUploads(draft);
  useEffect(() => {
    shown.uploads = uploads;
  });
  return <AttachmentRow attachments={attachments} draft={draft} uploads={uploads} />;
}

const open = () =>
  show(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Row />
    </QueryClientProvider>,
  );

beforeEach(() => {
  localStorage.clear();
  draft = new DraftStore("task:t");
  answer = kept;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const url = new URL(String(input), location.href);
    if (url.pathname.endsWith("/settings")) return json({ settings: { attachment_bytes: 1_048_576 }, problem: null });
    return answer(url.searchParams.get("name") ?? "");
  });
});
afterEach(() => vi.restoreAllMocks());

test("a file that is chosen is attached, shown, and taken out again", async () => {
  const screen = await open();
  shown.uploads?.add([new File(["abc"], "shot.png")]);
  await expect.element(screen.getByRole("img", { name: "Preview of shot.png" })).toBeInTheDocument();
  expect(draft.get().attachments).toMatchObject([{ id: "id-shot.png" }]);
  await userEvent.click(screen.getByRole("button", { name: "Remove shot.png" }));
  expect(draft.get().attachments).toEqual([]);
});

test("what is over the limit is not sent at all, and told by name, size and limit until dismissed", async () => {
  const screen = await open();
  const sent = vi.fn(kept);
  answer = sent;
  shown.uploads?.add([new File([new Uint8Array(1_048_577)], "huge.bin")]);
  await expect.element(screen.getByText(/huge\.bin \(1 MB\) is over the limit of 1 MiB/)).toBeVisible();
  expect(sent).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(document.querySelector("[role=alert]")).toBeNull();
});

test("what failed on its way can be tried again, and stands for itself", async () => {
  const screen = await open();
  answer = (name) => (name === "bad.txt" ? Promise.reject(new TypeError("network")) : kept(name));
  shown.uploads?.add([new File(["x"], "bad.txt"), new File(["y"], "good.txt")]);
  await expect.element(screen.getByText("bad.txt (1 byte) was not attached.")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Remove good.txt" })).toBeInTheDocument();
  answer = kept;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await expect.element(screen.getByRole("button", { name: "Remove bad.txt" })).toBeInTheDocument();
  expect(document.querySelector("[role=alert]")).toBeNull();
});
