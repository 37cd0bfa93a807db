import { wrong, type Read } from "./reader.js";

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

/** The cursor of the next page, null on the last one. */
export function fromCursor(cursor: string): string | null {
  return cursor === "" ? null : cursor;
}
