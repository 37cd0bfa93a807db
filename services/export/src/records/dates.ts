const DAY_MS = 24 * 60 * 60_000;

/** Start of a date `YYYY-MM-DD` in UTC, in milliseconds since the epoch. */
export function startOfDate(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/** Days from one date to another; NaN if one is not a date. */
export function daysBetween(start: string, end: string): number {
  return (startOfDate(end) - startOfDate(start)) / DAY_MS;
}

/** When something expires after a number of days; null if that is 0, which means never. */
export function expiryOf(from: number, days: number): number | null {
  return days === 0 ? null : from + days * DAY_MS;
}
