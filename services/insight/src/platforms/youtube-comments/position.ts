import type { Json } from "@hourglass/runtime";
import * as z from "zod";

/** Videos that are followed, those found last first, and how many comments each had when it was read last. */
const videosSchema = z.array(z.tuple([z.string(), z.int().nullable()]));
const closedSchema = z.array(z.string());
const cursorSchema = z.object({ polls: z.int().nonnegative(), videos: videosSchema, closed: closedSchema });

const taskSchema = z.object({
  video: z.string(),
  parent: z.string().nullable(),
  page: z.string().nullable(),
  isKnown: z.boolean(),
  count: z.int().nullable(),
});

const tokenSchema = z.object({
  query: z.int().nonnegative(),
  tasks: z.array(taskSchema),
  ...cursorSchema.shape,
});

const VIDEOS_MAX = 100;
const CLOSED_MAX = 200;

/** One page of comments that is to be read. */
export type Task = z.output<typeof taskSchema>;

/** How far a poll is. */
export type Position = z.output<typeof tokenSchema>;

/** The position of a page token, else the start of a poll. A poll reads the videos that it follows, and those that it finds. */
export function positionOf(pageToken: Json, cursor: Json): Position {
  const token = tokenSchema.safeParse(pageToken).data;
  if (token !== undefined) return token;
  const begun = cursorSchema.safeParse(cursor).data ?? { polls: 0, videos: [], closed: [] };
  const tasks = begun.videos.map(([video, count]) => ({ ...wholeVideo(video), isKnown: true, count }));
  return { ...begun, query: 0, tasks };
}

/** The task to read a video that was not followed before. */
export function wholeVideo(video: string): Task {
  return { video, parent: null, page: null, isKnown: false, count: null };
}

/** The position with these videos found. */
export function withFound(position: Position, ids: readonly string[]): Position {
  const open = ids.filter((id) => !position.closed.includes(id));
  const known = new Map(position.videos);
  const added = open.filter((id) => !known.has(id));
  const others = position.videos.filter(([id]) => !open.includes(id));
  return {
    ...position,
    query: position.query + 1,
    tasks: [...added.map(wholeVideo), ...position.tasks],
    videos: [...open.map((id): Position["videos"][number] => [id, known.get(id) ?? null]), ...others],
  };
}

/** The position with a video read that has so many comments. */
export function withCount(position: Position, video: string, count: number | undefined): Position {
  const videos = position.videos.map(([id, known]): Position["videos"][number] => [
    id,
    id === video ? (count ?? null) : known,
  ]);
  return { ...position, videos };
}

/** The position without a video that is gone. */
export function withoutVideo(position: Position, video: string): Position {
  return { ...position, videos: position.videos.filter(([id]) => id !== video) };
}

/** The position without a video of which nothing can be read, now or later. */
export function withClosed(position: Position, video: string): Position {
  const closed = [video, ...position.closed].slice(0, CLOSED_MAX);
  return { ...withoutVideo(position, video), closed };
}

/** The next page of a poll of that many queries, or its end. */
export function nextOf(position: Position, queries: number): { nextPage: Json; cursor: Json } {
  const { polls, videos, closed, tasks, query } = position;
  const cursor = { polls: polls + 1, videos: videos.slice(0, VIDEOS_MAX), closed };
  return { nextPage: tasks.length === 0 && query >= queries ? null : position, cursor };
}
