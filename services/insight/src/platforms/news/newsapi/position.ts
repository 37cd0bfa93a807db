import type { Json } from "@hourglass/runtime";
import * as z from "zod";
import { maybe } from "../../schemas.js";

/** Time of the newest article that was read, by query: another release may ask other ones. */
const newestSchema = z.record(z.string(), z.number());
const cursorSchema = z.object({ newest: newestSchema });
const tokenSchema = z.object({
  query: z.int().nonnegative(),
  page: z.int().positive(),
  from: z.number(),
  to: z.number(),
  newest: newestSchema,
  oldest: maybe(z.number()),
  before: maybe(z.string()),
  size: maybe(z.int().positive()),
});

/** Which page of a poll comes next. Times are milliseconds since the epoch. */
export interface Position {
  /** Index of the query. */
  readonly query: number;
  /** From 1. */
  readonly page: number;
  /** Times of publication that this query is asked for; fixed with its first page, so that later pages do not move. */
  readonly span: { readonly from: number; readonly to: number } | undefined;
  readonly newest: Readonly<Record<string, number>>;
  /** Time of the oldest article that the pages before had. */
  readonly oldest?: number | undefined;
  /** Digest of the page before. */
  readonly before?: string | undefined;
  /** Articles of the first page: NewsAPI may return fewer than it is asked for. */
  readonly size?: number | undefined;
}

/** The position of a page token, else the start of a poll. */
export function positionOf(pageToken: Json, cursor: Json): Position {
  const token = tokenSchema.safeParse(pageToken).data;
  if (token !== undefined) {
    const { from, to, ...position } = token;
    return { ...position, span: from < to ? { from, to } : undefined };
  }
  return { query: 0, page: 1, span: undefined, newest: cursorSchema.safeParse(cursor).data?.newest ?? {} };
}

export function tokenOf({ query, page, span, newest, oldest, before, size }: Position): Json {
  return {
    query,
    page,
    from: span?.from ?? 0,
    to: span?.to ?? 0,
    newest: { ...newest },
    ...(oldest === undefined ? {} : { oldest }),
    ...(before === undefined ? {} : { before }),
    ...(size === undefined ? {} : { size }),
  };
}

/** What the next poll needs: the queries that are asked no more are forgotten. */
export function cursorOf(newest: Readonly<Record<string, number>>, queries: readonly string[]): Json {
  return { newest: Object.fromEntries(Object.entries(newest).filter(([query]) => queries.includes(query))) };
}
