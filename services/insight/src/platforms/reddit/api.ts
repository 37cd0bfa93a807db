import * as z from "zod";
import { AppTokens } from "../app-tokens.js";
import { spendRequest } from "../budget.js";
import { type PlatformDeps, PlatformError } from "../connector.js";
import { errorOfStatus, fetchJson, headerOf, type JsonResponse, RedirectError, retryAfterOf } from "../http-json.js";
import { demoMark, maybe, maybeCount, maybeScore } from "../schemas.js";
import type { Stream } from "./query.js";

const TOKEN_PATH = "/api/v1/access_token";
const BUDGET = "reddit.requests";

export interface RedditSettings {
  readonly credentials: { readonly clientId: string; readonly clientSecret: string; readonly userAgent: string };
  readonly baseUrl: string;
  /** Address of the server that gives tokens. */
  readonly authUrl: string;
  readonly requestsPerMinute: number;
}

/** A response, and how many requests it took, without those for tokens: these serve all searches. */
interface Fetched {
  readonly response: JsonResponse;
  readonly requests: number;
}

/** A page of a stream, newest first. */
export interface ListingPage extends RedditListing {
  readonly requests: number;
  /** When Reddit takes requests again, in milliseconds since the epoch, if it says so. */
  readonly notBefore?: number;
}

/** Where Reddit redirects requests for a subreddit that does not exist. */
const UNKNOWN_SUBREDDIT = "/subreddits/search";

/** Reddit as one app of it sees it: its token and its limit of requests belong to all searches of this process. */
export class RedditApi {
  private readonly tokens: AppTokens;
  private heldUntil = 0;

  constructor(
    private readonly deps: PlatformDeps,
    private readonly settings: RedditSettings,
  ) {
    this.tokens = new AppTokens(() => this.renew(), deps.now);
    deps.declareBudget?.({
      name: BUDGET,
      limit: settings.requestsPerMinute,
      period: "minute",
      units: "requests of Reddit",
    });
  }

  /**
   * A page of a stream; undefined if its subreddit cannot be read, which says nothing about the app. Throws PlatformError, also
   * `budget` before a request that Reddit's limit or the server's does not allow, and HttpFailure.
   */
  async listing(stream: Stream, after: string | null, signal: AbortSignal): Promise<ListingPage | undefined> {
    const isSearch = stream.kind === "search";
    const url = listingUrl(this.settings.baseUrl, stream, after);
    const fetched = await this.fetch(url, signal).catch((error: unknown) => {
      if (!isSearch && error instanceof RedirectError && error.to.pathname.startsWith(UNKNOWN_SUBREDDIT)) {
        return undefined;
      }
      throw error;
    });
    if (fetched === undefined || (!isSearch && isClosed(fetched.response))) return undefined;
    return this.listingOf(fetched);
  }

  /** Things by their fullnames, of which Reddit takes 100. Throws as `listing`. */
  async lookUp(ids: readonly string[], signal: AbortSignal): Promise<ListingPage> {
    return this.listingOf(await this.fetch(lookUpUrl(this.settings.baseUrl, ids), signal));
  }

  private listingOf({ response, requests }: Fetched): ListingPage {
    const now = this.deps.now();
    if (response.status !== 200) throw errorOfResponse(response, now);
    const listing = readListing(response.body);
    if (listing === undefined) {
      throw new PlatformError("temporary", "Reddit returns no listing. It will be retried.", { requests });
    }
    const until = heldUntil(response, now);
    return { ...listing, requests, ...(until !== undefined && { notBefore: until }) };
  }

  /** Sends a request with a token that is valid: one that Reddit has ended early is renewed once. */
  private async fetch(url: string, signal: AbortSignal): Promise<Fetched> {
    const token = await this.tokens.get();
    signal.throwIfAborted();
    const response = await this.fetchWith(token, url, signal);
    if (response.status !== 401) return { response, requests: 1 };
    this.tokens.reject(token);
    const renewed = await this.tokens.get();
    signal.throwIfAborted();
    return { response: await this.fetchWith(renewed, url, signal), requests: 2 };
  }

  private fetchWith(token: string, url: string, signal: AbortSignal): Promise<JsonResponse> {
    return this.send({ url, headers: { Authorization: `Bearer ${token}` }, signal });
  }

