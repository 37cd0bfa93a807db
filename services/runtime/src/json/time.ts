import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { wrong, type Read } from "./reader.js";

/** A moment in the form from which a message is built. */
export interface Moment {
  seconds: bigint;
  nanos: number;
}

/** Returns a moment in ISO 8601, or null if there is none. */
export function toIso(moment: Timestamp | undefined): string | null {
  return moment === undefined ? null : toDate(moment).toISOString();
}

/** Returns a moment as a JavaScript Date. */
export function toDate(moment: Timestamp): Date {
  return new Date(Number(moment.seconds) * 1000 + Math.floor(moment.nanos / 1_000_000));
}

/** A date `YYYY-MM-DD`: its first moment in UTC. */
export const calendarDate: Read<Moment> = (value, path, violations) => {
  const date = typeof value === "string" ? /^(\d{4})-(\d\d)-(\d\d)$/.exec(value) : null;
  const moment = date === null ? undefined : momentOf([Number(date[1]), Number(date[2]), Number(date[3])], [0, 0, 0]);
  return moment ?? wrong(violations, path, "Give a calendar date such as 2026-01-31.");
};

/** Returns the moment of a date (year, month, day) and a time of day in UTC, if both are valid. */
export function momentOf(
  [year, month, day]: readonly [number, number, number],
  [hours, minutes, seconds]: readonly [number, number, number],
): Moment | undefined {
  const date = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds));
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!exists || hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return { seconds: BigInt(date.getTime() / 1000), nanos: 0 };
}
