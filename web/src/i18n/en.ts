import { agents } from "./agents.en";
import { chat } from "./chat.en";
import { frame } from "./frame.en";
import { places } from "./places.en";
import { questions } from "./questions.en";
import { settings } from "./settings.en";
import { tools } from "./tools.en";
import { writing } from "./writing.en";

/** English (US). The shape of this catalogue is the shape of all; the words of each part of the page stand in a file of their own. */
export const en = {
  ...frame,
  ...places,
  ...chat,
  ...tools,
  ...questions,
  ...writing,
  ...settings,
  agents,
} as const;

export type Words<T> = { readonly [K in keyof T]: T[K] extends string ? string : Words<T[K]> };
export type Catalogue = Words<typeof en>;
