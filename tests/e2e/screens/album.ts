import { join } from "node:path";
import type { Drover, Page } from "../../../web/e2e/fixtures.ts";

const FOLDER = join(import.meta.dirname, "../../../test-results/screens");

/** SCREENS=inbox,task and LOOKS=light,zh,360 take only those. */
const wanted = (variable: string): string[] => (process.env[variable] ?? "").split(",").filter(Boolean);
const among = (list: string[], value: string): boolean => {
  const chosen = wanted("LOOKS").filter((each) => list.includes(each));
  return chosen.length === 0 || chosen.includes(value);
};

const THEMES = ["light", "dark", "contrast"];
const LANGUAGES = ["en", "zh"];
const WIDTHS = { "360": 740, "1280": 860, "2560": 1300 };

/** A screen: where it is, and what is to be done there before the picture is taken. */
export interface Screen {
  name: string;
  path: string;
  /** What must be seen first, and then what is opened. It must find its way without words: they differ. */
  ready(page: Page): Promise<void>;
  /** Screens that exist only below or above a width. */
  widths?: (width: number) => boolean;
  /** Puts back what the picture needed. */
  after?(): Promise<void>;
}

/** Takes a picture of each screen in each theme, language and width. */
export async function takePictures(page: Page, drover: Pick<Drover, "url">, screens: readonly Screen[]): Promise<void> {
  const names = wanted("SCREENS");
  for (const theme of THEMES.filter((each) => among(THEMES, each))) {
    for (const language of LANGUAGES.filter((each) => among(LANGUAGES, each))) {
      await page.context().addCookies([
        { name: "drover_theme", value: theme, url: drover.url },
        { name: "drover_lang", value: language, url: drover.url },
      ]);
      await page.emulateMedia({ reducedMotion: "reduce", colorScheme: theme === "light" ? "light" : "dark" });
      for (const [width, height] of Object.entries(WIDTHS).filter(([each]) => among(Object.keys(WIDTHS), each))) {
        await page.setViewportSize({ width: Number(width), height });
        for (const screen of screens) {
          if (names.length > 0 && !names.includes(screen.name)) continue;
          if (screen.widths && !screen.widths(Number(width))) continue;
          await page.goto(drover.url + screen.path);
          await screen.ready(page);
          await page.evaluate(() => document.fonts.ready);
          await page.screenshot({ path: join(FOLDER, screen.name, `${theme}-${language}-${width}.png`) });
          await screen.after?.();
        }
      }
    }
  }
}
