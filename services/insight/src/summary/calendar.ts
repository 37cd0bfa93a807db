import { DAY_MS, HOUR_MS, type Span } from "./periods.js";

/** Length of the steps of a series. */
export type Interval = "hour" | "day" | "week" | "month";

interface CalendarDate {
  year: number;
  /** 1 to 12. */
  month: number;
  /** 1 to 31; others are days of the months before or after. */
  day: number;
}

export const UTC = "UTC";

/** Days, weeks and months of a time zone. Times are milliseconds since the epoch. */
export class Calendar {
  private readonly format: Intl.DateTimeFormat;

  /** Throws RangeError for an unknown zone. */
  constructor(readonly zone: string = UTC) {
    this.format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  }

  /** When a date such as `2026-01-31` begins. */
  startOf(date: string): number {
    const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
    return this.begins({ year, month, day });
  }

  /** When the day ends in which a time lies. */
  endOfDay(time: number): number {
    const date = this.dateOf(time);
    return this.begins({ ...date, day: date.day + 1 });
  }

  /** The steps of a series, in order; the first and the last one are cut to the span. Weeks begin on Mondays. */
  stepsOf({ start, end }: Span, interval: Interval): Span[] {
    const steps: Span[] = [];
    for (let at = start; at < end;) {
      const next = Math.min(end, this.nextStep(at, interval));
      steps.push({ start: at, end: next });
      at = next;
    }
    return steps;
  }

  private nextStep(time: number, interval: Interval): number {
    if (interval === "hour") return Math.floor(time / HOUR_MS) * HOUR_MS + HOUR_MS;
    const date = this.dateOf(time);
    if (interval === "month") return this.begins({ ...date, month: date.month + 1, day: 1 });
    if (interval === "day") return this.begins({ ...date, day: date.day + 1 });
    const sinceMonday = (new Date(utc(date)).getUTCDay() + 6) % 7;
    return this.begins({ ...date, day: date.day + 7 - sinceMonday });
  }

  private dateOf(time: number): CalendarDate {
    const local = new Date(time + this.offsetAt(time));
    return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
  }

  /** The first moment of a date; where clocks are put forward at midnight, that is later than 00:00. */
  private begins(date: CalendarDate): number {
    const midnight = utc(date);
    if (this.zone === UTC) return midnight;
    const [before, after] = [this.offsetAt(midnight - DAY_MS), this.offsetAt(midnight + DAY_MS)];
    const candidates = [midnight - before, midnight - after].sort((one, other) => one - other);
    return candidates.find((time) => time + this.offsetAt(time) >= midnight) ?? midnight - after;
  }

  /** By how much the clocks of the zone are ahead of UTC. */
  private offsetAt(time: number): number {
    if (this.zone === UTC) return 0;
    const second = Math.floor(time / 1000) * 1000;
    const parts = new Map(this.format.formatToParts(second).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const date = utc({ year: of("year"), month: of("month"), day: of("day") });
    return date + ((of("hour") * 60 + of("minute")) * 60 + of("second")) * 1000 - second;
  }
}

function utc({ year, month, day }: CalendarDate): number {
  // `Date.UTC` takes the years 0 to 99 for those of the last century.
  return new Date(0).setUTCFullYear(year, month - 1, day);
}
