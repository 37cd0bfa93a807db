import type { Json } from "@hourglass/runtime";
import * as z from "zod";

/** The newest post that was read, by query: the query is the key, because another release may ask other ones. */
const newestSchema = z.record(z.string(), z.string());
const cursorSchema = z.object({ newest: newestSchema });
const tokenSchema = z.object({ query: z.int().nonnegative(), next: z.string().nullable(), newest: newestSchema });

/** Which page of a poll comes next. */
export interface Position {
  /** Index of the query. */
  readonly query: number;
  readonly next: string | null;
  readonly newest: Readonly<Record<string, string>>;
}

/** The position of a page token, else the start of a poll. */
export function positionOf(pageToken: Json, cursor: Json): Position {
  return tokenSchema.safeParse(pageToken).data ?? { query: 0, next: null, newest: newestOf(cursor) };
}

/** The newest posts of the last complete poll. */
export function newestOf(cursor: Json): Readonly<Record<string, string>> {
  return cursorSchema.safeParse(cursor).data?.newest ?? {};
}

export function tokenOf({ query, next, newest }: Position): Json {
  return { query, next, newest: { ...newest } };
}

export function cursorOf({ newest }: Pick<Position, "newest">): Json {
  return { newest: { ...newest } };
}

/** The newer of two ids of X, which grow with time. */
export function newerId(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return BigInt(a) > BigInt(b) ? a : b;
}

/** The time at which X's ids begin. */
const EPOCH_MS = 1_288_834_974_657n;

/** The time that an id of X holds, in milliseconds since the epoch. */
export function timeOfId(id: string): number {
  return Number((BigInt(id) >> 22n) + EPOCH_MS);
}
