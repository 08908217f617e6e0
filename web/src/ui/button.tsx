import type { ButtonHTMLAttributes } from "react";

const LOOKS = {
  plain: "border border-line bg-raised enabled:hover:bg-hover disabled:text-muted",
  strong: "border border-transparent bg-accent-fill text-accent-on font-medium enabled:hover:brightness-110 disabled:bg-hover disabled:text-muted",
  quiet: "border border-transparent text-muted hover:bg-hover hover:text-text aria-disabled:opacity-40 aria-disabled:hover:bg-transparent",
  danger: "border border-danger text-danger bg-raised hover:bg-danger-soft",
} as const;

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: keyof typeof LOOKS;
}

export const buttonClass = (look: keyof typeof LOOKS = "plain", more = ""): string =>
  `inline-flex min-h-7 shrink-0 items-center justify-center gap-1.5 rounded-md px-2.5 text-start ${LOOKS[look]} ${more}`;

export function Button({ look = "plain", className = "", type = "button", ...rest }: ButtonProps) {
  return <button type={type} className={buttonClass(look, className)} {...rest} />;
}

/** A square button whose name is read but not shown. */
export function IconButton({ label, className = "", ...rest }: ButtonProps & { label: string }) {
  return (
    <Button look="quiet" aria-label={label} title={label} className={`min-w-7 px-1 ${className}`} {...rest} />
  );
}
