import { type InputHTMLAttributes, useId } from "react";

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  /** Something to know about the field, below it. */
  hint?: string | undefined;
  /** What is wrong with its value. */
  error?: string | undefined;
}

/** A one-line text field with its label. */
export function TextField({ label, hint, error, className = "", ...rest }: Props) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="text-xs text-muted">
        {label}
      </label>
      <input
        id={id}
        className="min-h-8 w-full rounded-md border border-line-strong bg-bg px-2 aria-invalid:border-danger"
        spellCheck={false}
        autoComplete="off"
        aria-invalid={error !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        {...rest}
      />
      {note !== undefined && (
        <p id={`${id}-note`} className={`text-xs ${error === undefined ? "text-muted" : "text-danger"}`}>
          {note}
        </p>
      )}
    </div>
  );
}
