import { calendarDate, wrong, type Moment, type ObjectReader, type Read } from "@hourglass/runtime/json";

/** The requested part of a list; the rules are in proto/. */
export interface PageQuery {
  limit?: number;
  cursor?: string;
}

/** A whole number in a query string. */
export const wholeNumber: Read<number> = (value, path, violations) =>
  typeof value === "string" && /^\d{1,9}$/.test(value)
    ? Number(value)
    : wrong(violations, path, "Give a whole number.");

/** Returns the id that a text spells, or undefined if it spells none. */
export function parseId(text: string): bigint | undefined {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? BigInt(text) : undefined;
}

/** A switch in a query string. */
export const flag: Read<boolean> = (value, path, violations) =>
  value === "true" || value === "false" ? value === "true" : wrong(violations, path, "Give true or false.");

/** A span of time; each end may be open. */
export interface Span {
  start?: Moment;
  end?: Moment;
}

/** Reads `start_date`, inclusive, and `end_date`, exclusive, both from 00:00 UTC. */
export function readSpan(query: ObjectReader): Span {
  const start = query.optional("start_date", calendarDate);
  const end = query.optional("end_date", calendarDate);
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}

/** The cursor of the next page, null on the last one. */
export function fromCursor(cursor: string): string | null {
  return cursor === "" ? null : cursor;
}
