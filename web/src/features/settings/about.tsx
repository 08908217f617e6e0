import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { getStatus } from "../../api/calls";
import { ErrorNote } from "../../ui/error-note";
import { Time } from "../../ui/time";

export function About() {
  const { t } = useTranslation();
  const { data, error } = useQuery({ queryKey: ["status"], queryFn: getStatus });
  if (error) return <ErrorNote error={error} />;
  if (!data) return <p className="appear-late text-muted">{t("app.loading")}</p>;
  const rows: [string, React.ReactNode][] = [
    [t("settings.version"), data.version],
    [t("settings.dataDir"), <code key="dir">{data.data_dir}</code>],
    [t("settings.log"), <code key="log">{data.data_dir}/log</code>],
    [t("settings.startedAt"), <Time key="since" at={data.started_at} />],
    [t("settings.instance"), <code key="id">{data.instance_id}</code>],
  ];
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
