import type { Id } from "../../api/types";

let wanted: Id | null = null;

/** The next composer of this task takes the focus: its first message was just sent from one that goes away. */
export function focusComposerOf(task: Id): void {
  wanted = task;
}

export const wantsFocus = (task: Id): boolean => wanted === task;

/** It has taken it. */
export function hasFocus(): void {
  wanted = null;
}
