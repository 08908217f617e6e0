import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { type Catalogue, en } from "./en";

export type Language = "en" | "zh";
export const LANGUAGES: readonly { id: Language; tag: string; name: string }[] = [
  { id: "en", tag: "en-US", name: "English" },
  { id: "zh", tag: "zh-CN", name: "简体中文" },
];

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: Catalogue };
  }
}

/** The language of a tag such as `zh-Hans-CN`; English where there is no catalogue. */
export function languageOf(tag: string): Language {
  return /^zh\b/i.test(tag) ? "zh" : "en";
}

/** The full tag, for `Intl` and for the page's `lang`. */
export function tagOf(language: string): string {
  return LANGUAGES.find(({ id }) => id === language)?.tag ?? "en-US";
}

/** Readies the catalogues; other languages than English are loaded when wanted. */
export async function startI18n(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: "en",
    fallbackLng: "en",
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  await changeLanguage(language);
}

export async function changeLanguage(language: Language): Promise<void> {
  if (language === "zh" && !i18next.hasResourceBundle("zh", "translation")) {
    const [{ zh }, daemon] = await Promise.all([import("./zh"), import("./daemon.zh")]);
    i18next.addResourceBundle("zh", "translation", zh);
    for (const kind of ["problems", "descriptions"] as const) i18next.addResourceBundle("zh", kind, daemon[kind]);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = tagOf(language);
}

/** What the daemon says in English, in another language; null where there is nothing better than its own words. */
export function daemonWords(language: string, kind: "problems" | "descriptions", id: string): string | null {
  const words: unknown = i18next.hasResourceBundle(language, kind) ? i18next.getDataByLanguage(language)?.[kind]?.[id] : null;
  return typeof words === "string" ? words : null;
}

type Leaves<Tree, Path extends string = ""> = {
  [Name in keyof Tree & string]: Tree[Name] extends string ? `${Path}${Name}` : Leaves<Tree[Name], `${Path}${Name}.`>;
}[keyof Tree & string];
type Base<Key> = Key extends `${infer Start}_one` | `${infer Start}_other` ? Start : Key;

/** A key of the catalogues, without the endings of plurals. */
export type WordKey = Base<Leaves<Catalogue>>;

/** How words are looked up, for functions that are handed `t`: cheaper to check than i18next's own type. */
export type Translate = (...wanted: [key: WordKey] | [key: WordKey, values: Record<string, unknown>]) => string;
