import { useState } from "react";
import { useTranslation } from "react-i18next";
import { changeLanguage, LANGUAGES, languageOf } from "../../i18n";
import { apple, keyCaps } from "../../state/keys";
import {
  DENSITIES,
  readDensity,
  readEnterKey,
  readSingleKeys,
  readTheme,
  saveDensity,
  saveEnterKey,
  saveLanguage,
  saveSingleKeys,
  saveTheme,
  THEMES,
} from "../../state/preferences";
import { ChoiceList } from "../../ui/choice-list";

/** How this browser shows the page and hears the keys. */
export function Appearance() {
  const { t, i18n } = useTranslation();
  const mod = keyCaps("mod", apple).join("");
  // The choice shows at once, its words when they have come.
  const [language, setLanguage] = useState(i18n.language);
  const chooseLanguage = (next: string) => {
    saveLanguage(next);
    setLanguage(next);
    void changeLanguage(languageOf(next));
  };
  return (
    <div className="flex flex-col gap-5">
      <Preference label={t("settings.theme")} choices={THEMES} read={readTheme} save={saveTheme} name={(value) => t(`settings.themes.${value}`)} />
      <ChoiceList
        label={t("settings.language")}
        value={language}
        choices={LANGUAGES.map(({ id, name }) => ({ value: id, name }))}
        onChoose={chooseLanguage}
      />
      <Preference
        label={t("settings.density")}
        choices={DENSITIES}
        read={readDensity}
        save={saveDensity}
        name={(value) => t(`settings.densities.${value}`)}
      />
      <Preference
        label={t("settings.enter")}
        choices={["sends", "breaks"]}
        read={readEnterKey}
        save={saveEnterKey}
        name={(value) => (value === "sends" ? t("settings.enterSends") : t("settings.enterBreaks", { mod }))}
      />
      <Preference
        label={t("settings.singleKeys")}
        choices={["on", "off"]}
        read={() => (readSingleKeys() ? "on" : "off")}
        save={(value) => saveSingleKeys(value === "on")}
        name={(value) => (value === "on" ? t("settings.singleKeysOn") : t("settings.singleKeysOff"))}
      />
    </div>
  );
}

interface PreferenceProps<Value extends string> {
  label: string;
  choices: readonly Value[];
  read(): Value;
  save(value: Value): void;
  name(value: Value): string;
}

function Preference<Value extends string>({ label, choices, read, save, name }: PreferenceProps<Value>) {
  const [value, setValue] = useState(read);
  const choose = (next: string) => {
    const found = choices.find((each) => each === next);
    if (found === undefined) return;
    save(found);
    setValue(found);
  };
  return <ChoiceList label={label} value={value} choices={choices.map((each) => ({ value: each, name: name(each) }))} onChoose={choose} />;
}
