import type { Json } from "@hourglass/runtime";
import * as z from "zod";

/** By source, until when it has been read, in milliseconds since the epoch. */
const readSchema = z.record(z.string(), z.number());
const cursorSchema = z.object({ since: z.number(), read: readSchema });

const problemSchema = z.object({
  kind: z.enum(["permanent", "budget"]),
  message: z.string(),
  retryAt: z.number().nullable(),
  isForbidden: z.boolean(),
  /** Sources that have such a problem. */
  count: z.int(),
});

const positionSchema = z.object({
  since: z.number(),
  read: readSchema,
  /** Key of the source; null: the first one. */
  source: z.string().nullable(),
  after: z.string().nullable(),
  /** Pages of this source that were read. */
  pages: z.int(),
  /** Digest of the last page, to notice pages that lead to themselves. */
  last: z.string().nullable(),
  /** When the first page of this source was asked for. */
  startedAt: z.number(),
  /** Whether a source of this poll could be read. */
  isRead: z.boolean(),
  problem: problemSchema.nullable(),
});

/** Which page of a poll comes next, and what the poll has met so far. */
export type Position = Readonly<z.output<typeof positionSchema>>;
/** The first problem of a source, and how many have one. */
export type Problem = Readonly<z.output<typeof problemSchema>>;

/** Where a poll begins, or goes on. `since`: the oldest time that the first poll wants. */
export function positionOf(pageToken: Json, cursor: Json, since: number): Position {
  const known = positionSchema.safeParse(pageToken).data;
  if (known !== undefined) return known;
  const kept = cursorSchema.safeParse(cursor).data ?? { since, read: {} };
  return { ...kept, ...START, startedAt: 0, isRead: false, problem: null, source: null };
}

const START = { after: null, pages: 0, last: null };

/** The first page of a source. */
export function beginSource(position: Position, source: string): Position {
  return { ...position, ...START, source };
}

export function tokenOf(position: Position): Json {
  return { ...position, read: { ...position.read }, problem: position.problem && { ...position.problem } };
}

export function cursorOf({ since, read }: Pick<Position, "since" | "read">): Json {
  return { since, read: { ...read } };
}