  /** Has no signal: all searches that need a token wait for it. */
  private async renew(): Promise<{ value: string; expiresAt: number }> {
    const { credentials, authUrl } = this.settings;
    const { now } = this.deps;
    const { clientId, clientSecret } = credentials;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
    const response = await this.send({
      url: new URL(TOKEN_PATH, authUrl).href,
      method: "POST",
      headers: { Authorization: `Basic ${basic}`, "Content-Type": "application/x-www-form-urlencoded" },
      body: "grant_type=client_credentials",
    });
    const token = response.status === 200 ? readToken(response.body) : undefined;
    if (token === undefined) throw errorOfToken(response, now());
    return { value: token.access_token, expiresAt: now() + token.expires_in * 1000 };
  }

  private async send(request: {
    url: string;
    method?: string;
    headers: Record<string, string>;
    body?: string;
    signal?: AbortSignal;
  }): Promise<JsonResponse> {
    const { http, now } = this.deps;
    const { requestsPerMinute, credentials } = this.settings;
    if (this.heldUntil > now()) throw limitUsedUp(this.heldUntil);
    await spendRequest(this.deps, { name: BUDGET, limit: requestsPerMinute, period: "minute" });
    const headers = { ...request.headers, "User-Agent": credentials.userAgent };
    const response = await fetchJson(http, { ...request, headers, service: SERVICE });
    this.heldUntil = Math.max(this.heldUntil, heldUntil(response, now()) ?? 0);
    return response;
  }
}

/** Private, banned and quarantined subreddits. What keeps an app from everything is answered with a web page. */
function isClosed({ status, body }: JsonResponse): boolean {
  return (status === 403 || status === 404) && body !== undefined;
}

/** Reddit returns no more a page. */
export const PAGE_THINGS = 100;

/** The URL of a request for things by their fullnames. */
function lookUpUrl(baseUrl: string, ids: readonly string[]): string {
  const url = new URL("/api/info", baseUrl);
  url.search = new URLSearchParams({ id: ids.join(","), raw_json: "1" }).toString();
  return url.href;
}

/** The URL of a page of a stream, newest first. */
export function listingUrl(baseUrl: string, { kind, of }: Stream, after: string | null): string {
  const url = new URL(kind === "search" ? "/search" : `/r/${of}/${kind === "comments" ? "comments" : "new"}`, baseUrl);
  url.search = new URLSearchParams({
    ...(kind === "search" && { q: of, sort: "new", type: "link", include_over_18: "on" }),
    limit: String(PAGE_THINGS),
    // Otherwise texts are escaped for HTML.
    raw_json: "1",
    ...(after !== null && { after }),
  }).toString();
  return url.href;
}

const SERVICE = "Reddit";
const CREDENTIAL = "REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET";

/** When Reddit's window of requests ends, in milliseconds since the epoch; undefined if its headers do not say so. */
function windowEndOf(response: Pick<JsonResponse, "headers">, now: number): number | undefined {
  const seconds = headerOf(response, "x-ratelimit-reset");
  return /^\d{1,7}(\.\d+)?$/.test(seconds) ? now + Math.ceil(Number(seconds) * 1000) : undefined;
}

/** When Reddit takes requests again; undefined if it takes them now, or does not say. */
function heldUntil(response: JsonResponse, now: number): number | undefined {
  const left = headerOf(response, "x-ratelimit-remaining");
  const isUsedUp = /^-?\d+(\.\d+)?$/.test(left) && Number(left) < 1;
  if (response.status !== 429 && !isUsedUp) return undefined;
  const times = [windowEndOf(response, now), response.status === 429 ? retryAfterOf(response, now) : undefined];
  const stated = times.filter((time) => time !== undefined);
  return stated.length === 0 ? undefined : Math.max(...stated);
}

/** Reddit's own limit for this app is used up. */
function limitUsedUp(until: number): PlatformError {
  const message = `Reddit's limit of requests for this app is used up. It resumes at ${new Date(until).toISOString()}.`;
  return new PlatformError("budget", message, { retryAt: until });
}

