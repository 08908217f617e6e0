import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error-note";
import { TextField } from "../../ui/field";

/** As the daemon counts: characters, not UTF-16 units. */
const MOST_CHARACTERS = 120;
/** The count is told when it begins to matter. */
const TOLD_FROM = 100;

interface Props {
  title: string;
  label: string;
  value: string;
  onSave(value: string): Promise<void>;
  onClose(): void;
}

/** Asks for another name. What is too long is said, never cut. */
export function RenameDialog({ title, label, value, onSave, onClose }: Props) {
  const { t } = useTranslation();
  const [name, setName] = useState(value);
  const [error, setError] = useState<unknown>(null);
  const length = [...name.trim()].length;
  const tooLong = length > MOST_CHARACTERS;
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (tooLong || length === 0) return;
    setError(null);
    onSave(name.trim()).then(onClose, setError);
  };
  return (
    <Dialog open title={title} onClose={onClose}>
      <form onSubmit={save} className="flex flex-col gap-3">
        <TextField
          label={label}
          value={name}
          onChange={(event) => setName(event.target.value)}
          onFocus={(event) => event.target.select()}
          error={tooLong ? t("manage.tooLong", { most: MOST_CHARACTERS, count: length }) : undefined}
          hint={length >= TOLD_FROM && !tooLong ? t("manage.length", { most: MOST_CHARACTERS, length }) : undefined}
        />
        {error !== null && <ErrorNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button type="submit" look="strong" disabled={tooLong || length === 0}>
            {t("app.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
