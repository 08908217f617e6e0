import type { Config } from "../../api/types";

type NumberKey = Exclude<keyof Config, "log_level">;

/** How a number is shown: sizes in the unit in which the daemon's default is a round number. */
export type Unit = "none" | "KiB" | "MiB" | "MB" | "minutes" | "seconds" | "days";

interface Field {
  key: NumberKey;
  unit: Unit;
}

export const CONFIG_GROUPS: readonly { id: "work" | "keep" | "daemon"; fields: readonly Field[] }[] = [
  {
    id: "work",
    fields: [
      { key: "max_active_runs", unit: "none" },
      { key: "idle_minutes", unit: "minutes" },
      { key: "silence_seconds", unit: "seconds" },
      { key: "login_seconds", unit: "seconds" },
      { key: "handoff_bytes", unit: "KiB" },
      { key: "attachment_bytes", unit: "MiB" },
    ],
  },
  {
    id: "keep",
    fields: [
      { key: "blob_bytes", unit: "MiB" },
      { key: "frames_link_bytes", unit: "MB" },
      { key: "frames_bytes", unit: "MB" },
      { key: "feed_days", unit: "days" },
      { key: "feed_entries", unit: "none" },
      { key: "feed_bytes", unit: "MB" },
    ],
  },
  { id: "daemon", fields: [{ key: "port", unit: "none" }] },
];

export const LOG_LEVELS = ["error", "warn", "info", "debug", "trace"] as const satisfies readonly Config["log_level"][];

const SIZES: Record<Unit, number> = { none: 1, KiB: 1024, MiB: 1024 * 1024, MB: 1_000_000, minutes: 1, seconds: 1, days: 1 };

/** A stored value in its unit, exact, as it stands in a field. */
export const shownIn = (value: number, unit: Unit): string => String(value / SIZES[unit]);

/** What a field's text stands for, or null where it is no whole number of what is stored. */
export function readIn(text: string, unit: Unit): number | null {
  if (!/^\d+(\.\d+)?$/.test(text.trim())) return null;
  const value = Number(text) * SIZES[unit];
  return Number.isSafeInteger(Math.round(value)) && Math.abs(value - Math.round(value)) < 1e-6 ? Math.round(value) : null;
}
