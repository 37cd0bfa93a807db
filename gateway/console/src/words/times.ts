import { serverNow } from "../data/clock.js";

/** The reader's own order of day and month. */
const READER = typeof navigator === "undefined" ? "en" : navigator.language;

const dayFormat = new Intl.DateTimeFormat(READER, { timeZone: "UTC", day: "numeric", month: "short" });
const dayAndYear = new Intl.DateTimeFormat(READER, {
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  year: "numeric",
});
const monthFormat = new Intl.DateTimeFormat(READER, { timeZone: "UTC", month: "short", year: "numeric" });
const utcHours = new Intl.DateTimeFormat(READER, {
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const utcHour = new Intl.DateTimeFormat(READER, {
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});
const DAY_MS = 86_400_000;
const localTime = new Intl.DateTimeFormat(READER, { dateStyle: "medium", timeStyle: "short" });
const zonedTime = new Intl.DateTimeFormat(READER, {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});
const localClock = new Intl.DateTimeFormat(READER, { timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** A day in UTC, as series have them: 24 Nov. */
export function day(at: Date): string {
  return dayFormat.format(at);
}

/** A day in UTC with its year. */
export function fullDay(at: Date): string {
  return dayAndYear.format(at);
}

/** A month in UTC with its year. */
export function month(at: Date): string {
  return monthFormat.format(at);
}

/** A moment in the reader's own time zone, for single records. */
export function moment(at: Date | string): string {
  return localTime.format(new Date(at));
}

/** A moment in the reader's own time zone, which is named. */
export function exactMoment(at: Date): string {
  return zonedTime.format(at);
}

/** The time of day of a moment, in the reader's own time zone. */
export function clock(at: Date | string): string {
  return localClock.format(new Date(at));
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 30],
  ["month", 12],
  ["year", Infinity],
];

/** How long ago, or in how long: "5 minutes ago". */
export function ago(at: Date | string, now = serverNow()): string {
  let value = (new Date(at).getTime() - now) / 1000;
  for (const [unit, most] of STEPS) {
    if (Math.abs(value) < most) return relative.format(Math.round(value), unit);
    value /= most;
  }
  return relative.format(Math.round(value), "year");
}

/** A length of time: 1:05, 1:02:03. */
export function duration(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [first = 0, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
  return [String(first), ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
}

/** A period of days or hours in UTC, both ends included: 27 Oct – 26 Nov 2026; 24 Nov 2026, 14:00–15:00. */
export function period(start: number, end: number): string {
  const isDays = start % DAY_MS === 0 && end % DAY_MS === 0;
  if (isDays) return dayAndYear.formatRange(start, end - 1);
  return utcHours.formatRange(start, end);
}

/** A day and the hour at which a step begins, in UTC: 24 Nov, 14:00. */
export function hour(at: Date): string {
  return utcHour.format(at);
}
