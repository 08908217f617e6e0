import { type InputHTMLAttributes, useId } from "react";

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
}

/** A one-line text field with its label. */
export function TextField({ label, className = "", ...rest }: Props) {
  const id = useId();
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="text-xs text-muted">
        {label}
      </label>
      <input
        id={id}
        className="min-h-8 w-full rounded-md border border-line-strong bg-bg px-2"
        spellCheck={false}
        autoComplete="off"
        {...rest}
      />
    </div>
  );
}
