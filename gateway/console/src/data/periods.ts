import type { components } from "@hourglass/client";

export type Interval = components["schemas"]["SummaryInterval"];

/**
 * A period of whole days (`2026-11-24`) or hours (`2026-11-24T14`) in UTC. Both ends belong to it: to people, "until the 26th"
 * includes the 26th.
 */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** A half-open span of time, in milliseconds since 1970. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Length of the period that is shown where the address names none. */
const DAYS_DEFAULT = 30;
/** The longest periods that a summary has steps of this length for. In days. */
const DAYS_MAX: Readonly<Record<Interval, number>> = { hour: 31, day: 366, week: 1_830, month: 3_660 };
/** Up to so many days, steps of this length are easy to read. */
const DAYS_USUAL: Readonly<Record<Interval, number>> = { hour: 2, day: 92, week: 731, month: 3_660 };

export const INTERVALS: readonly Interval[] = ["hour", "day", "week", "month"];

const DAY_FORM = /^\d{4}-\d{2}-\d{2}$/;
const HOUR_FORM = /^\d{4}-\d{2}-\d{2}T\d{2}$/;

/** Whether the text is a day or an hour that exists. */
export function isEdge(text: string): boolean {
  const at = startOf(text);
  // The 31st of a month of 30 days would become the first of the next one.
  return !Number.isNaN(at) && (isHour(text) ? hourOf(at) : dayOf(at)) === text;
}

function isHour(edge: string): boolean {
  return HOUR_FORM.test(edge);
}

function startOf(edge: string): number {
  if (DAY_FORM.test(edge)) return Date.parse(`${edge}T00:00:00Z`);
  return isHour(edge) ? Date.parse(`${edge}:00:00Z`) : Number.NaN;
}

function endOf(edge: string): number {
  return startOf(edge) + (isHour(edge) ? HOUR_MS : DAY_MS);
}

/** The day of a moment: 2026-11-24. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function hourOf(at: number): string {
  return new Date(at).toISOString().slice(0, 13);
}

/** The span of a period: from the start of its first day or hour to the end of its last. */
export function spanOf({ from, to }: Period): Span {
  return { start: startOf(from), end: endOf(to) };
}

/** The shortest period that includes a span: of days if it begins and ends with days, else of hours. */
export function periodOfSpan({ start, end }: Span): Period {
  const isDays = start % DAY_MS === 0 && end % DAY_MS === 0;
  return isDays ? { from: dayOf(start), to: dayOf(end - 1) } : { from: hourOf(start), to: hourOf(end - 1) };
}

/** The last days, today included. */
export function lastDays(days: number, now: number): Period {
  return { from: dayOf(now - (days - 1) * DAY_MS), to: dayOf(now) };
}

/** The period of an address, of which either end may be missing or be no date. */
export function periodOf(
  ends: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
): Period {
  const from = ends.from !== undefined && isEdge(ends.from) ? ends.from : undefined;
  const to = ends.to !== undefined && isEdge(ends.to) ? ends.to : undefined;
  if (from === undefined && to === undefined) return lastDays(DAYS_DEFAULT, now);
  if (from === undefined) return { from: lastDays(DAYS_DEFAULT, startOf(to ?? "")).from, to: to ?? "" };
  if (to === undefined) return ordered({ from, to: startOf(from) > now ? from : dayOf(now) });
  return ordered({ from, to });
}

/** A period whose ends are exchanged still means the time between them. */
function ordered({ from, to }: Period): Period {
  return startOf(from) <= startOf(to) || endOf(from) <= endOf(to) ? { from, to } : { from: to, to: from };
}

