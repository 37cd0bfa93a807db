import type { Json } from "@hourglass/runtime";
import * as z from "zod";

/** When the newest video that was read was published, by search: another release may ask other ones. */
const newestSchema = z.record(z.string(), z.number());
const cursorSchema = z.object({ newest: newestSchema });
const tokenSchema = z.object({
  query: z.int().nonnegative(),
  next: z.string().nullable(),
  found: z.array(z.string()).nullable(),
  read: z.int().nonnegative(),
  oldest: z.number().nullable(),
  newest: newestSchema,
});

/** Which page of a poll comes next. */
export interface Position {
  /** Index of the search. */
  readonly query: number;
  /** YouTube's token of the page of the search; of the page after it, if there is `found`. */
  readonly next: string | null;
  /** Videos that a search found and that are not read yet; null: the search comes first. */
  readonly found: readonly string[] | null;
  /** Videos that this search has found in this poll. */
  readonly read: number;
  /** When the oldest of them was published, in milliseconds since the epoch. */
  readonly oldest: number | null;
  readonly newest: Readonly<Record<string, number>>;
}

const FIRST = { query: 0, next: null, found: null, read: 0, oldest: null };

/** The position of a page token, else the start of a poll. */
export function positionOf(pageToken: Json, cursor: Json): Position {
  return tokenSchema.safeParse(pageToken).data ?? { ...FIRST, newest: newestOf(cursor) };
}

/** Times of publication of the newest videos of the last complete poll, in milliseconds since the epoch. */
export function newestOf(cursor: Json): Readonly<Record<string, number>> {
  return cursorSchema.safeParse(cursor).data?.newest ?? {};
}

/** The beginning of a search of a poll. */
export function startOfSearch(query: number, newest: Position["newest"]): Position {
  return { ...FIRST, query, newest };
}

export function tokenOf({ found, newest, ...position }: Position): Json {
  return { ...position, found: found === null ? null : [...found], newest: { ...newest } };
}

export function cursorOf({ newest }: Pick<Position, "newest">): Json {
  return { newest: { ...newest } };
}
