import type { Json } from "@hourglass/runtime";
import * as z from "zod";
import { keyOf, type Stream } from "./stream.js";

/** The time of the newest posting that was read, in milliseconds since the epoch, by stream. */
const newestSchema = z.record(z.string(), z.number());
const cursorSchema = z.object({ newest: newestSchema });
const streamSchema = z.object({ kind: z.enum(["search", "submissions", "comments"]), of: z.string() });
const tokenSchema = z.object({
  todo: z.array(streamSchema).min(1),
  after: z.string().nullable(),
  read: z.int().nonnegative(),
  newest: newestSchema,
});

/** Which page of a poll comes next. */
export interface Position {
  /** The stream of the page, and those after it. */
  readonly todo: readonly Stream[];
  /** Fullname of the last thing of the page before; null: the first page of the stream. */
  readonly after: string | null;
  /** How many things the pages of the stream before this one had. */
  readonly read: number;
  readonly newest: Readonly<Record<string, number>>;
}

/** The position of a page token, else the start of a poll. */
export function positionOf(pageToken: Json, cursor: Json, streams: readonly Stream[]): Position {
  const token = tokenSchema.safeParse(pageToken).data;
  if (token !== undefined) return token;
  const known = newestOf(cursor) ?? {};
  const kept = streams.map(keyOf).flatMap((key) => (known[key] === undefined ? [] : [[key, known[key]] as const]));
  return { todo: streams, after: null, read: 0, newest: Object.fromEntries(kept) };
}

/** The newest postings of the last complete poll; undefined before the first one. */
export function newestOf(cursor: Json): Readonly<Record<string, number>> | undefined {
  return cursorSchema.safeParse(cursor).data?.newest;
}

/** The token of the next page, null after the last stream, and where the next poll starts. */
export function toJson({ todo, after, read, newest }: Position): { nextPage: Json; cursor: Json } {
  const streams = todo.map(({ kind, of }) => ({ kind, of }));
  return {
    nextPage: todo.length === 0 ? null : { todo: streams, after, read, newest: { ...newest } },
    cursor: { newest: { ...newest } },
  };
}
