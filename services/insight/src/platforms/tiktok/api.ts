import { parseLongNumbers } from "@hourglass/runtime/json";
import * as z from "zod";
import { type AppToken, AppTokens, fetchAsApp } from "../app-tokens.js";
import { budgetWindow, PacedBudget, sendReserved } from "../budget.js";
import { type PlatformDeps, PlatformError, type RequestContext } from "../connector.js";
import { errorOfStatus, fetchJson, type JsonResponse } from "../http-json.js";
import { maybeCount as count, demoMark, maybeList as list, maybe, maybeNumber } from "../schemas.js";
import type { TiktokQuery } from "./query.js";

const SERVICE = "TikTok";
const CREDENTIAL = "TIKTOK_CLIENT_KEY and TIKTOK_CLIENT_SECRET";
const SEARCH_PATH = "/v2/research/video/query/";
const TOKEN_PATH = "/v2/oauth/token/";
const SECOND_MS = 1000;
const PAGE_MAX = 100;

export interface TiktokSettings {
  readonly baseUrl: string;
  readonly key: string;
  readonly secret: string;
  readonly requestsPerDay: number;
}

/** Which page of a search is wanted. */
export interface SearchAt {
  readonly cursor: number;
  /** TikTok's id of the search; null before its first page. */
  readonly searchId: string | null;
  /** First and last day, both inclusive, such as `20261122`. */
  readonly from: string;
  readonly to: string;
}

/** TikTok's Research API as one client sees it: its token and its requests of a day belong to all searches. */
export class TiktokApi {
  private readonly budget: PacedBudget;
  private readonly tokens: AppTokens;

  constructor(
    private readonly deps: PlatformDeps,
    private readonly settings: TiktokSettings,
  ) {
    this.budget = new PacedBudget(deps, {
      name: "tiktok.requests",
      limit: settings.requestsPerDay,
      period: "day",
      units: "requests of TikTok",
      setting: "TIKTOK_REQUESTS_PER_DAY",
    });
    this.tokens = new AppTokens(() => this.grantToken(), deps.now);
  }

  /**
   * Searches a page of videos. Each request is reserved in the budget before it is sent, also the second one after a token
   * was rejected. Throws PlatformError, or HttpFailure.
   */
  async search(
    query: TiktokQuery,
    at: SearchAt,
    { search, signal }: RequestContext,
  ): Promise<{ page: TiktokPage; requests: number }> {
    let requests = 0;
    const send = async (token: string): Promise<JsonResponse> => {
      const reservation = await this.budget.reserve(1, search);
      requests += 1;
      const request = {
        url: searchUrl(this.settings.baseUrl),
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify(searchBody(query, at)),
        ...{ signal, service: SERVICE, parse: parseLongNumbers },
      };
      return sendReserved(reservation, () => fetchJson(this.deps.http, request));
    };
    const response = await fetchAsApp(this.tokens, send, isTokenRejected);
    const error = errorOfResponse(response, this.deps.now());
    if (error !== undefined) throw error;
    const page = readSearchPage(response.body);
    if (page === undefined) {
      throw new PlatformError("temporary", "TikTok returns no page of videos. It will be retried.");
    }
    return { page, requests };
  }

  private async grantToken(): Promise<AppToken> {
    const { baseUrl, key, secret } = this.settings;
    const { http, now } = this.deps;
    const form = { client_key: key, client_secret: secret, grant_type: "client_credentials" };
    const response = await fetchJson(http, {
      url: new URL(TOKEN_PATH, baseUrl).href,
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(form).toString(),
      service: SERVICE,
    });
    const { access_token: value, expires_in: seconds, error_description: detail } = readGrant(response.body);
    if (response.status !== 200 || value === undefined) throw errorOfGrant(response, detail, now());
    return { value, expiresAt: now() + seconds * SECOND_MS };
  }
}

const FIELDS = [
  ...["id", "video_description", "create_time", "region_code", "share_count", "view_count", "like_count"],
  ...["comment_count", "favorites_count", "music_id", "hashtag_names", "username", "effect_ids", "playlist_id"],
  ...["voice_to_text", "is_stem_verified", "video_duration", "video_mention_list", "video_label"],
];

/** The URL of a search, which names the fields of its videos. */
function searchUrl(baseUrl: string): string {
  const url = new URL(SEARCH_PATH, baseUrl);
  url.search = `fields=${FIELDS.join(",")}`;
  return url.href;
}

/** What is sent for one page. */
function searchBody({ and, or, not }: TiktokQuery, { from, to, cursor, searchId }: SearchAt): object {
  return {
    query: {
      ...(and.length > 0 && { and }),
      ...(or.length > 0 && { or }),
      ...(not.length > 0 && { not }),
    },
    start_date: from,
    end_date: to,
    max_count: PAGE_MAX,
    cursor,
    ...(searchId !== null && { search_id: searchId }),
    is_random: false,
  };
}

/** Statuses of codes that arrive with another one. */
const STATUSES: Readonly<Record<string, number>> = {
  access_token_invalid: 401,
  invalid_params: 400,
  rate_limit_exceeded: 429,
  internal_error: 500,
};

