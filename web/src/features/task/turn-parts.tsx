import type { MessageHead } from "../../api/types";
import { useTopic } from "../../app/context";
import type { TaskStore } from "../../state/task-store";
import { PartView } from "./part-view";

/** What a message is made of, in order. Only the part that grows is drawn anew while it does. */
export function TurnParts({ store, head }: { store: TaskStore; head: MessageHead }) {
  const count = useTopic(store, `head:${head.id}`, ({ state }) => state?.entries.get(head.id)?.parts.length ?? 0);
  return Array.from({ length: count }, (_, index) => (
    <LivePart key={index} store={store} head={head} index={index} last={index === count - 1} />
  ));
}

function LivePart({ store, head, index, last }: { store: TaskStore; head: MessageHead; index: number; last: boolean }) {
  const part = useTopic(store, `part:${head.id}:${index}`, (each) => each.part(head.id, index));
  if (!part) return null;
  const live = head.status === "streaming";
  return <PartView part={part} own={head.role === "user"} growing={live && last} live={live} />;
}
