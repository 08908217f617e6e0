import { ChevronDown, LoaderCircle, ShieldOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Agent } from "../../api/types";
import type { ChosenValue } from "../../state/drafts";
import { Button } from "../../ui/button";
import { Menu, MenuChoices } from "../../ui/menu";
import { type AgentOption, actsUnasked, currentName } from "./options";

/** A change that the agent has not answered yet. */
export interface PendingOption {
  id: string;
  value: ChosenValue;
}

interface Props {
  options: readonly AgentOption[];
  pending: PendingOption | null;
  onSet(option: AgentOption, value: ChosenValue): void;
}

/** An agent's options in its order and words. */
export function OptionList({ options, pending, onSet }: Props) {
  return options.map((option, place) => (
    <OptionPicker
      key={`${place}:${option.id}`}
      option={option}
      pending={pending?.id === option.id ? pending : null}
      disabled={pending !== null}
      onSet={(value) => onSet(option, value)}
    />
  ));
}

/** The plain word where an agent acts without asking. It stands beside the composer, whatever is folded away. */
export function UnaskedNote({ agent, options }: { agent: Agent; options: readonly AgentOption[] }) {
  const { t } = useTranslation();
  const unasked = actsUnasked(agent, options);
  if (!unasked) return null;
  return (
    <p className="flex items-center gap-1 px-3 pb-1 text-xs text-muted">
      <ShieldOff size={14} className="shrink-0" aria-hidden />
      {agent.never_asks ? t("option.neverAsks", { agent: agent.name }) : t(`option.unasked.${unasked}`, { agent: agent.name })}
    </p>
  );
}

interface PickerProps {
  option: AgentOption;
  pending: PendingOption | null;
  disabled: boolean;
  onSet(value: ChosenValue): void;
}

function OptionPicker({ option, pending, disabled, onSet }: PickerProps) {
  const { t } = useTranslation();
  if (option.kind === "unknown") {
    return <span className="px-2 text-xs text-muted">{t("option.unavailable", { name: option.name })}</span>;
  }
  const onOff = (value: boolean) => t(value ? "option.on" : "option.off");
  const nameOf = (value: ChosenValue | null) =>
    option.kind === "boolean" ? onOff(value === true) : (currentName(option, value as string | null) ?? t("option.unset"));
  const shown = nameOf(pending?.value ?? option.current);
  const groups =
    option.kind === "boolean"
      ? [{ label: option.name, choices: [true, false].map((value) => ({ value: String(value), name: onOff(value) })) }]
      : option.groups.map(({ label, values }, place) => ({
          label: label ?? (place === 0 ? option.name : null),
          choices: values.map(({ note, ...value }) => ({ ...value, note })),
        }));
  const choose = (value: string) => onSet(option.kind === "boolean" ? value === "true" : value);
  const label = t(pending ? "option.changing" : "option.label", { name: option.name, value: shown });
  return (
    <Menu
      side="top"
      trigger={
        <Button look="quiet" disabled={disabled} aria-busy={pending !== null} className="max-w-44 pointer-coarse:min-h-11" aria-label={label} title={`${option.name}: ${shown}`}>
          <span className="truncate">
            {/* In a list of them each says what it is; in a line there is room for the values alone. */}
            {option.kind === "boolean" ? `${option.name}: ` : <span className="hidden in-[.picker-sheet]:inline">{`${option.name}: `}</span>}
            {shown}
          </span>
          {pending ? (
            <LoaderCircle size={14} className="shrink-0 animate-spin motion-reduce:animate-none" aria-hidden />
          ) : (
            <ChevronDown size={14} className="shrink-0" aria-hidden />
          )}
        </Button>
      }
    >
      <MenuChoices value={option.kind === "boolean" ? String(option.current) : option.current} groups={groups} onChoose={choose} />
    </Menu>
  );
}
