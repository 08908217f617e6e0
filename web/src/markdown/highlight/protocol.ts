import type { LanguageName } from "./names";
import type { Runs } from "./runs";

/** To the worker: colour this. */
export interface Ask {
  id: number;
  code: string;
  language: LanguageName;
}

/** From the worker. Null: it cannot be coloured. */
export interface Answer {
  id: number;
  runs: Runs | null;
}
