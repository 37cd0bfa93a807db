import * as z from "zod";
import { demoMark, maybe, maybeCount, maybeNumber, readEach, type ReadItems, statedTime } from "../../schemas.js";
import { type Asking, askYoutube, type YoutubeDeps } from "../../youtube/asking/ask-youtube.js";

const COMMENTS_MAX = 100;
/** Nothing can be read there, and that will hardly change. */
const CLOSED = ["commentsDisabled", "videoNotFound", "forbidden", "commentNotFound", "parentCommentNotFound"];

const text = z.string();

const commentSchema = z.object({
  id: text.regex(/^[\w.-]{1,200}$/),
  snippet: z.object({
    publishedAt: statedTime,
    updatedAt: maybe(text),
    textOriginal: maybe(text),
    textDisplay: maybe(text),
    authorDisplayName: maybe(text),
    authorChannelId: maybe(z.object({ value: text })),
    likeCount: maybeCount,
    parentId: maybe(text),
  }),
  demo: demoMark,
});

const threadSchema = z.object({
  snippet: z.object({ topLevelComment: commentSchema, totalReplyCount: maybeNumber }),
  replies: maybe(z.object({ comments: z.unknown() })),
});

/** A comment as YouTube states it. */
export type YoutubeComment = z.output<typeof commentSchema>;

/** A comment and the newest of its answers. */
export interface Thread {
  readonly comment: YoutubeComment;
  /** How many answers there are; undefined if YouTube does not say. */
  readonly replyCount: number | undefined;
  readonly replies: ReadItems<YoutubeComment>;
}

/** One page of a list. */
export interface CommentPage<T> extends ReadItems<T> {
  readonly next: string | null;
}

interface PageOf {
  readonly id: string;
  readonly pageToken: string | null;
}

/** Threads of a video, newest first; undefined if it has none to read, for good. Throws as `askYoutube`. */
export async function listThreads(
  deps: YoutubeDeps,
  { id, pageToken }: PageOf,
  asking: Asking,
): Promise<CommentPage<Thread> | undefined> {
  const parameters = { part: "snippet,replies", videoId: id, order: "time", ...paging(pageToken) };
  const list = await askYoutube(deps, { method: "commentThreads", parameters, tolerated: CLOSED }, asking);
  return list && { ...readEach(list.items, readThread), next: list.nextPageToken ?? null };
}

/** Answers to a comment; undefined if it is gone. Throws as `askYoutube`. */
export async function listReplies(
  deps: YoutubeDeps,
  { id, pageToken }: PageOf,
  asking: Asking,
): Promise<CommentPage<YoutubeComment> | undefined> {
  const parameters = { part: "snippet", parentId: id, ...paging(pageToken) };
  const list = await askYoutube(deps, { method: "comments", parameters, tolerated: CLOSED }, asking);
  return list && { ...readEach(list.items, readComment), next: list.nextPageToken ?? null };
}

function paging(pageToken: string | null): Record<string, string> {
  return {
    maxResults: String(COMMENTS_MAX),
    textFormat: "plainText",
    ...(pageToken !== null && { pageToken }),
  };
}

/** Undefined for a comment without id or time. */
export function readComment(item: unknown): YoutubeComment | undefined {
  return commentSchema.safeParse(item).data;
}

function readThread(item: unknown): Thread | undefined {
  const thread = threadSchema.safeParse(item).data;
  if (thread === undefined) return undefined;
  const { topLevelComment: comment, totalReplyCount: replyCount } = thread.snippet;
  return { comment, replyCount, replies: readEach(thread.replies?.comments, readComment) };
}
