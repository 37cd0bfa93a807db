import type { Json } from "@hourglass/runtime";
import * as z from "zod";

const tokenSchema = z.object({
  query: z.int().nonnegative(),
  cursor: z.int().nonnegative(),
  searchId: z.string().nullable(),
  from: z.string(),
  to: z.string(),
});

/** Which page of a poll comes next. */
export interface Position {
  /** Index of the query. */
  readonly query: number;
  readonly cursor: number;
  /** TikTok's id of the search; null before its first page. */
  readonly searchId: string | null;
  /** First and last day, both inclusive, such as `20261122`. */
  readonly from: string;
  readonly to: string;
}

/** Undefined before the first page of a poll. */
export function positionOf(pageToken: Json): Position | undefined {
  return tokenSchema.safeParse(pageToken).data;
}

/** A day of UTC as TikTok writes it. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, "2026-11-22".length).replaceAll("-", "");
}