/** The period in the parameters of the API, which excludes the end. */
export function timesOf(
  period: Period,
): { readonly start_date: string; readonly end_date: string } | { readonly start: string; readonly end: string } {
  const { start, end } = spanOf(period);
  if (isHour(period.from) || isHour(period.to)) {
    return { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
  }
  return { start_date: dayOf(start), end_date: dayOf(end) };
}

/** Its length in days; hours are parts of days. */
export function daysOf(period: Period): number {
  const { start, end } = spanOf(period);
  return (end - start) / DAY_MS;
}

/** The intervals that can show a period: each has a longest one. A period of one step shows nothing over time. */
export function intervalsFor(period: Period): Interval[] {
  const days = daysOf(period);
  return INTERVALS.filter((interval) => days <= DAYS_MAX[interval]);
}

/** The interval that shows a period best: not too many steps, and not too few. */
export function usualInterval(period: Period): Interval {
  const days = daysOf(period);
  return INTERVALS.find((interval) => days <= DAYS_USUAL[interval]) ?? "month";
}

/** The interval of the address if it can show the period; else the usual one. */
export function intervalOf(wanted: Interval | undefined, period: Period): Interval {
  return wanted !== undefined && intervalsFor(period).includes(wanted) ? wanted : usualInterval(period);
}

/** The same length of time, earlier (-1) or later (1): whole months stay whole months. */
export function moved(period: Period, direction: -1 | 1): Period {
  const { start, end } = spanOf(period);
  const months = monthsOf(period);
  if (months !== undefined) {
    return periodOfSpan({ start: addMonths(start, direction * months), end: addMonths(end, direction * months) });
  }
  const length = end - start;
  const other = { start: start + direction * length, end: end + direction * length };
  return isHour(period.from) || isHour(period.to)
    ? { from: hourOf(other.start), to: hourOf(other.end - 1) }
    : periodOfSpan(other);
}

/** Whether anything can have been posted in the period that follows. */
export function hasLater(period: Period, now: number): boolean {
  return spanOf(period).end <= now;
}

/** How many whole months of the calendar the period is; undefined if it is none. */
function monthsOf(period: Period): number | undefined {
  if (isHour(period.from) || isHour(period.to)) return undefined;
  const [start, end] = [new Date(spanOf(period).start), new Date(spanOf(period).end)];
  if (start.getUTCDate() !== 1 || end.getUTCDate() !== 1) return undefined;
  return (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
}

/** The start of a month so many months later. */
function addMonths(monthStart: number, months: number): number {
  const at = new Date(monthStart);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1);
}

export type PresetName = "days-7" | "days-30" | "days-90" | "days-365" | "this-month" | "last-month";

/** Periods that are often looked at, as they are now. */
export function presets(now: number): Readonly<Record<PresetName, Period>> {
  const { start } = spanOf({ from: dayOf(now), to: dayOf(now) });
  const month = addMonths(start, 0);
  return {
    "days-7": lastDays(7, now),
    "days-30": lastDays(30, now),
    "days-90": lastDays(90, now),
    "days-365": lastDays(365, now),
    "this-month": { from: dayOf(month), to: dayOf(now) },
    "last-month": periodOfSpan({ start: addMonths(month, -1), end: month }),
  };
}

/** The preset that a period is; undefined if it is another one. */
export function presetOf(period: Period, now: number): PresetName | undefined {
  const entries = Object.entries(presets(now)) as [PresetName, Period][];
  return entries.find(([, { from, to }]) => from === period.from && to === period.to)?.[0];
}

/** The later half of a period, for a server that needs too long for all of it; undefined if it cannot be halved. */
export function laterHalf(period: Period): Period | undefined {
  const { start, end } = spanOf(period);
  const unit = isHour(period.from) || isHour(period.to) || end - start < 2 * DAY_MS ? HOUR_MS : DAY_MS;
  const units = Math.floor((end - start) / unit);
  if (units < 2) return undefined;
  return periodOfSpan({ start: end - Math.floor(units / 2) * unit, end });
}

/** Whether the time of a step is not over: it may still get postings. */
export function isUnfinished({ end }: { readonly end: string | number }, now: number): boolean {
  return (typeof end === "number" ? end : Date.parse(end)) > now;
}

/** The period of one step or of several that follow each other, for a link to its postings. */
export function periodOfSteps(first: { readonly start: string }, last: { readonly end: string }): Period {
  return periodOfSpan({ start: Date.parse(first.start), end: Date.parse(last.end) });
}
