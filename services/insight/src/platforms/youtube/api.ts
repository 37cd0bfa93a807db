import * as z from "zod";
import { budgetWindow, PacedBudget, sendReserved } from "../budget.js";
import { type LookUpRequest, type PlatformDeps, PlatformError, type RequestContext } from "../connector.js";
import { errorOfStatus, fetchJson, type JsonResponse, retryAfterOf } from "../http-json.js";
import type { Place } from "../places.js";
import {
  demoMark,
  maybe,
  maybeCount,
  maybeList,
  maybeNumber,
  readEach,
  type ReadItems,
  statedTime,
} from "../schemas.js";

const SERVICE = "YouTube";
const CREDENTIAL = "YOUTUBE_API_KEY";
/** YouTube demands that what it states is asked for again, or deleted, within 30 days. */
export const TERM_MS = 30 * 24 * 60 * 60_000;
/** Ids of one request. */
export const IDS_MAX = 50;
/** All of a video that a posting holds. */
const VIDEO_PARTS = "snippet,statistics,contentDetails,recordingDetails,status";
/** Any video: whether there is one with this id makes no difference. */
const ANY_VIDEO = "AAAAAAAAAAA";

export interface YoutubeSettings {
  readonly baseUrl: string;
  readonly key: string;
  readonly searchesPerDay: number;
  readonly unitsPerDay: number;
}

/** One request to the Data API. */
interface ListRequest {
  readonly method: "search" | "videos" | "channels" | "commentThreads" | "comments";
  readonly parameters: Readonly<Record<string, string>>;
  /** Reasons of errors that mean only that there is nothing to read, such as `videoNotFound`. Default: none. */
  readonly tolerated?: readonly string[];
}

/**
 * YouTube's Data API with one key: its quotas belong to both platforms of YouTube, whose budgets have the same names in the
 * store. Methods throw PlatformError, also `budget`, or HttpFailure if there was no response.
 */
export class YoutubeApi {
  /** Calls of search.list, which have their own quota. */
  private readonly searches: PacedBudget;
  /** All other calls, of which each is one unit. */
  private readonly units: PacedBudget;

  constructor(
    private readonly deps: PlatformDeps,
    readonly settings: YoutubeSettings,
  ) {
    this.searches = new PacedBudget(deps, {
      name: "youtube.searches",
      limit: settings.searchesPerDay,
      period: "Pacific day",
      units: "searches of YouTube",
      setting: "YOUTUBE_SEARCHES_PER_DAY",
    });
    this.units = new PacedBudget(deps, {
      name: "youtube.units",
      limit: settings.unitsPerDay,
      period: "Pacific day",
      units: "units of YouTube",
      setting: "YOUTUBE_UNITS_PER_DAY",
    });
  }

  /** One page of a search. */
  async search(search: VideoSearch, context: RequestContext): Promise<FoundVideos> {
    const list = await this.list({ method: "search", parameters: parametersOf(search) }, context);
    const { items, skipped } = readEach(list?.items, (item) => resultSchema.safeParse(item).data?.id.videoId);
    // YouTube states a next page after empty ones, and each would cost a search.
    const next = items.length === 0 ? null : (list?.nextPageToken ?? null);
    return { ids: [...new Set(items)], skipped, next };
  }

  /** At most 50 videos by their ids; those that were deleted are missing. */
  async videos(ids: readonly string[], context: RequestContext): Promise<ReadItems<YoutubeVideo>> {
    const list = await this.list({ method: "videos", parameters: { part: VIDEO_PARTS, id: ids.join(",") } }, context);
    return readEach(list?.items, readVideo);
  }

  /** The handles of at most 50 channels by id, without `@`. */
  async handles(ids: readonly string[], context: RequestContext): Promise<ReadonlyMap<string, string>> {
    const parameters = { part: "snippet", id: ids.join(","), maxResults: String(CHANNELS_MAX) };
    const list = await this.list({ method: "channels", parameters }, context);
    const { items } = readEach(list?.items, (item) => channelSchema.safeParse(item).data);
    return new Map(
      items.flatMap(({ id, snippet: { customUrl } }) =>
        customUrl ? [[id, customUrl.replace(/^@/, "")] as const] : [],
      ),
    );
  }

