import { useState } from "react";
import { useTranslation } from "react-i18next";
import { changeLanguage, LANGUAGES, languageOf } from "../../i18n";
import { type EnterKey, readEnterKey, readTheme, saveEnterKey, saveLanguage, saveTheme, type Theme, THEMES } from "../../state/preferences";
import { ChoiceList } from "../../ui/choice-list";

export function Appearance() {
  const { t, i18n } = useTranslation();
  const [language, setLanguage] = useState<string>(i18n.language);
  const [theme, setTheme] = useState(readTheme);
  const [enter, setEnter] = useState(readEnterKey);
  const chooseTheme = (next: string) => {
    saveTheme(next as Theme);
    setTheme(next as Theme);
  };
  const chooseLanguage = (next: string) => {
    saveLanguage(next);
    setLanguage(next);
    void changeLanguage(languageOf(next));
  };
  const chooseEnter = (next: string) => {
    saveEnterKey(next as EnterKey);
    setEnter(next as EnterKey);
  };
  return (
    <div className="flex flex-col gap-5">
      <ChoiceList
        label={t("settings.theme")}
        value={theme}
        choices={THEMES.map((value) => ({ value, name: t(`settings.themes.${value}`) }))}
        onChoose={chooseTheme}
      />
      <ChoiceList
        label={t("settings.language")}
        value={language}
        choices={LANGUAGES.map(({ id, name }) => ({ value: id, name }))}
        onChoose={chooseLanguage}
      />
      <ChoiceList
        label={t("settings.enter")}
        value={enter}
        choices={[
          { value: "sends", name: t("settings.enterSends") },
          { value: "breaks", name: t("settings.enterBreaks") },
        ]}
        onChoose={chooseEnter}
      />
    </div>
  );
}
