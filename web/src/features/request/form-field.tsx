import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button";
import { readable, reveal } from "../../ui/text";
import { ValueText } from "../tool/value-text";
import type { Choice, Field, FieldProblem, FieldValue } from "./elicitation";

/** So many choices are all shown at once; more are a list that opens. */
const ALL_SHOWN = 7;
const BOX = "w-full rounded-md border border-line-strong bg-bg px-2 aria-invalid:border-danger";

interface Props {
  field: Field;
  value: FieldValue;
  problem: FieldProblem | undefined;
  /** What the daemon found wrong with what was sent last. */
  refused: string | undefined;
  onChange(value: FieldValue): void;
}

/** One property of a form, with its title, its description and what is wrong with it. */
export function FormField({ field, value, problem, refused, onChange }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const error = problem ? t(`request.field.${problem.key}`, "limit" in problem ? { limit: problem.limit } : {}) : refused;
  const pattern = field.kind.type === "text" ? field.kind.pattern : null;
  const about = [field.description !== "" && `${id}-about`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  const control: Control = { id, about, invalid: error !== undefined, field, value, onChange };
  return (
    <div data-field={field.name} className="flex min-w-0 flex-col gap-1">
      <FieldControl control={control} description={field.description !== "" && <Description id={id} text={field.description} />} />
      {pattern !== null && <p className="text-xs text-muted [overflow-wrap:anywhere]">{t("request.pattern", { pattern: reveal(pattern) })}</p>}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-xs text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

interface Control {
  id: string;
  about: string | undefined;
  invalid: boolean;
  field: Field;
  value: FieldValue;
  onChange(value: FieldValue): void;
}

function FieldControl({ control, description }: { control: Control; description: ReactNode }) {
  const { id, field } = control;
  const { kind } = field;
  if (kind.type === "unknown") return <UnknownField field={field} schema={kind.schema} description={description} />;
  if (kind.type === "many" || (kind.type === "choice" && kind.choices.length <= ALL_SHOWN)) {
    return <ChoiceField control={control} choices={kind.choices} several={kind.type === "many"} description={description} />;
  }
  if (kind.type === "boolean") return <SwitchField control={control} description={description} />;
  return (
    <>
      <label htmlFor={id} className="font-medium [overflow-wrap:anywhere]">
        <Title field={field} />
      </label>
      {description}
      {kind.type === "choice" ? <SelectBox control={control} choices={kind.choices} /> : <TextBox control={control} />}
    </>
  );
}

function Title({ field }: { field: Field }) {
  const { t } = useTranslation();
  return (
    <>
      {reveal(field.title)}
      {/* A blank also for who hears it as one text. */}
      {field.required && " "}
      {field.required && <span className="ms-1.5 text-xs font-normal text-muted">{t("request.required")}</span>}
    </>
  );
}

function Description({ id, text }: { id: string; text: string }) {
  return (
    <p id={`${id}-about`} className="text-xs whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
      {reveal(text)}
    </p>
  );
}

function TextBox({ control: { id, about, invalid, field, value, onChange } }: { control: Control }) {
  const { kind } = field;
  const common = {
    id,
    "aria-describedby": about,
    "aria-invalid": invalid || undefined,
    "aria-required": field.required || undefined,
    value: typeof value === "string" ? value : "",
    autoComplete: "off",
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  if (kind.type === "number") return <input {...common} inputMode={kind.whole ? "numeric" : "decimal"} className={`${BOX} min-h-8 max-w-60`} />;
  if (kind.type !== "text") return null;
  if (kind.secret) return <input {...common} type="password" autoComplete="new-password" className={`${BOX} min-h-8`} />;
  if (kind.format !== null) return <input {...common} type={inputType(kind.format)} step={1} className={`${BOX} min-h-8`} />;
  return <textarea {...common} rows={1} className={`${BOX} field-sizing-content max-h-60 min-h-8 resize-y py-1`} />;
}

const inputType = (format: string): string =>
  ({ email: "email", uri: "url", date: "date", "date-time": "datetime-local" })[format] ?? "text";

function SelectBox({ control, choices }: { control: Control; choices: Choice[] }) {
  const { t } = useTranslation();
  const { id, about, invalid, field, value, onChange } = control;
  const chosen = choices.find((choice) => choice.value === value);
  return (
    <>
      <select
        id={id}
        aria-describedby={about}
        aria-invalid={invalid || undefined}
        aria-required={field.required || undefined}
        value={chosen?.value ?? ""}
        onChange={(event) => onChange(event.target.value)}
        className={`${BOX} min-h-8`}
      >
        <option value="">{t("request.choose")}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {reveal(choice.title)}
          </option>
        ))}
      </select>
      {chosen && chosen.description !== "" && <p className="text-xs text-muted">{reveal(chosen.description)}</p>}
    </>
  );
}

interface ChoiceProps {
  control: Control;
  choices: Choice[];
  several: boolean;
  description: ReactNode;
}

function ChoiceField({ control, choices, several, description }: ChoiceProps) {
  const { t } = useTranslation();
  const { id, about, invalid, field, value, onChange } = control;
  const chosen = Array.isArray(value) ? value : [];
  const isChosen = (choice: Choice) => (several ? chosen.includes(choice.value) : value === choice.value);
  const choose = (choice: Choice, on: boolean) => {
    if (!several) return onChange(choice.value);
    // In the agent's order, whatever the order of the clicks.
    onChange(choices.map((each) => each.value).filter((each) => (each === choice.value ? on : chosen.includes(each))));
  };
  return (
    <fieldset aria-describedby={about} aria-invalid={invalid || undefined} className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1 font-medium [overflow-wrap:anywhere]">
        <Title field={field} />
      </legend>
      {description}
      {choices.map((choice, place) => (
        <label
          key={choice.value}
          className="flex min-h-8 items-start gap-2 rounded-md border border-line bg-bg px-2 py-1 has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type={several ? "checkbox" : "radio"}
            name={id}
            className="mt-1 shrink-0 accent-(--accent)"
            aria-describedby={choice.description === "" ? undefined : `${id}-${place}`}
            checked={isChosen(choice)}
            onChange={(event) => choose(choice, event.target.checked)}
          />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {reveal(choice.title)}
            {choice.description !== "" && (
              <span id={`${id}-${place}`} className="block text-xs text-muted">
                {reveal(choice.description)}
              </span>
            )}
          </span>
        </label>
      ))}
      {!several && !field.required && value !== "" && (
        <Button look="quiet" className="self-start" onClick={() => onChange("")}>
          {t("request.clear")}
        </Button>
      )}
    </fieldset>
  );
}

function SwitchField({ control: { id, about, invalid, field, value, onChange }, description }: { control: Control; description: ReactNode }) {
  return (
    <>
      <label className="flex min-h-8 items-center gap-2 font-medium">
        <input
          id={id}
          type="checkbox"
          className="shrink-0 accent-(--accent)"
          aria-describedby={about}
          aria-invalid={invalid || undefined}
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <Title field={field} />
        </span>
      </label>
      {description}
    </>
  );
}

function UnknownField({ field, schema, description }: { field: Field; schema: unknown; description: ReactNode }) {
  const { t } = useTranslation();
  return (
    <>
      <p className="font-medium [overflow-wrap:anywhere]">
        <Title field={field} />
      </p>
      {description}
      <p className="text-xs text-muted">{t(field.required ? "request.field.unknownRequired" : "request.field.unknown")}</p>
      <ValueText value={reveal(readable(schema))} />
    </>
  );
}