/** Whether TikTok has rejected the token, rather than what the client may do with it. */
function isTokenRejected(response: JsonResponse): boolean {
  const { code } = readFault(response.body);
  return code === "access_token_invalid" || (response.status === 401 && code !== "scope_not_authorized");
}

/** What a response with an error means; undefined for one without. */
function errorOfResponse(response: JsonResponse, now: number): PlatformError | undefined {
  const { code = "ok", message } = readFault(response.body);
  if (response.status === 200 && code === "ok") return undefined;
  if (code === "scope_not_authorized") return notApproved(message);
  if (code === "daily_quota_limit_exceeded") return quotaSpent(now);
  if (code === "invalid_params" && /search.?id/i.test(message ?? "")) return searchExpired();
  const status = response.status === 200 ? (STATUSES[code] ?? 500) : response.status;
  return errorOfStatus({
    service: SERVICE,
    credential: CREDENTIAL,
    response: { ...response, status },
    detail: message,
    now,
  });
}

/** Why a request for a token gave none. */
function errorOfGrant(response: JsonResponse, detail: string | undefined, now: number): PlatformError {
  // TikTok answers 400, or even 200, to a client that it does not know.
  const isRejection = response.status < 400 || response.status === 400 || response.status === 403;
  const status = isRejection ? 401 : response.status;
  return errorOfStatus({ service: SERVICE, credential: CREDENTIAL, response: { ...response, status }, detail, now });
}

function notApproved(said: string | undefined): PlatformError {
  const message =
    `TikTok has not approved the client of ${CREDENTIAL} for its Research API (scope_not_authorized). The operator must ` +
    "apply for the scope research.data.basic, or have postings imported.";
  return new PlatformError(
    "auth",
    said === undefined || said === "" ? message : `${message} It says: ${said.slice(0, 200)}`,
  );
}

function quotaSpent(now: number): PlatformError {
  const retryAt = budgetWindow("day", now).to;
  const message =
    `TikTok's own quota of this client for today is spent. It resumes at ${new Date(retryAt).toISOString()}; the operator ` +
    "can lower TIKTOK_REQUESTS_PER_DAY so that the quota lasts.";
  return new PlatformError("budget", message, { retryAt, requests: 1 });
}

/** A known fault of TikTok: the same request may succeed a little later; otherwise the poll starts over. */
function searchExpired(): PlatformError {
  return new PlatformError(
    "temporary",
    "TikTok does not know the search of the page before any more. It will be retried.",
  );
}

const text = z.string();
const words = maybe(text.min(1));
/** Ids of 64 bits arrive as strings (`parseLongNumbers`), shorter ones as numbers. */
const id = z.union([text.regex(/^\d{1,20}$/), z.int().nonnegative().transform(String)]);

const videoSchema = z
  .object({
    id: maybe(id),
    /** The name of `id` in older answers. */
    video_id: maybe(id),
    create_time: z.int().nonnegative().max(8_640_000_000_000),
    video_description: words,
    voice_to_text: words,
    username: words,
    region_code: words,
    hashtag_names: list(text),
    hashtag_info_list: list(z.object({ hashtag_name: text })),
    video_mention_list: list(text),
    like_count: count,
    comment_count: count,
    share_count: count,
    view_count: count,
    favorites_count: count,
    favourites_count: count,
    music_id: maybe(id),
    effect_ids: list(id),
    playlist_id: maybe(id),
    video_duration: maybe(z.number().nonnegative()),
    is_stem_verified: maybe(z.boolean()),
    video_label: maybe(z.json()),
    demo: demoMark,
  })
  .transform((video, context) => {
    const own = video.id ?? video.video_id;
    if (own !== undefined) return { ...video, id: own };
    context.addIssue("a video has an id");
    return z.NEVER;
  });

const pageSchema = z.object({
  data: z.object({
    videos: z.unknown().optional(),
    has_more: maybe(z.boolean()),
    cursor: maybeNumber,
    search_id: maybe(id.or(text.min(1))),
  }),
});

const faultSchema = z.object({ error: z.object({ code: maybe(text), message: words }) });

const grantSchema = z.object({
  access_token: words,
  expires_in: z.number().positive().catch(0),
  error_description: words,
});

/** A video as TikTok states it. */
export type TiktokVideo = z.output<typeof videoSchema>;

/** Undefined for a video without id or time. */
export function readVideo(item: unknown): TiktokVideo | undefined {
  return videoSchema.safeParse(item).data;
}

/** A page of a search. */
export type TiktokPage = z.output<typeof pageSchema>["data"];

/** Undefined if a body is no page of a search. */
function readSearchPage(body: unknown): TiktokPage | undefined {
  return pageSchema.safeParse(body).data?.data;
}

/** What TikTok says about a request that it refuses; the code is `ok` for others. */
function readFault(body: unknown): {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
} {
  return faultSchema.safeParse(body).data?.error ?? {};
}

/** What the response to a request for a token says; without `access_token` it is a refusal. */
function readGrant(body: unknown): z.output<typeof grantSchema> {
  return grantSchema.safeParse(body).data ?? { expires_in: 0 };
}
