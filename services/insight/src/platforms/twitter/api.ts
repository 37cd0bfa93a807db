import * as z from "zod";
import { budgetWindow, PacedBudget, type Reservation, sendReserved, spendRequest } from "../budget.js";
import { type PlatformDeps, PlatformError, type RequestContext } from "../connector.js";
import { errorOfStatus, fetchJson, headerOf, type JsonResponse, resetTimeOf } from "../http-json.js";
import { maybeCount as count, demoMark, maybeList as list, maybe, statedTime } from "../schemas.js";

const SERVICE = "X";
const CREDENTIAL = "TWITTER_BEARER_TOKEN";
const DAY_MS = 24 * 60 * 60_000;
/** Requests of an app in 15 minutes. */
const REQUESTS_MAX = 450;
/** X returns from 10 to 100 posts a page. */
const PAGE_MIN = 10;
const PAGE_MAX = 100;
/** A page is at most this part of the month's posts, so that none are left over at its end because they fill no page. */
const PAGES_MIN = 50;

/** How X names the fields of a request: it renames tweets to posts. */
export interface ApiAddress {
  readonly baseUrl: string;
  readonly naming: "tweet" | "post";
}

export interface TwitterSettings extends ApiAddress {
  readonly token: string;
  readonly postsPerMonth: number;
}

/** Posts that X returned. */
export interface PostsResponse<P> {
  readonly page: P;
  /** When a window of requests that is used up ends, in milliseconds since the epoch. */
  readonly notBefore?: number;
}

/**
 * X's API as one app sees it: its posts of a month and its requests of a quarter of an hour belong to all searches. Methods
 * throw PlatformError, or HttpFailure if there was no response.
 */
export class TwitterApi {
  private readonly posts: PacedBudget;
  private readonly pageMax: number;

  constructor(
    private readonly deps: PlatformDeps,
    private readonly settings: TwitterSettings,
  ) {
    const { postsPerMonth } = settings;
    this.posts = new PacedBudget(deps, {
      name: "twitter.posts",
      limit: postsPerMonth,
      period: "month",
      units: "posts of X",
      setting: "TWITTER_POSTS_PER_MONTH",
    });
    this.pageMax = Math.max(PAGE_MIN, Math.min(PAGE_MAX, Math.floor(postsPerMonth / PAGES_MIN)));
  }

  /** Posts of one page, of at most that many that are useful. */
  pageSizeFor(limit: number): number {
    return Math.max(PAGE_MIN, Math.min(this.pageMax, limit));
  }

  /** One page of recent search, newest first. X bills each post. */
  search(parameters: SearchParameters, context: RequestContext): Promise<PostsResponse<XPage>> {
    const url = searchUrl(this.settings, parameters);
    return this.fetchPosts({ url, posts: parameters.pageSize, read: readSearchPage }, context);
  }

  /** Posts by their ids, of which X takes 100. X bills those that it finds. */
  lookUp(ids: readonly string[], signal: AbortSignal): Promise<PostsResponse<XLookUp>> {
    const url = lookUpUrl(this.settings, ids);
    return this.fetchPosts({ url, posts: ids.length, read: readLookUp }, { search: { preview: false }, signal });
  }

  /** Counts the posts that a query finds: X bills none for that. Throws if the token is rejected. */
  async count(query: string, signal: AbortSignal): Promise<void> {
    const response = await this.get(countsUrl(this.settings, query), signal);
    if (response.status !== 200) throw errorOfResponse(response, this.deps.now());
  }

  /** Posts whose response was lost count as read: X may have billed them. */
  private async fetchPosts<P extends { readonly data?: unknown }>(
    { url, posts, read }: { url: string; posts: number; read: (body: unknown) => P | undefined },
    { search, signal }: RequestContext,
  ): Promise<PostsResponse<P>> {
    const reservation = await this.reserve(posts, search);
    const response = await sendReserved(reservation, () => this.get(url, signal));
    if (response.status !== 200) {
      reservation.commit(0);
      throw errorOfResponse(response, this.deps.now());
    }
    const page = read(response.body);
    if (page === undefined) throw new PlatformError("temporary", "X returns no page of posts. It will be retried.");
    reservation.commit(Array.isArray(page.data) ? page.data.length : 0);
    return { page, ...windowEndOf(response, this.deps.now()) };
  }

