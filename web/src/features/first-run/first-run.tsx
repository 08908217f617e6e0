import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useTitle } from "../../app/title";
import { Page } from "../../ui/page";
import { Agents } from "../agents/agents";
import { TakeTheTour } from "../tour/take-the-tour";
import { DirectoryPicker } from "./directory-picker";

/** The first minute: a directory, and what is on this machine. */
export function FirstRun() {
  const { t } = useTranslation();
  useTitle([t("first.title")]);
  return (
    <Page title={t("first.title")}>
      <TakeTheTour project={null} className="mb-6" />
      <p className="mb-4">{t("first.lead")}</p>
      <DirectoryPicker />
      <p className="mt-3">
        <Link href="/new" className="md-link">
          {t("first.without")}
        </Link>
      </p>
      <h2 className="mt-8 mb-2 font-semibold">{t("first.agents")}</h2>
      <Agents />
    </Page>
  );
}

/** The same picker for a further project. */
export function AddProject() {
  const { t } = useTranslation();
  useTitle([t("picker.title")]);
  return (
    <Page title={t("picker.title")}>
      <p className="mb-4">{t("first.lead")}</p>
      <DirectoryPicker />
    </Page>
  );
}
