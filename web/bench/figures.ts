import { test } from "@playwright/test";

/** CI measures less, and takes times leniently: its machines are shared. */
export const SHORT = process.env.DROVER_BENCH === "short";

/** One measured value and what it may be at most. */
export interface Figure {
  what: string;
  value: number;
  limit: number;
  unit: string;
  /** Counts and ratios hold anywhere; times and memory only on a machine that does nothing else. */
  holds: "anywhere" | "alone";
  /** What holds alone may on a shared machine be so many times the limit, where that is not `LENIENT`. */
  lenient?: number;
}

/** A time on a shared machine may be so many times what it may be on one that does nothing else. */
const LENIENT = 3;

export const isOver = ({ value, limit, holds, lenient = LENIENT }: Figure): boolean => value > limit * (SHORT && holds === "alone" ? lenient : 1);

/** Hands a figure to the reporter, which prints, checks and writes them all. */
export function record(figure: Figure): void {
  test.info().annotations.push({ type: "figure", description: JSON.stringify(figure) });
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The same as the medians say, or the fastest of both, whichever is smaller: what disturbs a run only adds to it. */
export const ratio = (values: readonly number[], base: readonly number[]): number =>
  Math.min(median(values) / median(base), Math.min(...values) / Math.min(...base));
