import { useTranslation } from "react-i18next";
import { reveal } from "../../ui/text";
import { asBlob } from "./value";
import { ValueText } from "./value-text";
import { changedLines, type DiffRow, withContext } from "./diff";

const CONTEXT = 3;

interface Props {
  path: string;
  before: unknown;
  after: unknown;
}

/** A change to a file as plain text. A side that was too large for the chat is shown by itself, to be opened. */
export function DiffView({ path, before, after }: Props) {
  const { t } = useTranslation();
  const old = typeof before === "string" ? before : null;
  return (
    <figure className="overflow-hidden rounded-md border border-line">
      <figcaption className="flex gap-2 border-b border-line bg-fill px-2 py-1">
        <code className="min-w-0 break-all">{reveal(path)}</code>
        {old === null && !asBlob(before) && <span className="shrink-0 text-xs leading-5 text-muted">{t("tool.newFile")}</span>}
      </figcaption>
      {typeof after === "string" && !asBlob(before) ? (
        <Rows rows={withContext(changedLines(old, after), CONTEXT)} path={path} />
      ) : (
        <div className="flex flex-col gap-2 p-2">
          <ValueText value={before} />
          <ValueText value={after} />
        </div>
      )}
    </figure>
  );
}

const LOOKS = { added: "bg-added", removed: "bg-removed", same: "" } as const;
const SIGNS = { added: "+", removed: "−", same: " " } as const;

function Rows({ rows, path }: { rows: DiffRow[]; path: string }) {
  const { t } = useTranslation();
  return (
    <div className="max-h-96 overflow-auto" tabIndex={0} role="group" aria-label={reveal(path)}>
      <pre className="w-max min-w-full">
        {rows.map((row, index) =>
          row.kind === "gap" ? (
            <div key={index} className="bg-fill px-2 text-muted">
              {t("tool.unchanged", { count: row.count })}
            </div>
          ) : (
            <div key={index} className={`px-2 ${LOOKS[row.kind]}`}>
              {row.kind !== "same" && <span className="sr-only">{t(`tool.${row.kind}`)}: </span>}
              <span aria-hidden="true" className="me-2 select-none">
                {SIGNS[row.kind]}
              </span>
              {reveal(row.text)}
              {"\n"}
            </div>
          ),
        )}
      </pre>
    </div>
  );
}