  /** Threads of a video, newest first; undefined if it has none to read, for good. */
  async threads({ id, pageToken }: PageOf, context: RequestContext): Promise<CommentPage<Thread> | undefined> {
    const parameters = { part: "snippet,replies", videoId: id, order: "time", ...paging(pageToken) };
    const list = await this.list({ method: "commentThreads", parameters, tolerated: UNREADABLE }, context);
    return list && { ...readEach(list.items, readThread), next: list.nextPageToken ?? null };
  }

  /** Replies to a comment; undefined if it is gone. */
  async replies({ id, pageToken }: PageOf, context: RequestContext): Promise<CommentPage<YoutubeComment> | undefined> {
    const parameters = { part: "snippet", parentId: id, ...paging(pageToken) };
    const list = await this.list({ method: "comments", parameters, tolerated: UNREADABLE }, context);
    return list && { ...readEach(list.items, readComment), next: list.nextPageToken ?? null };
  }

  /** Stored videos by their ids, 50 for a unit. */
  lookUpVideos(request: LookUpRequest): Promise<FoundItems<YoutubeVideo>> {
    const id = /^[\w-]{1,64}$/;
    return this.lookUp({ method: "videos", parameters: { part: VIDEO_PARTS }, id, read: readVideo }, request);
  }

  /** Stored comments by their ids, 50 for a unit. */
  lookUpComments(request: LookUpRequest): Promise<FoundItems<YoutubeComment>> {
    const parameters = { part: "snippet", textFormat: "plainText" };
    return this.lookUp({ method: "comments", parameters, id: /^[\w.-]{1,200}$/, read: readComment }, request);
  }

  /** Learns for one unit whether the key is accepted. */
  async check(context: RequestContext): Promise<void> {
    await this.list({ method: "videos", parameters: { part: "id", id: ANY_VIDEO } }, context);
  }

  /** What YouTube has of the ids; those that were deleted or made private are missing in its response. */
  private async lookUp<T>(
    { method, parameters, id, read }: IdsRequest<T>,
    { ids, signal }: LookUpRequest,
  ): Promise<FoundItems<T>> {
    const sent = ids.filter((each) => id.test(each));
    if (sent.length === 0) return { items: [], gone: [] };
    const request = { method, parameters: { ...parameters, id: sent.join(",") } };
    const list = await this.list(request, { search: { preview: false }, signal });
    if (!Array.isArray(list?.items)) {
      throw new PlatformError("temporary", "YouTube returns no list of items. It will be retried.");
    }
    const items: readonly unknown[] = list.items;
    const shown = new Set(items.map(idOf));
    // An item without an id may be any of those that seem to be missing.
    const gone = shown.has(undefined) ? [] : sent.filter((each) => !shown.has(each));
    return { items: readEach(items, read).items, gone };
  }

  /** Fetches a list after its cost was reserved. Undefined for an error with a tolerated reason. */
  private async list(
    { method, parameters, tolerated = [] }: ListRequest,
    { search, signal }: RequestContext,
  ): Promise<YoutubeList | undefined> {
    const { http, now } = this.deps;
    const budget = method === "search" ? this.searches : this.units;
    const reservation = await budget.reserve(1, search);
    const url = new URL(`/youtube/v3/${method}`, this.settings.baseUrl);
    url.search = new URLSearchParams(parameters).toString();
    const headers = { "X-Goog-Api-Key": this.settings.key };
    const response = await sendReserved(reservation, () =>
      fetchJson(http, { url: url.href, headers, signal, service: SERVICE }),
    );
    // YouTube counts requests that it refuses, too.
    reservation.commit(1);
    if (response.status === 200) return readList(response);
    if (reasonsOf(response).some((reason) => tolerated.includes(reason))) return undefined;
    throw errorOfResponse(response, now());
  }
}

const listSchema = z.object({
  kind: z.string().startsWith("youtube#"),
  items: z.unknown().optional(),
  nextPageToken: maybe(z.string().min(1)),
});

/** A list of YouTube; its items are not read yet. */
interface YoutubeList {
  readonly items?: unknown;
  readonly nextPageToken?: string | undefined;
}

function readList({ body }: JsonResponse): YoutubeList {
  const list = listSchema.safeParse(body).data;
  if (list === undefined) throw new PlatformError("temporary", "YouTube returns no list. It will be retried.");
  return list;
}

