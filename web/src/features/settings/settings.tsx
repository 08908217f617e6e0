import { useTranslation } from "react-i18next";
import { Link, useRoute } from "wouter";
import { useTitle } from "../../app/title";
import { Page } from "../../ui/page";
import { Agents } from "../agents/agents";
import { About } from "./about";
import { Appearance } from "./appearance";
import { Browsers } from "./browsers";
import { Configuration } from "./configuration";

const SECTIONS = ["appearance", "agents", "configuration", "browsers", "about"] as const;
type Section = (typeof SECTIONS)[number];

const CONTENT: Record<Section, () => React.ReactNode> = {
  appearance: Appearance,
  agents: Agents,
  configuration: Configuration,
  browsers: Browsers,
  about: About,
};

export function Settings() {
  const { t } = useTranslation();
  const [, params] = useRoute("/settings/:section");
  const section = SECTIONS.find((each) => each === params?.section) ?? "appearance";
  useTitle([t(`settings.${section}`), t("settings.title")]);
  const Content = CONTENT[section];
  return (
    <Page title={t("settings.title")}>
      <nav aria-label={t("settings.title")} className="mt-3 mb-5 flex flex-wrap gap-1 border-b border-line pb-2">
        {SECTIONS.map((each) => (
          <Link
            key={each}
            href={`/settings/${each}`}
            aria-current={each === section ? "page" : undefined}
            className="flex min-h-8 items-center rounded-md px-3 hover:bg-hover aria-[current]:bg-hover aria-[current]:font-medium"
          >
            {t(`settings.${each}`)}
          </Link>
        ))}
      </nav>
      <Content />
    </Page>
  );
}