  private async reserve(posts: number, spender: { readonly preview: boolean }): Promise<Reservation> {
    const reservation = await this.posts.reserve(posts, spender);
    try {
      await spendRequest(this.deps, { name: "twitter.requests", limit: REQUESTS_MAX, period: "quarter-hour" });
    } catch (error) {
      reservation.commit(0);
      throw error;
    }
    return reservation;
  }

  private get(url: string, signal: AbortSignal): Promise<JsonResponse> {
    const headers = { Authorization: `Bearer ${this.settings.token}` };
    return fetchJson(this.deps.http, { url, headers, signal, service: SERVICE });
  }
}

/** One request of a search. */
interface SearchParameters {
  readonly query: string;
  readonly pageSize: number;
  readonly nextToken: string | null;
  /** Only posts after this one; undefined: those since `from`. */
  readonly sinceId: string | undefined;
  /** In milliseconds since the epoch. */
  readonly from: number;
}

const SEARCH_PATH = "/2/tweets/search/recent";
const LOOK_UP_PATH = "/2/tweets";
const COUNTS_PATH = "/2/tweets/counts/recent";
const POST_FIELDS = [
  ...["created_at", "author_id", "lang", "public_metrics", "entities", "geo", "conversation_id"],
  ...["referenced_tweets", "attachments", "possibly_sensitive", "note_tweet", "edit_history_tweet_ids"],
];
const EXPANSIONS = ["author_id", "geo.place_id", "attachments.media_keys"];
const USER_FIELDS = ["username", "name", "verified_type"];
const PLACE_FIELDS = ["full_name", "country", "country_code", "place_type", "geo"];
const MEDIA_FIELDS = ["type", "url", "preview_image_url", "duration_ms"];

/** The URL of a request to recent search. */
export function searchUrl(address: ApiAddress, parameters: SearchParameters): string {
  const { query, pageSize, nextToken, sinceId, from } = parameters;
  const url = new URL(SEARCH_PATH, address.baseUrl);
  url.search = new URLSearchParams({
    query,
    max_results: String(pageSize),
    sort_order: "recency",
    ...fieldsOf(address),
    ...(sinceId === undefined ? { start_time: secondsOf(from) } : { since_id: sinceId }),
    ...(nextToken !== null && { next_token: nextToken }),
  }).toString();
  return url.href;
}

/** The URL of a request for posts by their ids, of which X takes 100. */
function lookUpUrl(address: ApiAddress, ids: readonly string[]): string {
  const url = new URL(LOOK_UP_PATH, address.baseUrl);
  url.search = new URLSearchParams({ ids: ids.join(","), ...fieldsOf(address) }).toString();
  return url.href;
}

/** Everything that a posting holds. */
function fieldsOf({ naming }: ApiAddress): Record<string, string> {
  return {
    [`${naming}.fields`]: POST_FIELDS.join(",").replaceAll("tweet", naming),
    expansions: EXPANSIONS.join(","),
    "user.fields": USER_FIELDS.join(","),
    "place.fields": PLACE_FIELDS.join(","),
    "media.fields": MEDIA_FIELDS.join(","),
  };
}

/** The URL of a request for the number of posts that a query finds, which reads none of them. */
function countsUrl({ baseUrl }: ApiAddress, query: string): string {
  const url = new URL(COUNTS_PATH, baseUrl);
  url.search = new URLSearchParams({ query, granularity: "day" }).toString();
  return url.href;
}

/** As X takes it: without milliseconds. */
function secondsOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, "2026-11-22T09:15:00".length)}Z`;
}

/** A window that is used up is not asked before it ends. */
function windowEndOf(response: JsonResponse, now: number): { notBefore?: number } {
  const reset = headerOf(response, "x-rate-limit-remaining") === "0" ? resetOf(response, now) : undefined;
  return reset === undefined ? {} : { notBefore: reset };
}

/** When X takes requests again, as its headers state it, in milliseconds since the epoch; undefined if it takes them now. */
function resetOf(response: JsonResponse, now: number): number | undefined {
  return resetTimeOf(response, "x-rate-limit-reset", now);
}

/** What a response with an error means. */
function errorOfResponse(response: JsonResponse, now: number): PlatformError {
  const { type = "", title, detail = title } = readProblem(response.body);
  if (response.status === 402 || /usage-capped|credits/.test(type)) return outOfCredit(detail, now);
  const retryAt = response.status === 429 ? resetOf(response, now) : undefined;
  return errorOfStatus({ service: SERVICE, credential: CREDENTIAL, response, detail, retryAt, now });
}

/** Credit may be bought at any time, so the API is asked once a day whether there is some. */
function outOfCredit(detail: string | undefined, now: number): PlatformError {
  const retryAt = Math.min(now + DAY_MS, budgetWindow("month", now).to);
  const said = detail === undefined ? "" : ` It says: ${detail.slice(0, 200)}`;
  const message =
    `X has no more credit for this app, or its monthly cap is reached (${new Date(retryAt).toISOString()} is the next ` +
    `attempt). The operator must add credit in X's developer console, or wait for the next month.${said}`;
  return new PlatformError("budget", message, { retryAt, requests: 1 });
}

