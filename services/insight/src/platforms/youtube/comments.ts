import { HttpFailure, type Json } from "@hourglass/runtime";
import * as z from "zod";
import {
  type Connector,
  type Page,
  type PageRequest,
  type Plan,
  PlatformError,
  type PlatformSearch,
  type Rechecks,
} from "../connector.js";
import type { Count, PostingDraft } from "../posting-draft.js";
import { IDS_MAX, RESULTS_MAX, TERM_MS, type Thread, type YoutubeApi, type YoutubeVideo } from "./api.js";
import { commentToPosting, type KeptComments, refreshedComment } from "./posting.js";
import { searchesFor, warningsOf, type YoutubeSearch } from "./query.js";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** How far back the comments of a video that is found are read. */
const FIRST_LOOK_BACK_MS = 7 * DAY_MS;
/** After a longer pause a search resumes here. */
const LOOK_BACK_MS = 30 * DAY_MS;
/** Comments that YouTube holds for review appear late. */
const LATE_MS = HOUR_MS;
/** Pages of comments that make one page of postings. */
const TASKS_MAX = 10;
/** As many failures end a page: it is then rather YouTube that fails than one thread. */
const FAILURES_MAX = 2;
/** A list of comments that fails for longer is left out of the poll: by then, an outage would have passed. */
const PATIENCE_MS = 10 * 60_000;
const VIDEOS_MAX = 100;
const CLOSED_MAX = 200;

/** Comments on the videos that YouTube's search finds, and on those that earlier polls found. */
export class CommentsConnector implements Connector {
  readonly mode = "search";
  readonly lookBackMs = LOOK_BACK_MS;
  readonly intervalMinMs = HOUR_MS;
  readonly located = true;
  readonly rechecks: Rechecks = {
    idsMax: IDS_MAX,
    termMs: () => TERM_MS,
    lookUp: async (request) => {
      const { items, gone } = await this.api.lookUpComments(request);
      return { found: items.map(refreshedComment), gone };
    },
  };

  constructor(
    private readonly api: YoutubeApi,
    private readonly kept: KeptComments,
    private readonly now: () => number,
  ) {}

  plan(search: PlatformSearch): Plan {
    const { searchesPerDay, unitsPerDay } = this.api.settings;
    const searches = searchesFor(search);
    const { requests, narrowedLocally } = searches;
    const cost =
      `1 of ${searchesPerDay} searches a day per query, and 1 of ${unitsPerDay} units per 50 videos and per ` +
      "100 comments, for all insights";
    const queries = requests.map(({ label }) => label);
    return { queries, narrowedLocally, cost, warnings: warningsOf(searches, search) };
  }

  async fetchPage(request: PageRequest): Promise<Page> {
    request.signal.throwIfAborted();
    const searches = searchesFor(request.search);
    const { requests } = searches;
    if (requests.length === 0) {
      throw new PlatformError("permanent", "YouTube cannot be asked for any of these keywords.", { requests: 0 });
    }
    const searched = await this.search(requests, request);
    const batch = new Batch(this.api, { kept: this.kept, now: this.now }, searched.position);
    const error = await batch.read(request);
    if (error !== undefined && mustFail(searched, batch, request)) throw error;
    return {
      postings: batch.postings,
      skipped: searched.skipped + batch.skipped,
      requests: searched.requests + batch.requests,
      ...tokensOf(batch.position, requests.length),
      ...(batch.gaps.length > 0 && { gaps: batch.gaps }),
      warnings: [...warningsOf(searches, request.search), ...batch.warnings],
    };
  }

  async check(request: PageRequest): Promise<void> {
    await this.api.check(request);
  }

  /** Each page of a poll begins with the next search, as long as there is one. */
  private async search(searches: readonly YoutubeSearch[], request: PageRequest): Promise<Searched> {
    const begun = positionOf(request.pageToken, request.cursor);
    const next = searches[begun.query];
    if (next === undefined) return { position: begun, skipped: 0, requests: 0 };
    // Those that many people see have the comments; those that are new are not yet among them.
    const order = begun.polls % 2 === 0 ? "relevance" : "date";
    const { ids, skipped } = await this.api.search(
      { query: next.query, place: next.place, order, pageToken: null },
      request,
    );
    return { position: withFound(begun, ids), skipped, requests: 1 };
  }
}

interface Searched {
  readonly position: Position;
  readonly skipped: number;
  readonly requests: number;
}

/** What was read before a failure is kept, and so is what a search found; the next page meets the failure again. */
function mustFail(searched: Searched, batch: Batch, { search: { preview }, signal }: PageRequest): boolean {
  if (signal.aborted) return true;
  return preview ? batch.postings.length === 0 : searched.requests + batch.tasksDone === 0;
}