/** What a response with an error means. */
function errorOfResponse(response: JsonResponse, now: number): PlatformError {
  const { message, reason } = readProblem(response.body);
  const detail = [message, reason].filter((part) => part !== undefined).join(", ");
  const retryAt = heldUntil(response, now);
  return errorOfStatus({ service: SERVICE, credential: CREDENTIAL, response, detail, retryAt, now });
}

/** Why there is no token: errors of OAuth come with status 400, and some with 200. */
function errorOfToken(response: JsonResponse, now: number): PlatformError {
  const { error } = readProblem(response.body);
  if (typeof error === "string") {
    const message = `Reddit gives no token (${error.slice(0, 100)}). The operator must check ${CREDENTIAL}, and the type of the app.`;
    return new PlatformError("auth", message);
  }
  if (response.status < 300)
    return new PlatformError("temporary", "Reddit responds without a token. It will be retried.");
  return errorOfResponse(response, now);
}

const text = z.string();
/** Seconds since the epoch that a date can hold. */
const SECONDS_MAX = 8.64e12;

const common = {
  created_utc: z.number().min(0).max(SECONDS_MAX),
  author: maybe(text),
  author_fullname: maybe(text),
  distinguished: maybe(text),
  /** May be below zero. */
  score: maybeScore,
  ups: maybeScore,
  /** The score is not shown yet. */
  score_hidden: maybe(z.boolean()),
  permalink: maybe(text.startsWith("/")),
  subreddit: maybe(text),
  over_18: maybe(z.boolean()),
  demo: demoMark,
};

const pictureSchema = maybe(z.object({ s: maybe(z.object({ u: maybe(z.url()), gif: maybe(z.url()) })) }));

const submissionSchema = z.object({
  ...common,
  name: text.regex(/^t3_[a-z0-9]{1,16}$/),
  title: text,
  selftext: maybe(text),
  url: maybe(text),
  domain: maybe(text),
  is_self: maybe(z.boolean()),
  is_video: maybe(z.boolean()),
  is_gallery: maybe(z.boolean()),
  post_hint: maybe(text),
  poll_data: maybe(z.object({})),
  crosspost_parent: maybe(text),
  media_metadata: maybe(z.record(z.string(), pictureSchema)),
  media: maybe(z.object({ reddit_video: maybe(z.object({ fallback_url: maybe(z.url()) })) })),
  upvote_ratio: maybe(z.number()),
  num_comments: maybeCount,
  num_crossposts: maybeCount,
  link_flair_text: maybe(text),
  removed_by_category: maybe(text),
});

const commentSchema = z.object({
  ...common,
  name: text.regex(/^t1_[a-z0-9]{1,16}$/),
  body: text,
  link_id: maybe(text),
  parent_id: maybe(text),
});

const thingSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("t3"), data: submissionSchema }),
  z.object({ kind: z.literal("t1"), data: commentSchema }),
]);

const listingSchema = z.object({
  kind: z.literal("Listing"),
  data: z.object({ after: maybe(text.min(1).nullable()), children: z.array(z.unknown()) }),
});

export type RedditSubmission = z.output<typeof submissionSchema>;
export type RedditComment = z.output<typeof commentSchema>;
/** A submission or a comment as Reddit states it. */
export type RedditThing = z.output<typeof thingSchema>;

interface RedditListing {
  /** Fullname after which the next page begins; null: there is none. */
  readonly after: string | null;
  readonly children: readonly unknown[];
}

/** Undefined if a body is no listing. */
function readListing(body: unknown): RedditListing | undefined {
  const listing = listingSchema.safeParse(body).data?.data;
  return listing && { after: listing.after ?? null, children: listing.children };
}

/** Undefined for a thing of another kind, or without name, time or text. */
export function readThing(item: unknown): RedditThing | undefined {
  return thingSchema.safeParse(item).data;
}

const tokenSchema = z.object({ access_token: text.min(1), expires_in: z.number().positive() });

/** A token and for how many seconds it is valid; undefined if the answer holds none. */
function readToken(body: unknown): z.output<typeof tokenSchema> | undefined {
  return tokenSchema.safeParse(body).data;
}

const problemSchema = z.object({
  message: maybe(text),
  reason: maybe(text),
  error: maybe(z.union([text, z.number()])),
});

/** What Reddit says about a request that it refuses. */
function readProblem(body: unknown): z.output<typeof problemSchema> {
  return problemSchema.safeParse(body).data ?? {};
}
