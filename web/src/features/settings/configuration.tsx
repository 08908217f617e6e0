import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { changeSettings, getSettings } from "../../api/calls";
import type { Config } from "../../api/types";
import type { Translate } from "../../i18n";
import { announce } from "../../ui/announcer";
import { Bones } from "../../ui/bones";
import { Button } from "../../ui/button";
import { ChoiceList } from "../../ui/choice-list";
import { ErrorNote, fieldErrors } from "../../ui/error-note";
import { TextField } from "../../ui/field";
import { CONFIG_GROUPS, LOG_LEVELS, readIn, shownIn, type Unit } from "./config-keys";

const QUERY = ["settings"];

/** The daemon's own settings, as config.toml holds them. */
export function Configuration() {
  const { t } = useTranslation();
  const { data, error } = useQuery({ queryKey: QUERY, queryFn: getSettings });
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Bones lines={8} />;
  return (
    <>
      <p className="mb-4 text-muted">{t("config.lead")}</p>
      {data.problem && <ErrorNote error={null} lead={t("config.broken", { file: data.problem.file, detail: data.problem.detail })} />}
      <Form key={JSON.stringify(data.settings)} config={data.settings} broken={data.problem !== null} />
    </>
  );
}

function Form({ config, broken }: { config: Config; broken: boolean }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [typed, setTyped] = useState<Partial<Record<keyof Config, string>>>({});
  const [error, setError] = useState<unknown>(null);
  const { change, wrong } = changeOf(config, typed);
  const refused = fieldErrors(error);
  const save = (event: FormEvent) => {
    event.preventDefault();
    setError(null);
    changeSettings(change).then((data) => {
      queries.setQueryData(QUERY, data);
      announce(t("config.saved"));
    }, setError);
  };
  const type = (key: keyof Config, text: string) => setTyped((before) => ({ ...before, [key]: text }));
  return (
    <form onSubmit={save} className="flex flex-col gap-7">
      {CONFIG_GROUPS.map(({ id, fields }) => (
        <fieldset key={id} className="flex flex-col gap-4">
          <legend className="mb-3 font-semibold">{t(`config.groups.${id}`)}</legend>
          {fields.map(({ key, unit }) => (
            <TextField
              key={key}
              label={unit === "none" ? t(`config.names.${key}`) : t("config.withUnit", { name: t(`config.names.${key}`), unit: unitName(unit, t) })}
              inputMode="decimal"
              value={typed[key] ?? shownIn(config[key], unit)}
              onChange={(event) => type(key, event.target.value)}
              hint={t(`config.hints.${key}`)}
              error={wrong.has(key) ? t("config.noNumber") : refused.get(key)}
              className="max-w-[30rem]"
            />
          ))}
          {id === "daemon" && (
            <ChoiceList
              label={t("config.names.log_level")}
              value={typed.log_level ?? config.log_level}
              choices={LOG_LEVELS.map((value) => ({ value, name: t(`config.levels.${value}`) }))}
              onChoose={(value) => type("log_level", value)}
            />
          )}
        </fieldset>
      ))}
      {error !== null && refused.size === 0 && <ErrorNote error={error} />}
      <div className="sticky bottom-0 -mx-4 flex gap-2 border-t border-line bg-bg px-4 py-3">
        <Button type="submit" look="strong" disabled={broken || wrong.size > 0 || Object.keys(change).length === 0}>
          {t("app.save")}
        </Button>
        <Button disabled={Object.keys(typed).length === 0} onClick={() => setTyped({})}>
          {t("config.reset")}
        </Button>
      </div>
    </form>
  );
}

/** What was typed that differs from what holds, and what cannot be read as a number. */
function changeOf(config: Config, typed: Partial<Record<keyof Config, string>>) {
  const change: Partial<Config> = {};
  const wrong = new Set<keyof Config>();
  for (const { key, unit } of CONFIG_GROUPS.flatMap(({ fields }) => fields)) {
    const text = typed[key];
    if (text === undefined) continue;
    const value = readIn(text, unit);
    if (value === null) wrong.add(key);
    else if (value !== config[key]) change[key] = value;
  }
  const level = LOG_LEVELS.find((each) => each === typed.log_level);
  if (level && level !== config.log_level) change.log_level = level;
  return { change, wrong };
}

function unitName(unit: Exclude<Unit, "none">, t: Translate): string {
  return unit === "minutes" || unit === "seconds" || unit === "days" ? t(`config.units.${unit}`) : unit;
}