/**
 * Some tasks of a poll, done in their order until there are enough postings. One that fails is put off until the others are
 * done, and left out with a warning and a gap if it fails for good, so that one thread cannot end each poll.
 */
class Batch {
  readonly postings: PostingDraft[] = [];
  readonly warnings: string[] = [];
  readonly gaps: NonNullable<Page["gaps"]>[number][] = [];
  skipped = 0;
  requests = 0;
  tasksDone = 0;
  private readonly followUps: Task[] = [];
  private readonly putOff: Task[] = [];
  private failures = 0;

  constructor(
    private readonly api: YoutubeApi,
    private readonly options: { readonly kept: KeptComments; readonly now: () => number },
    private begun: Position,
  ) {}

  /** With what is left to do. */
  get position(): Position {
    return { ...this.begun, tasks: [...this.followUps, ...this.begun.tasks.slice(this.tasksDone), ...this.putOff] };
  }

  /** Does the next tasks. Returns what ended it early; never throws. */
  async read(request: PageRequest): Promise<Error | undefined> {
    try {
      await this.readTasks(request);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  private async readTasks(request: PageRequest): Promise<void> {
    const tasks = this.begun.tasks.slice(0, RESULTS_MAX);
    if (tasks.length === 0) return;
    const { items } = await this.api.videos([...new Set(tasks.map(({ video }) => video))], request);
    this.requests += 1;
    const videos = new Map(items.map((video) => [video.id, video]));
    let pages = 0;
    for (const task of tasks) {
      if (pages >= TASKS_MAX || this.postings.length >= request.limit) return;
      const video = videos.get(task.video);
      if (video !== undefined && !isUnchanged(task, video)) {
        await this.readTask(task, video, request).catch((error: unknown) => this.fail(task, error, request));
        pages += 1;
      } else if (video === undefined) this.begun = withoutVideo(this.begun, task.video);
      this.tasksDone += 1;
    }
  }

  /** Throws what is not about the task alone, and what has failed again too soon to be given up. */
  private fail(task: Task, error: unknown, { signal, since }: PageRequest): void {
    if (signal.aborted || !isOfOneTask(error)) throw error;
    const now = this.options.now();
    const { failedAt } = task;
    const isPermanent = error instanceof PlatformError && error.kind === "permanent";
    this.requests += error instanceof PlatformError ? error.requests : 1;
    this.failures += 1;
    if (!isPermanent && failedAt !== null && now - failedAt < PATIENCE_MS) throw error;
    if (isPermanent || failedAt !== null) {
      const what = task.parent === null ? "The comments on a video" : "The replies to a comment";
      this.warnings.push(`${what} (${task.parent ?? task.video}) could not be read. ${error.message}`);
      if (since < now) this.gaps.push({ from: since, to: now, reason: "outage" });
      // Without a count, the next poll reads the video again.
      this.begun = withCount(this.begun, task.video, undefined);
      return;
    }
    this.putOff.push({ ...task, failedAt: now });
    if (this.failures < FAILURES_MAX) return;
    this.tasksDone += 1;
    throw error;
  }

  private async readTask(due: Task, video: YoutubeVideo, request: PageRequest): Promise<void> {
    const task = { ...due, failedAt: null };
    const oldest = Math.min(request.since, request.startedAt - FIRST_LOOK_BACK_MS);
    // Older comments of videos that were followed before are known.
    const from = task.isKnown ? request.since - LATE_MS : oldest;
    const read = await (task.parent === null
      ? this.readThreads(task, { video, from, request })
      : this.readReplies({ ...task, parent: task.parent }, { video, from, request }));
    this.requests += 1;
    if (read === undefined) {
      this.begun = withClosed(this.begun, task.video);
      return;
    }
    this.skipped += read.skipped;
    this.postings.push(...read.postings.filter(({ postedAt }) => postedAt >= oldest));
    this.followUps.push(...read.followUps);
    this.begun = withCount(this.begun, task.video, numberOf(video.statistics?.commentCount));
  }

  /** Undefined if nothing can be read, now or later. */
  private async readThreads(task: Task, { video, from, request }: TaskAt): Promise<ReadTask | undefined> {
    const page = await this.api.threads({ id: task.video, pageToken: task.page }, request);
    if (page === undefined) return undefined;
    const { kept } = this.options;
    // A pinned comment comes first however old it is, so the last one decides.
    const isOver = (page.items.at(-1)?.comment.snippet.publishedAt ?? 0) < from;
    const more = page.next === null || isOver ? [] : [{ ...task, page: page.next }];
    const withMore = page.items.filter((thread) => hasMoreReplies(thread, from));
    return {
      postings: page.items.flatMap(({ comment, replyCount, replies }) => [
        commentToPosting(comment, { video, kept, replyCount }),
        ...replies.items.map((reply) => commentToPosting(reply, { video, kept, replyCount: undefined })),
      ]),
      skipped: page.items.reduce((sum, { replies }) => sum + replies.skipped, page.skipped),
      followUps: [...more, ...withMore.map(({ comment }) => ({ ...task, parent: comment.id, page: null }))],
    };
  }

  private async readReplies(task: Task & { parent: string }, { video, request }: TaskAt): Promise<ReadTask> {
    const page = await this.api.replies({ id: task.parent, pageToken: task.page }, request);
    const { kept } = this.options;
    return {
      postings: (page?.items ?? []).map((reply) => commentToPosting(reply, { video, kept, replyCount: undefined })),
      skipped: page?.skipped ?? 0,
      followUps: page?.next ? [{ ...task, page: page.next }] : [],
    };
  }
}

/** Whether a failure may be that of one list of comments, while others can be read. */
function isOfOneTask(error: unknown): error is PlatformError | HttpFailure {
  if (error instanceof PlatformError) return error.kind === "temporary" || error.kind === "permanent";
  return error instanceof HttpFailure;
}

interface TaskAt {
  readonly video: YoutubeVideo;
  /** Comments that are older were read by earlier polls, in milliseconds since the epoch. */
  readonly from: number;
  readonly request: PageRequest;
}

interface ReadTask {
  readonly postings: readonly PostingDraft[];
  readonly skipped: number;
  /** What is to be read further. */
  readonly followUps: readonly Task[];
}

/** Whether a video has no comments, or as many as when it was read last. */
function isUnchanged({ parent, page, count, isKnown }: Task, { statistics }: YoutubeVideo): boolean {
  if (parent !== null || page !== null) return false;
  const { commentCount } = statistics ?? {};
  return commentCount === 0 || (isKnown && commentCount !== undefined && commentCount === count);
}

function numberOf(count: Count | undefined): number | undefined {
  return count === undefined ? undefined : Number(count);
}

/** Whether a thread has replies that it does not contain and that may be unknown. */
function hasMoreReplies({ comment, replyCount = 0, replies }: Thread, from: number): boolean {
  const isNew = [comment, ...replies.items].some(({ snippet }) => snippet.publishedAt >= from);
  return isNew && replyCount > replies.items.length + replies.skipped;
}

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
  /** When it failed first in this poll, in milliseconds since the epoch; null: it has not. */
  failedAt: z.number().nullable().default(null),
});