const text = z.string();

const entitiesSchema = z.object({
  hashtags: list(z.object({ tag: text })),
  mentions: list(z.object({ username: text })),
  urls: list(z.object({ expanded_url: maybe(text), url: text })),
});

const referencesSchema = list(z.object({ type: text, id: text }));

const postSchema = z.object({
  id: text.regex(/^\d{1,20}$/),
  text,
  created_at: statedTime,
  author_id: maybe(text),
  lang: maybe(text),
  conversation_id: maybe(text),
  possibly_sensitive: maybe(z.boolean()),
  public_metrics: maybe(
    z.object({
      retweet_count: count,
      repost_count: count,
      reply_count: count,
      like_count: count,
      quote_count: count,
      bookmark_count: count,
      impression_count: count,
    }),
  ),
  entities: maybe(entitiesSchema),
  note_tweet: maybe(z.object({ text, entities: maybe(entitiesSchema) })),
  note_post: maybe(z.object({ text, entities: maybe(entitiesSchema) })),
  geo: maybe(
    z.object({
      place_id: maybe(text),
      coordinates: maybe(z.object({ coordinates: z.tuple([z.number(), z.number()]) })),
    }),
  ),
  referenced_tweets: referencesSchema,
  referenced_posts: referencesSchema,
  edit_history_tweet_ids: list(text),
  edit_history_post_ids: list(text),
  attachments: maybe(z.object({ media_keys: list(text) })),
  demo: demoMark,
});

const userSchema = z.object({ id: text, username: maybe(text), name: maybe(text), verified_type: maybe(text) });

const placeSchema = z.object({
  id: text,
  full_name: maybe(text),
  country: maybe(text),
  country_code: maybe(text),
  place_type: maybe(text),
  geo: maybe(z.object({ bbox: maybe(z.array(z.number())) })),
});

const mediaSchema = z.object({
  media_key: text,
  type: maybe(text),
  url: maybe(text),
  preview_image_url: maybe(text),
  duration_ms: maybe(z.number()),
});

const includesSchema = maybe(
  z.object({ users: list(userSchema), places: list(placeSchema), media: list(mediaSchema) }),
);

const lookUpSchema = z.object({
  data: z.unknown().optional(),
  includes: includesSchema,
  errors: list(z.object({ resource_id: maybe(text), value: maybe(text), type: maybe(text) })),
});

const pageSchema = z.object({
  data: z.unknown().optional(),
  includes: includesSchema,
  meta: z.object({ next_token: maybe(text.min(1)), newest_id: maybe(text.regex(/^\d{1,20}$/)) }),
});

/** A post as X states it. */
export type XPost = z.output<typeof postSchema>;
export type XUser = z.output<typeof userSchema>;
export type XPlace = z.output<typeof placeSchema>;
export type XMedia = z.output<typeof mediaSchema>;
export type XPage = z.output<typeof pageSchema>;
export type XLookUp = z.output<typeof lookUpSchema>;

/** Undefined if a body is no page of a search. */
export function readSearchPage(body: unknown): XPage | undefined {
  return pageSchema.safeParse(body).data;
}

/** Undefined if a body says nothing about posts that were looked up by their ids. */
function readLookUp(body: unknown): XLookUp | undefined {
  const read = lookUpSchema.safeParse(body).data;
  return read?.data === undefined && read?.errors === undefined ? undefined : read;
}

/** Undefined for a post without id, text or time. */
export function readPost(item: unknown): XPost | undefined {
  return postSchema.safeParse(item).data;
}

/** An error in the form of RFC 7807, as X sends it. */
const problemSchema = z.object({ type: maybe(text), title: maybe(text), detail: maybe(text) });

/** What X says about a request that it refuses. */
function readProblem(body: unknown): z.output<typeof problemSchema> {
  return problemSchema.safeParse(body).data ?? {};
}
