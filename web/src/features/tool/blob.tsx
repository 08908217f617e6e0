import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { getBlobText } from "../../api/calls";
import { isRecord } from "../../api/problem";
import { tagOf } from "../../i18n";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { ErrorNote } from "../../ui/error-note";
import { byteSize } from "../../ui/format";
import { readable, stripTerminalCodes } from "../../ui/text";

/** What stands in a Part where a value was too large for it. */
export interface BlobReference {
  sha256: string;
  size: number;
  preview: string;
}

export function asBlob(value: unknown): BlobReference | null {
  const blob = isRecord(value) ? value.$blob : undefined;
  if (!isRecord(blob) || typeof blob.sha256 !== "string") return null;
  return {
    sha256: blob.sha256,
    size: typeof blob.size === "number" ? blob.size : 0,
    preview: typeof blob.preview === "string" ? blob.preview : "",
  };
}

/** A value of a tool call as text; what was too large for the chat is fetched whole when asked for. */
export function ValueText({ value }: { value: unknown }) {
  const blob = asBlob(value);
  return blob ? <BlobText blob={blob} /> : <PlainText text={readable(value)} />;
}

export function PlainText({ text }: { text: string }) {
  const { t } = useTranslation();
  const shown = stripTerminalCodes(text);
  return (
    <div className="group relative">
      <pre tabIndex={0} className="max-h-96 overflow-auto rounded-md bg-fill p-2 pe-9 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {shown}
      </pre>
      <span className="absolute end-1 top-1">
        <CopyButton text={shown} label={t("code.copy")} />
      </span>
    </div>
  );
}

function BlobText({ blob }: { blob: BlobReference }) {
  const { t, i18n } = useTranslation();
  const [wanted, setWanted] = useState(false);
  const { data, error, isFetching } = useQuery({
    queryKey: ["blob", blob.sha256],
    queryFn: () => getBlobText(blob.sha256),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data !== undefined) return <PlainText text={data} />;
  return (
    <>
      <PlainText text={`${blob.preview}…`} />
      {error && <ErrorNote error={error} />}
      <Button className="mt-1" disabled={isFetching} onClick={() => setWanted(true)}>
        {t("tool.whole", { size: byteSize(blob.size, tagOf(i18n.language)) })}
      </Button>
    </>
  );
}
