import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { ErrorNote } from "./error-note";

interface Props {
  open: boolean;
  title: string;
  body: string;
  confirm: string;
  onConfirm(): Promise<void>;
  onClose(): void;
}

/** Asks before something that cannot be taken back. A refusal is told in the dialog. */
export function Confirm({ open, title, body, confirm, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const [error, setError] = useState<unknown>(null);
  const act = () => {
    setError(null);
    onConfirm().then(onClose, setError);
  };
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      <p>{body}</p>
      {error !== null && <ErrorNote error={error} />}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>{t("app.cancel")}</Button>
        <Button look="danger" onClick={act}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