const tokenSchema = z.object({
  query: z.int().nonnegative(),
  tasks: z.array(taskSchema),
  ...cursorSchema.shape,
});

/** One page of comments that is to be read. */
type Task = z.output<typeof taskSchema>;

/** How far a poll is. */
type Position = z.output<typeof tokenSchema>;

/** The position of a page token, else the start of a poll. A poll reads the videos that it follows, and those that it finds. */
function positionOf(pageToken: Json, cursor: Json): Position {
  const token = tokenSchema.safeParse(pageToken).data;
  if (token !== undefined) return token;
  const begun = cursorSchema.safeParse(cursor).data ?? { polls: 0, videos: [], closed: [] };
  const tasks = begun.videos.map(([video, count]) => ({ ...wholeVideo(video), isKnown: true, count }));
  return { ...begun, query: 0, tasks };
}

/** The task to read a video that was not followed before. */
function wholeVideo(video: string): Task {
  return { video, parent: null, page: null, isKnown: false, count: null, failedAt: null };
}

/** The position with these videos found. */
function withFound(position: Position, ids: readonly string[]): Position {
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
function withCount(position: Position, video: string, count: number | undefined): Position {
  const videos = position.videos.map(([id, known]): Position["videos"][number] => [
    id,
    id === video ? (count ?? null) : known,
  ]);
  return { ...position, videos };
}

/** The position without a video that is gone. */
function withoutVideo(position: Position, video: string): Position {
  return { ...position, videos: position.videos.filter(([id]) => id !== video) };
}

/** The position without a video of which nothing can be read, now or later. */
function withClosed(position: Position, video: string): Position {
  const closed = [video, ...position.closed].slice(0, CLOSED_MAX);
  return { ...withoutVideo(position, video), closed };
}

/** The next page of a poll of that many queries, or its end. */
function tokensOf(position: Position, queries: number): { nextPage: Json; cursor: Json } {
  const { polls, videos, closed, tasks, query } = position;
  const cursor = { polls: polls + 1, videos: videos.slice(0, VIDEOS_MAX), closed };
  return { nextPage: tasks.length === 0 && query >= queries ? null : position, cursor };
}
