import type { PostingDraft } from "../../posting-draft.js";
import type { Asking, YoutubeDeps } from "../../youtube/asking/ask-youtube.js";
import type { YoutubeVideo } from "../../youtube/asking/list-videos.js";
import type { KeptComments } from "../config.js";
import type { Task } from "../position.js";
import { toPosting } from "../posting/to-posting.js";
import { listReplies, listThreads, type Thread } from "../asking/list-comments.js";

/** How a task is read. */
export interface Reading {
  readonly video: YoutubeVideo;
  readonly kept: KeptComments;
  /** Comments that are older were read by earlier polls, in milliseconds since the epoch. */
  readonly from: number;
}

export interface ReadTask {
  readonly postings: readonly PostingDraft[];
  readonly skipped: number;
  /** What is to be read further. */
  readonly followUps: readonly Task[];
  /** Whether nothing can be read, now or later. */
  readonly isClosed: boolean;
}

const CLOSED: ReadTask = { postings: [], skipped: 0, followUps: [], isClosed: true };

/** Reads one page of comments. Throws as `askYoutube`. */
export function readTask(deps: YoutubeDeps, task: Task, reading: Reading, asking: Asking): Promise<ReadTask> {
  return task.parent === null
    ? readThreads(deps, task, reading, asking)
    : readReplies(deps, { ...task, parent: task.parent }, reading, asking);
}

async function readThreads(deps: YoutubeDeps, task: Task, reading: Reading, asking: Asking): Promise<ReadTask> {
  const { video, kept, from } = reading;
  const page = await listThreads(deps, { id: task.video, pageToken: task.page }, asking);
  if (page === undefined) return CLOSED;
  // A pinned comment comes first however old it is, so the last one decides.
  const isOver = (page.items.at(-1)?.comment.snippet.publishedAt ?? 0) < from;
  const more = page.next === null || isOver ? [] : [{ ...task, page: page.next }];
  const answered = page.items.filter((thread) => hasMore(thread, from));
  return {
    postings: page.items.flatMap(({ comment, replyCount, replies }) => [
      toPosting(comment, { video, kept, replyCount }),
      ...replies.items.map((reply) => toPosting(reply, { video, kept, replyCount: undefined })),
    ]),
    skipped: page.items.reduce((sum, { replies }) => sum + replies.skipped, page.skipped),
    followUps: [...more, ...answered.map(({ comment }) => ({ ...task, parent: comment.id, page: null }))],
    isClosed: false,
  };
}

/** Whether a thread has answers that do not stand in it and may not be known. */
function hasMore({ comment, replyCount = 0, replies }: Thread, from: number): boolean {
  const isNew = [comment, ...replies.items].some(({ snippet }) => snippet.publishedAt >= from);
  return isNew && replyCount > replies.items.length + replies.skipped;
}

async function readReplies(
  deps: YoutubeDeps,
  task: Task & { parent: string },
  { video, kept }: Reading,
  asking: Asking,
): Promise<ReadTask> {
  const page = await listReplies(deps, { id: task.parent, pageToken: task.page }, asking);
  return {
    postings: (page?.items ?? []).map((reply) => toPosting(reply, { video, kept, replyCount: undefined })),
    skipped: page?.skipped ?? 0,
    followUps: page?.next ? [{ ...task, page: page.next }] : [],
    isClosed: false,
  };
}
