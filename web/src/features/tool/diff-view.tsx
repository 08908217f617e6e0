import { useQueries } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { getBlobText } from "../../api/calls";
import { tagOf } from "../../i18n";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { byteSize } from "../../ui/format";
import { reveal } from "../../ui/text";
import { countChanges } from "./hunks";
import { asBlob } from "./value";
import { ValueText } from "./value-text";

const DiffTable = lazy(() => import("./diff-table"));

/** A change of more lines than this is told with its size, and drawn when asked for. */
const LINES = 500;

interface Props {
  path: string;
  before: unknown;
  after: unknown;
}

/** A change to a file. What is large is fetched and drawn on demand. */
export function DiffView({ path, before, after }: Props) {
  const { t } = useTranslation();
  const isNew = typeof before !== "string" && !asBlob(before);
  return (
    <figure className="overflow-hidden rounded-md border border-line">
      <figcaption className="flex gap-2 border-b border-line bg-fill px-2 py-1">
        <code className="min-w-0 break-all">{reveal(path)}</code>
        {isNew && <span className="shrink-0 text-xs leading-5 text-muted">{t("tool.newFile")}</span>}
        {typeof after === "string" && !asBlob(before) && (
          <span className="ms-auto">
            <ChangeSize before={typeof before === "string" ? before : null} after={after} />
          </span>
        )}
      </figcaption>
      <Body path={path} before={before} after={after} />
    </figure>
  );
}

/** How many lines came and went, with a sign each. */
export function ChangeSize({ before, after }: { before: string | null; after: string }) {
  const { t } = useTranslation();
  const { added, removed } = useMemo(() => countChanges(before, after), [before, after]);
  return (
    <span className="shrink-0 text-xs leading-5">
      <span aria-hidden="true">
        <span className="text-ok">+{added}</span> <span className="text-danger">−{removed}</span>
      </span>
      <span className="sr-only">{t("tool.changeSize", { added, removed })}</span>
    </span>
  );
}

function Body({ path, before, after }: Props) {
  const blobs = [asBlob(before), asBlob(after)];
  if (blobs.some((blob) => blob !== null)) return <FarChange path={path} before={before} after={after} />;
  if (typeof after !== "string") return <ValueText value={{ before, after }} />;
  return <NearChange path={path} before={typeof before === "string" ? before : null} after={after} />;
}

/** A change whose texts are here. */
function NearChange({ path, before, after, asked = false }: { path: string; before: string | null; after: string; asked?: boolean }) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(asked);
  const { added, removed } = useMemo(() => countChanges(before, after), [before, after]);
  if (!wanted && added + removed > LINES) {
    return (
      <Button look="quiet" className="m-1" onClick={() => setWanted(true)}>
        {t("tool.showChange", { count: added + removed })}
      </Button>
    );
  }
  return (
    <Suspense fallback={<p className="appear-late px-2 py-1 text-muted">{t("app.loading")}</p>}>
      <DiffTable path={path} before={before} after={after} />
    </Suspense>
  );
}

/** A change one side of which is stored elsewhere: it is fetched whole when asked for. */
function FarChange({ path, before, after }: Props) {
  const { t, i18n } = useTranslation();
  const [wanted, setWanted] = useState(false);
  const sides = [before, after].map((side) => ({ blob: asBlob(side), text: typeof side === "string" ? side : null }));
  const fetched = useQueries({
    queries: sides.map(({ blob }) => ({
      queryKey: ["blob", blob?.sha256],
      queryFn: () => getBlobText(blob?.sha256 ?? ""),
      enabled: wanted && blob !== null,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const texts = sides.map(({ blob, text }, index) => (blob ? fetched[index]?.data : text));
  const [old, now] = texts;
  if (wanted && old !== undefined && typeof now === "string") return <NearChange path={path} before={old} after={now} asked />;
  const size = sides.reduce((sum, { blob, text }) => sum + (blob?.size ?? text?.length ?? 0), 0);
  const error = fetched.find((each) => each.error)?.error;
  return (
    <div className="p-1">
      {error && <ErrorNote error={error} />}
      <Button look="quiet" disabled={fetched.some((each) => each.isFetching)} onClick={() => setWanted(true)}>
        {t("tool.fetchChange", { size: byteSize(size, tagOf(i18n.language)) })}
      </Button>
    </div>
  );
}