/** How items of one kind are looked up. */
interface IdsRequest<T> {
  readonly method: ListRequest["method"];
  readonly parameters: Readonly<Record<string, string>>;
  /** What ids look like: others are not sent. */
  readonly id: RegExp;
  /** Undefined for an item that cannot be read. */
  readonly read: (item: unknown) => T | undefined;
}

/** What YouTube still has of stored items, and the ids that it no longer has. */
interface FoundItems<T> {
  readonly items: readonly T[];
  readonly gone: readonly string[];
}

function idOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
}

/** Results of a page, of which more do not cost more. */
export const RESULTS_MAX = 50;

/** One page of a search. */
interface VideoSearch {
  /** In YouTube's own language. */
  readonly query: string;
  /** Undefined: everywhere. */
  readonly place?: Place | undefined;
  readonly order: "date" | "relevance";
  /** Earliest time of publication, in milliseconds since the epoch; undefined: any. */
  readonly from?: number | undefined;
  readonly pageToken: string | null;
}

/** What a search finds; the rest about videos is looked up by their ids. */
interface FoundVideos {
  /** Distinct. */
  readonly ids: readonly string[];
  readonly skipped: number;
  readonly next: string | null;
}

const resultSchema = z.object({ id: z.object({ videoId: z.string().regex(/^[\w-]{1,64}$/) }) });

/** A city or the area of a zip code. */
const RADIUS = { city: "40km", zip: "16km" };

function parametersOf({ query, place, order, from, pageToken }: VideoSearch): Record<string, string> {
  return {
    part: "snippet",
    type: "video",
    q: query,
    order,
    maxResults: String(RESULTS_MAX),
    ...(place !== undefined && parametersOfPlace(place)),
    ...(from !== undefined && { publishedAfter: new Date(Math.floor(from / 1000) * 1000).toISOString() }),
    ...(pageToken !== null && { pageToken }),
  };
}

/** YouTube has no parameter for the country in which a video was made; this one finds what may be watched there. */
function parametersOfPlace(place: Place): Record<string, string> {
  if (place.kind === "country") return { regionCode: place.countryCode };
  return { location: `${place.latitude},${place.longitude}`, locationRadius: RADIUS[place.kind] };
}

const text = z.string();
/** YouTube writes counts as strings, and leaves out those that are hidden. */
const count = maybe(
  z
    .union([z.string().regex(/^\d{1,18}$/), z.int().nonnegative()])
    .transform((stated) => (Number.isSafeInteger(Number(stated)) ? Number(stated) : String(stated))),
);

const thumbnailSchema = z.object({ url: text, width: maybe(z.int()), height: maybe(z.int()) });

const videoSchema = z.object({
  id: text.regex(/^[\w-]{1,64}$/),
  snippet: z.object({
    publishedAt: statedTime,
    channelId: maybe(text),
    channelTitle: maybe(text),
    title: maybe(text),
    description: maybe(text),
    tags: maybeList(text),
    categoryId: maybe(text),
    liveBroadcastContent: maybe(text),
    defaultLanguage: maybe(text),
    defaultAudioLanguage: maybe(text),
    thumbnails: maybe(z.record(z.string(), maybe(thumbnailSchema))),
  }),
  contentDetails: maybe(z.object({ duration: maybe(text) })),
  status: maybe(z.object({ license: maybe(text) })),
  statistics: maybe(z.object({ viewCount: count, likeCount: count, commentCount: count })),
  recordingDetails: maybe(
    z.object({
      locationDescription: maybe(text),
      location: maybe(z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })),
      recordingDate: maybe(text),
    }),
  ),
  demo: demoMark,
});

/** A video as YouTube states it. */
export type YoutubeVideo = z.output<typeof videoSchema>;

/** Undefined for a video without id or time. */
export function readVideo(item: unknown): YoutubeVideo | undefined {
  return videoSchema.safeParse(item).data;
}

const CHANNELS_MAX = 50;
const channelSchema = z.object({ id: z.string(), snippet: z.object({ customUrl: maybe(z.string()) }) });

const COMMENTS_MAX = 100;
/** Reasons of errors: nothing can be read there, and that will hardly change. */
const UNREADABLE = ["commentsDisabled", "videoNotFound", "forbidden", "commentNotFound", "parentCommentNotFound"];

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

