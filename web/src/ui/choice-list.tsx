import { useId } from "react";

interface Props {
  label: string;
  value: string;
  choices: readonly { value: string; name: string }[];
  onChoose(value: string): void;
}

/** A few fixed choices, all visible. */
export function ChoiceList({ label, value, choices, onChoose }: Props) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1 text-xs text-muted">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="flex min-h-8 items-center gap-2 rounded-md border border-line px-3 py-1 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name={name}
              className="accent-(--accent)"
              checked={choice.value === value}
              onChange={() => onChoose(choice.value)}
            />
            {choice.name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
