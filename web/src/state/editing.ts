import type { Id } from "../api/types";

export interface Edit {
  readonly message: Id;
  readonly text: string;
}

/** The one message that is being reworded in this tab. It is kept while its turn is scrolled out of sight. */
class Editing {
  readonly #listeners = new Set<() => void>();
  #edit: Edit | null = null;

  readonly get = (): Edit | null => this.#edit;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  set(edit: Edit | null): void {
    this.#edit = edit;
    for (const listener of this.#listeners) listener();
  }
}

export const editing = new Editing();