/** A comment and the newest of its replies. */
export interface Thread {
  readonly comment: YoutubeComment;
  /** How many replies there are; undefined if YouTube does not say. */
  readonly replyCount: number | undefined;
  readonly replies: ReadItems<YoutubeComment>;
}

/** One page of a list. */
interface CommentPage<T> extends ReadItems<T> {
  readonly next: string | null;
}

interface PageOf {
  readonly id: string;
  readonly pageToken: string | null;
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

const DETAIL_MAX = 200;

/** Google's older form of reasons, then its newer one. */
const errorSchema = z.object({
  error: z.object({
    message: maybe(z.string()),
    errors: maybe(z.array(maybe(z.object({ reason: maybe(z.string()) })))),
    details: maybe(z.array(maybe(z.object({ reason: maybe(z.string()) })))),
  }),
});

const SPENT = ["quotaExceeded", "dailyLimitExceeded", "dailyLimitExceededUnreg"];
const TOO_FAST = ["rateLimitExceeded", "userRateLimitExceeded", "RATE_LIMIT_EXCEEDED"];
const BAD_KEY = ["keyInvalid", "keyExpired", "API_KEY_INVALID", "API_KEY_EXPIRED"];
const NOT_ENABLED = ["accessNotConfigured", "SERVICE_DISABLED"];
const RESTRICTED = [
  ...["ipRefererBlocked", "API_KEY_SERVICE_BLOCKED", "API_KEY_IP_ADDRESS_BLOCKED", "API_KEY_HTTP_REFERRER_BLOCKED"],
];
const PASSING = ["processingFailure", "backendError"];

/** The reasons that a response with an error states, in both of Google's forms. */
function reasonsOf({ body }: Pick<JsonResponse, "body">): string[] {
  const error = errorSchema.safeParse(body).data?.error;
  return [...(error?.errors ?? []), ...(error?.details ?? [])].flatMap((each) => each?.reason ?? []);
}

/** What a response with an error means. */
function errorOfResponse(response: JsonResponse, now: number): PlatformError {
  const reasons = reasonsOf(response);
  const has = (names: readonly string[]): boolean => reasons.some((reason) => names.includes(reason));
  const detail = detailOf(response);
  if (has(SPENT)) return quotaSpent(now);
  if (has(TOO_FAST)) {
    const message = `YouTube has received too many requests (${response.status}).${said(detail)}`;
    return new PlatformError("rate", message, { retryAt: retryAfterOf(response, now) });
  }
  if (has(BAD_KEY) || (response.status === 400 && /API key/i.test(detail))) {
    return new PlatformError("auth", `YouTube rejects the key. The operator must renew ${CREDENTIAL}.${said(detail)}`);
  }
  if (has(NOT_ENABLED)) return notAllowed("enable the YouTube Data API v3 in the project of", detail);
  if (has(RESTRICTED)) return notAllowed("let this server and the YouTube Data API v3 use the key of", detail);
  if (has(PASSING)) {
    const message = `YouTube is failing (${response.status}). It will be retried.`;
    return new PlatformError("temporary", message, { retryAt: retryAfterOf(response, now) });
  }
  return errorOfStatus({ service: SERVICE, credential: CREDENTIAL, response, detail, now });
}

/** Somebody else spends from the same project, or YouTube counts otherwise than this server. */
function quotaSpent(now: number): PlatformError {
  const retryAt = budgetWindow("Pacific day", now).to;
  const message =
    `YouTube says that the day's quota of ${CREDENTIAL} is spent. It resets at ${new Date(retryAt).toISOString()}. ` +
    "If this happens daily, lower YOUTUBE_SEARCHES_PER_DAY and YOUTUBE_UNITS_PER_DAY to what the project has.";
  return new PlatformError("budget", message, { retryAt, requests: 1 });
}

function notAllowed(remedy: string, detail: string): PlatformError {
  return new PlatformError(
    "auth",
    `YouTube forbids the request: the operator must ${remedy} ${CREDENTIAL}.${said(detail)}`,
  );
}

/** YouTube's messages hold links in HTML. */
function detailOf({ body }: JsonResponse): string {
  const message = errorSchema.safeParse(body).data?.error.message ?? "";
  return message.replaceAll(/<[^>]*>/g, "").slice(0, DETAIL_MAX);
}

function said(detail: string): string {
  return detail === "" ? "" : ` It says: ${detail}`;
}
