import { useTranslation } from "react-i18next";
import { KEYS } from "../../state/keys";
import { readEnterKey, readSingleKeys } from "../../state/preferences";
import { Dialog } from "../../ui/dialog";
import { Keys } from "../../ui/keys";

type Row = readonly [name: Name, chord: string];
type Name = keyof typeof KEYS | "send" | "newline" | "mention" | "command" | "recall" | "answer" | "close" | "moveProject";

const GROUPS: readonly { id: "everywhere" | "task" | "composer" | "rail"; rows: readonly Row[] }[] = [
  {
    id: "everywhere",
    rows: [
      ["palette", KEYS.palette],
      ["help", KEYS.help],
      ["newTask", KEYS.newTask],
      ["close", "Esc"],
    ],
  },
  {
    id: "task",
    rows: [
      ["nextTurn", KEYS.nextTurn],
      ["previousTurn", KEYS.previousTurn],
      ["edit", KEYS.edit],
      ["retry", KEYS.retry],
      ["stop", KEYS.stop],
      ["nextQuestion", KEYS.nextQuestion],
      ["answer", "1–9"],
      ["compose", KEYS.compose],
    ],
  },
  {
    id: "composer",
    rows: [
      ["mention", "@"],
      ["command", "/"],
      ["recall", "↑"],
    ],
  },
  { id: "rail", rows: [["moveProject", "alt+↑"]] },
];

/** Every key of the page, as this system's keyboards print it. */
export default function KeyHelp({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const sends = readEnterKey() === "sends";
  const sending: readonly Row[] = [
    ["send", sends ? "Enter" : "mod+Enter"],
    ["newline", sends ? "shift+Enter" : "Enter"],
  ];
  return (
    <Dialog open title={t("keys.title")} onClose={onClose}>
      {!readSingleKeys() && <p className="mb-3 rounded-md bg-fill px-3 py-2">{t("keys.off")}</p>}
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {GROUPS.map(({ id, rows }) => (
          <section key={id} aria-labelledby={`keys-${id}`}>
            <h3 id={`keys-${id}`} className="mb-1 text-xs font-semibold text-muted">
              {t(`keys.groups.${id}`)}
            </h3>
            <dl>
              {[...(id === "composer" ? sending : []), ...rows].map(([name, chord]) => (
                <div key={name} className="flex min-h-7 items-center justify-between gap-3">
                  <dt>{t(`keys.names.${name}`)}</dt>
                  <dd>
                    <Keys chord={chord} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
