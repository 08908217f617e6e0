import { useTranslation } from "react-i18next";

const WIDTHS = ["w-3/5", "w-2/5", "w-1/2", "w-1/3"] as const;

/** The shape of lines that are on their way. It shows after 150 ms, never before. */
export function Bones({ lines }: { lines: number }) {
  const { t } = useTranslation();
  return (
    <div className="appear-late my-4 flex flex-col gap-3">
      <p className="sr-only">{t("app.loading")}</p>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} aria-hidden="true" className={`h-4 rounded-md bg-fill ${WIDTHS[index % WIDTHS.length]}`} />
      ))}
    </div>
  );
}
