const MINUTE_MS = 60_000;
/** Time zones change their offset at quarters of an hour at most. */
const QUARTER_MS = 15 * MINUTE_MS;

/** Whether it is a time zone of IANA, such as `Europe/Lisbon`. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** The local time of a zone. Throws RangeError for a zone that there is not. */
export class LocalTime {
  private readonly format: Intl.DateTimeFormat;
  private known = { quarter: NaN, east: 0 };

  constructor(zone: string) {
    const parts = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const;
    const fixed = { calendar: "gregory", numberingSystem: "latn", hourCycle: "h23", era: "short" } as const;
    this.format = new Intl.DateTimeFormat("en-US", { timeZone: zone, second: "numeric", ...parts, ...fixed });
  }

  /**
   * The moment at which clocks of the zone show a time, which is given as if the zone were UTC; both in milliseconds since
   * the epoch. The first one of two; where clocks skip the time, as much later as they skip.
   */
  toUtc(local: number): number {
    const before = local - this.eastOf(local - 24 * 60 * MINUTE_MS);
    if (this.eastOf(before) === local - before) return before;
    const after = local - this.eastOf(local + 24 * 60 * MINUTE_MS);
    return this.eastOf(after) === local - after ? after : before;
  }

  /** By how much the clocks are ahead of UTC at a moment, in milliseconds. */
  private eastOf(moment: number): number {
    const quarter = Math.floor(moment / QUARTER_MS);
    if (this.known.quarter !== quarter) {
      const at = quarter * QUARTER_MS;
      this.known = { quarter, east: this.shownAt(at) - at };
    }
    return this.known.east;
  }

  private shownAt(moment: number): number {
    const shown = Object.fromEntries(this.format.formatToParts(moment).map(({ type, value }) => [type, value]));
    const number = (type: Intl.DateTimeFormatPartTypes) => Number(shown[type]);
    const clock = [number("hour"), number("minute"), number("second")] as const;
    return Date.UTC(number("year"), number("month") - 1, number("day"), ...clock);
  }
}
