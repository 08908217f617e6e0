import { agents } from "./agents.zh";
import { chat } from "./chat.zh";
import { frame } from "./frame.zh";
import { places } from "./places.zh";
import { questions } from "./questions.zh";
import { settings } from "./settings.zh";
import { tools } from "./tools.zh";
import { writing } from "./writing.zh";
import type { Catalogue } from "./en";

/** 简体中文。 */
export const zh: Catalogue = {
  ...frame,
  ...places,
  ...chat,
  ...tools,
  ...questions,
  ...writing,
  ...settings,
  agents,
};
