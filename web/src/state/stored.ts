/** A small JSON value that this browser keeps, the same in all its tabs. */
export class Stored<T> {
  readonly #name: string;
  readonly #read: (stored: unknown) => T;
  readonly #listeners = new Set<() => void>();
  #value: T | undefined;

  /** `read` makes a value of whatever was found under the name, or of null. */
  constructor(name: string, read: (stored: unknown) => T) {
    this.#name = `drover:${name}`;
    this.#read = read;
    addEventListener("storage", ({ key }) => {
      if (key !== this.#name && key !== null) return;
      this.#value = undefined;
      this.#tell();
    });
  }

  get = (): T => {
    this.#value ??= this.#read(parse(localStorage.getItem(this.#name)));
    return this.#value;
  };

  set(value: T): void {
    this.#value = value;
    try {
      localStorage.setItem(this.#name, JSON.stringify(value));
    } catch {
      // The browser's store is full: this tab goes on with the value, only a reload would forget it.
    }
    this.#tell();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

export const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");
