import type { PageRequest } from "../../connector.js";
import type { Count, PostingDraft } from "../../posting-draft.js";
import { RESULTS_MAX } from "../../youtube/asking/search-videos.js";
import { listVideos, type YoutubeVideo } from "../../youtube/asking/list-videos.js";
import type { CommentsDeps } from "../comments-deps.js";
import { type Position, type Task, withClosed, withCount, withoutVideo } from "../position.js";
import { readTask } from "./read-task.js";

/** Pages of comments that make one page of postings. */
const TASKS_MAX = 10;

/** What of the comments is wanted. */
export interface Wanted {
  /** Oldest time of posting that is wanted, in milliseconds since the epoch. */
  readonly oldest: number;
  /** Older comments of videos that were followed before are known. */
  readonly unread: number;
  readonly request: Pick<PageRequest, "search" | "signal" | "limit">;
}

/** Some tasks of a poll, done in their order until there are enough postings, or one fails. */
export interface Batch {
  readonly postings: readonly PostingDraft[];
  readonly skipped: number;
  readonly requests: number;
  readonly tasksDone: number;
  /** With what is left to do. */
  readonly position: Position;
  /** What ended the batch early. */
  readonly error?: Error;
}

/** Does the next tasks of a poll. Never throws. */
export async function readBatch(deps: CommentsDeps, begun: Position, wanted: Wanted): Promise<Batch> {
  const state = new BatchState(begun);
  try {
    await doTasks(deps, state, wanted);
    return state.batch();
  } catch (error) {
    return { ...state.batch(), error: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** What of a batch is done. */
class BatchState {
  readonly postings: PostingDraft[] = [];
  readonly followUps: Task[] = [];
  skipped = 0;
  requests = 0;
  tasksDone = 0;

  constructor(public position: Position) {}

  batch(): Batch {
    const { postings, skipped, requests, tasksDone, position, followUps } = this;
    const tasks = [...followUps, ...position.tasks.slice(tasksDone)];
    return { postings, skipped, requests, tasksDone, position: { ...position, tasks } };
  }
}

async function doTasks(deps: CommentsDeps, state: BatchState, wanted: Wanted): Promise<void> {
  const { tasks } = state.position;
  if (tasks.length === 0) return;
  const ids = [...new Set(tasks.slice(0, RESULTS_MAX).map(({ video }) => video))];
  const { items } = await listVideos(deps, ids, wanted.request);
  state.requests += 1;
  const videos = new Map(items.map((video) => [video.id, video]));
  let pages = 0;
  for (const task of tasks.slice(0, RESULTS_MAX)) {
    if (pages >= TASKS_MAX || state.postings.length >= wanted.request.limit) return;
    const video = videos.get(task.video);
    if (video !== undefined && !isUnchanged(task, video)) {
      await doTask(deps, state, { task, video, wanted });
      pages += 1;
    } else if (video === undefined) state.position = withoutVideo(state.position, task.video);
    state.tasksDone += 1;
  }
}

/** Whether a video has no comments, or as many as when it was read last. */
function isUnchanged({ parent, page, count, isKnown }: Task, { statistics }: YoutubeVideo): boolean {
  if (parent !== null || page !== null) return false;
  const { commentCount } = statistics ?? {};
  return commentCount === 0 || (isKnown && commentCount !== undefined && commentCount === count);
}

async function doTask(
  deps: CommentsDeps,
  state: BatchState,
  { task, video, wanted }: { task: Task; video: YoutubeVideo; wanted: Wanted },
): Promise<void> {
  const { oldest, unread, request } = wanted;
  const from = task.isKnown ? unread : oldest;
  const read = await readTask(deps, task, { video, kept: deps.kept, from }, request);
  state.requests += 1;
  state.skipped += read.skipped;
  state.postings.push(...read.postings.filter(({ postedAt }) => postedAt >= oldest));
  state.followUps.push(...read.followUps);
  state.position = read.isClosed
    ? withClosed(state.position, task.video)
    : withCount(state.position, task.video, numberOf(video.statistics?.commentCount));
}

function numberOf(count: Count | undefined): number | undefined {
  return count === undefined ? undefined : Number(count);
}
