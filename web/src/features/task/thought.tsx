import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { tagOf } from "../../i18n";
import { Markdown } from "../../markdown/markdown";
import { Fold } from "../../ui/fold";
import { duration } from "../../ui/format";

/** When thoughts that were seen to grow began and ended, by their places. The daemon keeps no times of parts. */
const times = new Map<string, { began: number; ended: number | null }>();

/** What an agent thought, folded. How long it took is told where this page has seen it. */
export function Thought({ text, place, growing }: { text: string; place: string; growing: boolean }) {
  const { t, i18n } = useTranslation();
  const [took, setTook] = useState(() => tookOf(place));
  useEffect(() => {
    const known = times.get(place);
    if (growing && !known) times.set(place, { began: Date.now(), ended: null });
    else if (!growing && known?.ended === null) {
      times.set(place, { ...known, ended: Date.now() });
      setTook(tookOf(place));
    }
  }, [place, growing]);
  const done = took === null ? t("part.thought") : t("part.thoughtFor", { time: duration(took, tagOf(i18n.language)) });
  return (
    <Fold place={`thought:${place}`} summary={growing ? <span className="breathe">{t("part.thinking")}</span> : done}>
      {() => (
        <div className="ms-2.5 border-s-2 border-line ps-3 text-muted">
          <Markdown text={text} done={!growing} />
        </div>
      )}
    </Fold>
  );
}

/** In milliseconds; less than a second is not told. */
function tookOf(place: string): number | null {
  const known = times.get(place);
  const took = known?.ended ? known.ended - known.began : 0;
  return took >= 1_000 ? took : null;
}
