import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { getBlobText } from "../../api/calls";
import { tagOf } from "../../i18n";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { byteSize } from "../../ui/format";
import { TerminalText } from "./terminal-text";
import { type BlobReference, readValue } from "./value";

/** A value of a tool call as text; what was too large for the chat is fetched whole when asked for. */
export function ValueText({ value }: { value: unknown }) {
  const { text, blobs } = readValue(value);
  const [whole] = blobs;
  // Where all of it is stored elsewhere, the whole takes the place of its beginning.
  if (whole?.place === "") return <BlobText blob={whole.blob} start={text} />;
  return (
    <>
      <PlainText text={text} />
      {blobs.map(({ place, blob }) => (
        <BlobText key={place} blob={blob} place={place} />
      ))}
    </>
  );
}

/** Text as it is: with the colours of a terminal where it has any, and only the lines that are seen where it is long. */
export function PlainText({ text }: { text: string }) {
  return <TerminalText text={text} />;
}

export function BlobText({ blob, start, place }: { blob: BlobReference; start?: string; place?: string }) {
  const { t, i18n } = useTranslation();
  const [wanted, setWanted] = useState(false);
  const { data, error, isFetching } = useQuery({
    queryKey: ["blob", blob.sha256],
    queryFn: () => getBlobText(blob.sha256),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const size = byteSize(blob.size, tagOf(i18n.language));
  if (data !== undefined) return <PlainText text={data} />;
  return (
    <>
      {start !== undefined && <PlainText text={start} />}
      {error && <ErrorNote error={error} />}
      <Button className="self-start" disabled={isFetching} onClick={() => setWanted(true)}>
        {place === undefined ? t("tool.whole", { size }) : t("tool.wholeOf", { place, size })}
      </Button>
    </>
  );
}
