import type { SummaryLevel } from "../store/records.js";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A span of time, in milliseconds since the epoch: the start is inclusive, the end exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** Start of the bucket of that level in which a time lies. */
export function startOf(level: SummaryLevel, time: number): number {
  if (level === "hour") return Math.floor(time / HOUR_MS) * HOUR_MS;
  if (level === "day") return Math.floor(time / DAY_MS) * DAY_MS;
  const date = new Date(time);
  return firstOfMonth(date.getUTCFullYear(), date.getUTCMonth());
}

/** End of the bucket that starts there: the start of the next one. */
export function endOf(level: SummaryLevel, start: number): number {
  if (level === "hour") return start + HOUR_MS;
  if (level === "day") return start + DAY_MS;
  const date = new Date(start);
  return firstOfMonth(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** The level whose buckets consist of those of this one. */
export function levelAbove(level: SummaryLevel): SummaryLevel | undefined {
  if (level === "hour") return "day";
  return level === "day" ? "month" : undefined;
}

/** The level of which the buckets of this one consist; hours consist of postings. */
export function levelBelow(level: SummaryLevel): SummaryLevel | undefined {
  if (level === "month") return "day";
  return level === "day" ? "hour" : undefined;
}

/** Id of the bucket of an insight that starts there. */
export function bucketId(insightId: number, level: SummaryLevel, start: number): string {
  return `${insightId}:${level}:${start}`;
}

/** `Date.UTC` takes the years 0 to 99 for those of the last century. */
function firstOfMonth(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1);
}

/** A unit of which steps have the same length everywhere. */
type Unit = "hour" | "day";

const STEP_MS: Readonly<Record<Unit, number>> = { hour: HOUR_MS, day: DAY_MS };

/** The hours or days of a span, in order and in UTC; the first and the last one are cut to the span. */
export function unitsOf({ start, end }: Span, unit: Unit): Span[] {
  const steps: Span[] = [];
  for (let at = start; at < end;) {
    const next = Math.min(end, startOf(unit, at) + STEP_MS[unit]);
    steps.push({ start: at, end: next });
    at = next;
  }
  return steps;
}

/** Number of the hour or day of a span in which a time lies. */
export function unitOf(time: number, span: Span, unit: Unit): number {
  return (startOf(unit, time) - startOf(unit, span.start)) / STEP_MS[unit];
}
