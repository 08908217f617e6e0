const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** One for each locale: to make a format takes far longer than to use it, and a page shows hundreds of times. */
function perLocale<Format>(make: (locale: string) => Format): (locale: string) => Format {
  const made = new Map<string, Format>();
  return (locale) => {
    const format = made.get(locale) ?? make(locale);
    made.set(locale, format);
    return format;
  };
}

const relative = perLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" }));
const day = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium" }));
const full = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "medium" }));
const clock = perLocale((locale) => new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }));

/** A moment relative to now, such as "5 min. ago"; the date for what is older than a week. */
export function relativeTime(at: string, now: number, locale: string): string {
  const past = now - Date.parse(at);
  if (Number.isNaN(past)) return at;
  const format = relative(locale);
  // A clock that was set back is no reason to speak of the future.
  if (past < MINUTE) return format.format(0, "second");
  if (past < HOUR) return format.format(-Math.floor(past / MINUTE), "minute");
  if (past < DAY) return format.format(-Math.floor(past / HOUR), "hour");
  if (past < 7 * DAY) return format.format(-Math.floor(past / DAY), "day");
  return day(locale).format(new Date(at));
}

/** The full moment in the reader's zone. */
export function exactTime(at: string, locale: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  return full(locale).format(date);
}

/** The time of day in the reader's zone, such as 14:02. */
export function clockTime(at: string, locale: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  return clock(locale).format(date);
}

/** Bytes in the unit a person would use. */
export function byteSize(bytes: number, locale: string): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  const style = { style: "unit", unit: units[unit] ?? "byte", unitDisplay: unit === 0 ? "long" : "short", maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(locale, style).format(value);
}

/** Bytes in MiB, as limits are set. */
export function binarySize(bytes: number, locale: string): string {
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(bytes / 1_048_576)} MiB`;
}

/** A length of time in at most two units. */
export function duration(milliseconds: number, locale: string): string {
  const seconds = Math.max(0, milliseconds) / 1_000;
  const format = (value: number, unit: "second" | "minute" | "hour", digits = 0) =>
    new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "narrow", maximumFractionDigits: digits }).format(value);
  if (seconds < 10) return format(seconds, "second", 1);
  if (seconds < 60) return format(Math.round(seconds), "second");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${format(minutes, "minute")} ${format(Math.floor(seconds % 60), "second")}`;
  return `${format(Math.floor(minutes / 60), "hour")} ${format(minutes % 60, "minute")}`;
}
