import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { MessageHead } from "../../api/types";
import { useAgents } from "../../app/context";
import { editing } from "../../state/editing";
import type { TaskStore } from "../../state/task-store";
import { IconButton } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { Menu, MenuItem } from "../../ui/menu";
import { PromptDialog } from "../handoff/prompt-dialog";
import { textOfTurn } from "./text-of-turn";
import { useIsActive } from "./use-is-active";
import { useRetry } from "./use-retry";

/** What can be done with one turn. It shows on hover and focus, faintly in the last turn, and always where there is no hover. */
export function TurnMenu({ store, head, who }: { store: TaskStore; head: MessageHead; who: string }) {
  const { t } = useTranslation();
  const agents = useAgents();
  const active = useIsActive(store);
  const { retry, error: refused } = useRetry(head.id);
  const [error, setError] = useState<unknown>(null);
  const [prompt, setPrompt] = useState(false);
  const own = head.role === "user" && head.origin !== "agent";
  const answered = head.role === "assistant" && head.run_id !== null && head.status !== "streaming";
  const others = [...agents.values()].filter((agent) => agent.state === "ready" && agent.id !== head.agent);
  const copy = (text: string) => navigator.clipboard.writeText(text).catch(setError);
  const problem = refused ?? error;
  return (
    <>
      {problem !== null && <ErrorNote error={problem} />}
      <Menu
        align="end"
        trigger={
          <IconButton
            label={t("turn.actions", { who, ordinal: head.ordinal })}
            className="ms-auto opacity-0 [:last-child>section>div>&]:opacity-70 group-hover/turn:opacity-100 group-focus-within/turn:opacity-100 aria-expanded:opacity-100 pointer-coarse:opacity-100"
          >
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => void copy(textOfTurn(store, head))}>{t("turn.copy")}</MenuItem>
        <MenuItem onSelect={() => void copy(new URL(`#${head.id}`, window.location.href).href)}>{t("turn.copyLink")}</MenuItem>
        {own && (
          <MenuItem disabled={active} onSelect={() => editing.set({ message: head.id, text: textOfTurn(store, head) })}>
            {t("turn.edit")}
          </MenuItem>
        )}
        {answered && (
          <MenuItem disabled={active} onSelect={() => retry()}>
            {t("message.retry")}
          </MenuItem>
        )}
        {answered &&
          others.slice(0, 6).map((agent) => (
            <MenuItem key={agent.id} disabled={active} onSelect={() => retry(agent.id)}>
              {t("turn.retryWith", { agent: agent.name })}
            </MenuItem>
          ))}
        {head.role === "assistant" && head.run_id && <MenuItem onSelect={() => setPrompt(true)}>{t("turn.prompt")}</MenuItem>}
      </Menu>
      {prompt && head.run_id && <PromptDialog run={head.run_id} onClose={() => setPrompt(false)} />}
    </>
  );
}
