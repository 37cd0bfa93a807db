import type { Timestamp } from "@bufbuild/protobuf/wkt";

/** Returns a moment in ISO 8601, or null when there is none. */
export function toIso(moment: Timestamp | undefined): string | null {
  return moment === undefined ? null : toDate(moment).toISOString();
}

/** Returns a moment as a date of the platform. */
export function toDate(moment: Timestamp): Date {
  return new Date(Number(moment.seconds) * 1000 + Math.floor(moment.nanos / 1_000_000));
}
