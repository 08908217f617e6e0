import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { useOverview } from "../../app/context";
import { taskPath } from "../../app/routes";
import { actionOf, apple } from "../../state/keys";
import { announce } from "../../ui/announcer";
import { ErrorNote } from "../../ui/error-note";
import { Keys } from "../../ui/keys";
import { TaskDot } from "../../ui/task-dot";
import { oneLine, reveal } from "../../ui/text";
import { type Item, type ItemGroup, search } from "./items";
import { type Found, useFound } from "./use-found";
import { useItems } from "./use-items";

/** Tasks, projects and actions by a few letters, and tasks by what was said in them. */
export default function Palette({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const [query, setQuery] = useState("");
  const [error, setError] = useState<unknown>(null);
  const items = useItems(setError);
  const found = useFound(query);
  const groups = [...search(items, query), ...useFoundGroup(found, items)];
  const count = groups.reduce((sum, group) => sum + group.items.length, 0);
  const waiting = query.trim().length > 1 && found === null;
  useEffect(() => {
    if (found) announce(t("palette.count", { count }));
  }, [found, count, t]);
  const choose = (item: Item) => {
    onClose();
    item.run();
  };
  const again = (event: KeyboardEvent) => {
    const place = { typing: true, covered: false, apple, singleKeys: false };
    if (actionOf(event.nativeEvent, place) !== "palette") return;
    event.preventDefault();
    onClose();
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Popup
          onKeyDown={again}
          className="fixed top-[10vh] left-1/2 z-50 flex max-h-[76vh] w-[min(38rem,calc(100vw-24px))] -translate-x-1/2 flex-col rounded-md border border-line bg-raised shadow-lg"
        >
          <Dialog.Title className="sr-only">{t("palette.title")}</Dialog.Title>
          <Autocomplete.Root open inline mode="none" items={groups} value={query} onValueChange={setQuery} autoHighlight="always" keepHighlight>
            <div className="flex items-center gap-2 border-b border-line px-3">
              <Search size={16} aria-hidden className="shrink-0 text-muted" />
              <Autocomplete.Input
                aria-label={t("palette.label")}
                placeholder={t("palette.placeholder")}
                className="min-h-11 w-full bg-transparent outline-none placeholder:text-muted"
              />
            </div>
            {error !== null && <ErrorNote error={error} />}
            <Autocomplete.List className="min-h-0 flex-1 overflow-y-auto py-1 empty:hidden">
              {(group: ItemGroup) => (
                <Autocomplete.Group key={group.id} items={group.items}>
                  <Autocomplete.GroupLabel className="px-3 pt-2 pb-1 text-xs text-muted">{group.label}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: Item) => <Row key={`${group.id}:${item.id}`} item={item} onChoose={() => choose(item)} />}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
            <Foot count={count} waiting={waiting} error={found?.error ?? null} />
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** What the daemon found in messages, without what the titles have shown already. */
function useFoundGroup(found: Found | null, items: readonly ItemGroup[]): ItemGroup[] {
  const { t } = useTranslation();
  const { projects } = useOverview();
  const [, navigate] = useLocation();
  if (!found) return [];
  const titles = items.filter(({ id }) => id === "tasks");
  const listed = new Set(search(titles, found.query).flatMap((group) => group.items.map(({ id }) => id)));
  const fresh = found.tasks.filter(({ id }) => !listed.has(id));
  if (fresh.length === 0) return [];
  const rows = fresh.map((task) => ({
    id: task.id,
    label: reveal(oneLine(task.title ?? "")) || t("task.untitled"),
    note: projects.get(task.project_id ?? "")?.name,
    task,
    run: () => navigate(taskPath(task)),
  }));
  return [{ id: "found", label: t("palette.found"), items: rows }];
}

function Row({ item, onChoose }: { item: Item; onChoose(): void }) {
  return (
    <Autocomplete.Item
      value={item}
      onClick={onChoose}
      className="mx-1 flex min-h-8 cursor-default items-center gap-2 rounded-md px-2 py-1 outline-none data-highlighted:bg-hover pointer-coarse:min-h-11"
    >
      {item.task && <TaskDot task={item.task} />}
      <span className="min-w-0 flex-1 truncate">{item.label}</span>
      {item.note && <span className="max-w-[45%] min-w-0 truncate text-xs text-muted">{item.note}</span>}
      {item.chord && <Keys chord={item.chord} />}
    </Autocomplete.Item>
  );
}

function Foot({ count, waiting, error }: { count: number; waiting: boolean; error: unknown }) {
  const { t } = useTranslation();
  if (error !== null) return <ErrorNote error={error} lead={t("palette.failed")} />;
  if (waiting) return <p className="appear-late border-t border-line px-3 py-2 text-xs text-muted">{t("palette.looking")}</p>;
  if (count === 0) return <p className="px-3 py-4 text-muted">{t("palette.none")}</p>;
  return null;
}
