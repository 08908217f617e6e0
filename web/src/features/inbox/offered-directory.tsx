import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Redirect, useLocation } from "wouter";
import { createProject } from "../../api/calls";
import { useOverview, useRuntime } from "../../app/context";
import { projectPath } from "../../app/routes";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error-note";
import { forgetDirectory, readDirectory } from "../pairing/wanted";

/** Where the command was run is where the work is: that project is opened, or offered where it is none yet. */
export function OfferedDirectory() {
  const { t } = useTranslation();
  const runtime = useRuntime();
  const { projects } = useOverview();
  const [, navigate] = useLocation();
  const [directory, setDirectory] = useState(readDirectory);
  const [error, setError] = useState<unknown>(null);
  if (directory === null) return null;
  const known = [...projects.values()].find(({ path }) => path === directory);
  if (known) {
    forgetDirectory();
    return <Redirect to={projectPath(known.id)} replace />;
  }
  const dismiss = () => {
    forgetDirectory();
    setDirectory(null);
  };
  const add = () => {
    setError(null);
    createProject({ path: directory }).then((data) => {
      forgetDirectory();
      runtime.overview.learn({ seq: 0, kind: "project.upsert", data });
      navigate(projectPath(data.id));
    }, setError);
  };
  return (
    <div className="mt-4 rounded-md border border-line bg-fill p-3">
      <p>{t("inbox.offer")}</p>
      <p className="mb-2">
        <code className="break-all">{directory}</code>
      </p>
      {error !== null && <ErrorNote error={error} />}
      <Button look="strong" onClick={add}>
        {t("inbox.offerAdd")}
      </Button>
      <Button look="quiet" className="ms-1.5" onClick={dismiss}>
        {t("inbox.offerDismiss")}
      </Button>
    </div>
  );
}
