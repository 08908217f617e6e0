import { useMemo } from "react";
import type { MessageHead } from "../../api/types";
import { useTopic } from "../../app/context";
import type { TaskStore } from "../../state/task-store";
import { PartView } from "./part-view";
import { QuietRun } from "./quiet-run";
import { type Row, rowsOf } from "./rows";

/** What a message is made of, in order. Only the part that grows is drawn anew while it does. */
export function TurnParts({ store, head }: { store: TaskStore; head: MessageHead }) {
  const live = head.status === "streaming";
  const shape = useTopic(store, `shape:${head.id}`, ({ state }) => JSON.stringify(rowsOf(state?.entries.get(head.id)?.parts ?? [], live)));
  const rows = useMemo(() => JSON.parse(shape) as Row[], [shape]);
  const count = useTopic(store, `head:${head.id}`, ({ state }) => state?.entries.get(head.id)?.parts.length ?? 0);
  const part = (index: number) => <LivePart key={index} store={store} head={head} index={index} last={index === count - 1} />;
  return rows.map((row) =>
    row.kind === "part" ? (
      part(row.index)
    ) : (
      <QuietRun key={row.from} store={store} message={head.id} from={row.from} to={row.to}>
        {part}
      </QuietRun>
    ),
  );
}

function LivePart({ store, head, index, last }: { store: TaskStore; head: MessageHead; index: number; last: boolean }) {
  const part = useTopic(store, `part:${head.id}:${index}`, (each) => each.part(head.id, index));
  if (!part) return null;
  const live = head.status === "streaming";
  return <PartView part={part} place={`${head.id}:${index}`} own={head.role === "user"} growing={live && last} live={live} />;
}
