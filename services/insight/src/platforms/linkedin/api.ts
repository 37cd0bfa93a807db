import * as z from "zod";
import { type AppToken, AppTokens, fetchAsApp } from "../app-tokens.js";
import { budgetWindow, PacedBudget, sendReserved } from "../budget.js";
import { type PlatformDeps, PlatformError, type RequestContext } from "../connector.js";
import { errorOfStatus, fetchJson, type JsonResponse } from "../http-json.js";
import type { Count } from "../posting-draft.js";
import { count, demoMark, maybe, maybeCount, maybeList, maybeNumber } from "../schemas.js";
import { SourceError } from "../sources.js";

const SERVICE = "LinkedIn";
const CREDENTIAL = "LINKEDIN_ACCESS_TOKEN (or LINKEDIN_REFRESH_TOKEN)";
const TOKEN_PATH = "/oauth/v2/accessToken";
const SECOND_MS = 1000;

export interface LinkedinSettings {
  readonly baseUrl: string;
  /** Month of the API's version. */
  readonly version: string;
  readonly requestsPerDay: number;
  /** A token, or what tokens are renewed with. */
  readonly access: string | Renewal;
}

interface Renewal {
  readonly signInUrl: string;
  readonly refreshToken: string;
  readonly id: string;
  readonly secret: string;
}

/** A request of Rest.li. */
interface LinkedinRequest {
  /** With its query, in the encoding of Rest.li. */
  readonly path: string;
  readonly method?: "FINDER" | "BATCH_GET";
}

/** LinkedIn's API with versions: requests within their budget, and what its errors mean. */
export class LinkedinApi {
  private readonly budget: PacedBudget;
  private readonly tokens: AppTokens | string;

  constructor(
    private readonly deps: PlatformDeps,
    private readonly settings: LinkedinSettings,
  ) {
    const { access, requestsPerDay } = settings;
    this.budget = new PacedBudget(deps, {
      name: "linkedin.requests",
      limit: requestsPerDay,
      period: "day",
      units: "requests of LinkedIn",
      setting: "LINKEDIN_REQUESTS_PER_DAY",
    });
    this.tokens = typeof access === "string" ? access : new AppTokens(() => this.renewToken(access), deps.now);
  }

  /** Throws PlatformError, SourceError if it is about one organization alone, or HttpFailure. */
  async get(request: LinkedinRequest, context: RequestContext): Promise<unknown> {
    const response = await this.response(request, context);
    if (response.status !== 200) throw errorOfResponse(response, this.deps.now());
    return response.body;
  }

  /** As `get`, for what a posting can do without: undefined if LinkedIn does not give it. */
  async getOptional(request: LinkedinRequest, context: RequestContext): Promise<unknown> {
    const response = await this.response(request, context);
    if ([400, 403, 404].includes(response.status)) return undefined;
    if (response.status !== 200) throw errorOfResponse(response, this.deps.now());
    return response.body;
  }

  private response(request: LinkedinRequest, context: RequestContext): Promise<JsonResponse> {
    const send = (token: string): Promise<JsonResponse> => this.send(request, token, context);
    return typeof this.tokens === "string" ? send(this.tokens) : fetchAsApp(this.tokens, send);
  }

  private async send(
    { path, method }: LinkedinRequest,
    token: string,
    { search, signal }: RequestContext,
  ): Promise<JsonResponse> {
    const { baseUrl, version } = this.settings;
    const reservation = await this.budget.reserve(1, search);
    const headers = {
      Authorization: `Bearer ${token}`,
      "LinkedIn-Version": version,
      "X-Restli-Protocol-Version": "2.0.0",
      ...(method !== undefined && { "X-RestLi-Method": method }),
    };
    const url = new URL(`/rest${path}`, baseUrl).href;
    return sendReserved(reservation, () => fetchJson(this.deps.http, { url, headers, signal, service: SERVICE }));
  }

  private async renewToken({ signInUrl, refreshToken, id, secret }: Renewal): Promise<AppToken> {
    const { http, now } = this.deps;
    const form = { grant_type: "refresh_token", refresh_token: refreshToken, client_id: id, client_secret: secret };
    const response = await fetchJson(http, {
      url: new URL(TOKEN_PATH, signInUrl).href,
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(form).toString(),
      service: SERVICE,
    });
    const { access_token: value, expires_in: seconds, error_description: detail } = readGrant(response.body);
    if (response.status === 200 && value !== undefined) return { value, expiresAt: now() + seconds * SECOND_MS };
    // A refresh token that ended, or a client that is unknown, is answered with 400.
    const status = response.status <= 400 || response.status === 403 ? 401 : response.status;
    throw errorOfStatus({
      service: SERVICE,
      credential: "LINKEDIN_REFRESH_TOKEN, LINKEDIN_CLIENT_ID or LINKEDIN_CLIENT_SECRET",
      response: { ...response, status },
      detail,
      now: now(),
    });
  }
}

/** Posts of one request: the URNs of a page must fit into one URL of the requests for their counts. */
export const POSTS_MAX = 40;

/** The URN of an organization. */
function urnOf(organization: string): string {
  return `urn:li:organization:${organization}`;
}

/** Which organizations the member administers. */
export function administered(): LinkedinRequest {
  return { path: "/organizationAcls?q=roleAssignee&role=ADMINISTRATOR&state=APPROVED", method: "FINDER" };
}

/** The posts of an organization, those that were changed last first. */
export function postsOf(organization: string, start: number): LinkedinRequest {
  const author = encodeURIComponent(urnOf(organization));
  return {
    path: `/posts?q=author&author=${author}&count=${POSTS_MAX}&start=${start}&sortBy=LAST_MODIFIED`,
    method: "FINDER",
  };
}

/** Reactions and comments of posts. */
export function metadataOf(urns: readonly string[]): LinkedinRequest {
  return { path: `/socialMetadata?ids=${listOf(urns)}`, method: "BATCH_GET" };
}

/** How often posts of an organization were shared. */
export function statisticsOf(organization: string, urns: readonly string[]): LinkedinRequest {
  const lists = (["share", "ugcPost"] as const).flatMap((kind) => {
    const own = urns.filter((urn) => urn.startsWith(`urn:li:${kind}:`));
    return own.length === 0 ? [] : [`&${kind}s=${listOf(own)}`];
  });
  const entity = encodeURIComponent(urnOf(organization));
  const path = `/organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity=${entity}${lists.join("")}`;
  return { path, method: "FINDER" };
}

/** The names of an organization. */
export function namesOf(organization: string): LinkedinRequest {
  return { path: `/organizations/${organization}` };
}

/** Commas and parentheses of a list are Rest.li's own. */
function listOf(urns: readonly string[]): string {
  return `List(${urns.map(encodeURIComponent).join(",")})`;
}

/** What a response with an error means: SourceError if another organization may be readable. */
function errorOfResponse(response: JsonResponse, now: number): PlatformError {
  const detail = readFault(response.body);
  const said = detail === undefined ? "" : ` It says: ${detail.slice(0, 200)}`;
  const { status } = response;
  if (status === 403) {
    const message =
      `LinkedIn forbids it (403): the member of the token needs access to the organization as its administrator, and ` +
      `the app needs the product Community Management API.${said}`;
    return new SourceError("permanent", message, { isForbidden: true });
  }
  if (status === 404) {
    return new SourceError(
      "permanent",
      `LinkedIn does not know it (404). Check the number of the organization.${said}`,
    );
  }
  if (status === 426) {
    const message = `LinkedIn no longer answers this version of its API (426). The operator must raise LINKEDIN_VERSION.${said}`;
    return new PlatformError("permanent", message);
  }
  if (status === 429 && /throttle|day limit|daily/i.test(detail ?? "")) return quotaSpent(now, said);
  return errorOfStatus({ service: SERVICE, credential: CREDENTIAL, response, detail, now });
}

/** Limits of an app and of a member are counted by the day of UTC. */
function quotaSpent(now: number, said: string): PlatformError {
  const retryAt = budgetWindow("day", now).to;
  const message =
    `LinkedIn's own limit of requests for today is reached. It resumes at ${new Date(retryAt).toISOString()}; the operator ` +
    `can lower LINKEDIN_REQUESTS_PER_DAY so that it lasts.${said}`;
  return new PlatformError("budget", message, { retryAt, requests: 1 });
}

const text = z.string();
const words = maybe(text.min(1));
/** Milliseconds since the epoch that a date can hold. */
const time = z.number().int().nonnegative().max(8_640_000_000_000_000);

const postSchema = z.object({
  id: text.regex(/^urn:li:(share|ugcPost):\d{1,20}$/),
  createdAt: time,
  publishedAt: maybe(time),
  lastModifiedAt: maybe(time),
  author: maybe(text.regex(/^urn:li:\w+:\S{1,60}$/)),
  commentary: words,
  visibility: words,
  lifecycleState: words,
  lifecycleStateInfo: maybe(z.object({ isEditedByAuthor: maybe(z.boolean()) })),
  content: maybe(z.record(text, z.unknown())),
  reshareContext: maybe(z.object({ parent: words, root: words })),
  demo: demoMark,
});

/** What a post shows beside its text, as far as it is words. */
const contentSchema = z.object({
  article: maybe(z.object({ source: words, title: words, description: words })),
  media: maybe(z.object({ id: words, title: words, altText: words })),
  multiImage: maybe(z.object({ images: maybeList(z.object({ id: words, altText: words })) })),
  poll: maybe(z.object({ question: words, options: maybeList(z.object({ text, voteCount: maybeCount })) })),
  reference: maybe(z.object({ id: words })),
});

const pageSchema = z.object({
  elements: z.unknown().optional(),
  paging: maybe(
    z.object({
      start: maybeNumber,
      count: maybeNumber,
      total: maybeNumber,
      links: maybeList(z.object({ rel: text, href: words })),
    }),
  ),
});

const reactionSchema = z.object({ reactionType: text, count });

const metadataSchema = z.object({
  /** By kind, or as a list. */
  reactionSummaries: maybe(
    z
      .union([z.array(z.unknown()), z.record(text, z.unknown()).transform((map) => Object.values(map))])
      .transform((list) => list.flatMap((entry) => reactionSchema.safeParse(entry).data ?? [])),
  ),
  commentSummary: maybe(z.object({ count: maybeCount, commentCount: maybeCount })),
});

const batchSchema = z.object({ results: z.record(text, z.unknown()) });
const statisticsSchema = z.object({
  elements: maybeList(
    z.object({ share: words, ugcPost: words, totalShareStatistics: z.object({ shareCount: count }) }),
  ),
});
const namesSchema = z.object({ vanityName: words, localizedName: words });
const faultSchema = z.object({ message: text.min(1) });
const grantSchema = z.object({
  access_token: words,
  expires_in: z.number().positive().catch(0),
  error_description: words,
});

/** A post as LinkedIn states it. */
export type LinkedinPost = z.output<typeof postSchema>;
type LinkedinContent = z.output<typeof contentSchema>;
export type LinkedinMetadata = z.output<typeof metadataSchema>;
export type LinkedinNames = z.output<typeof namesSchema>;
/** A page of posts, which are not read yet. */
export type PostsPage = z.output<typeof pageSchema>;

/** Undefined if the answer is no page of posts. */
export function readPostsPage(body: unknown): PostsPage | undefined {
  return pageSchema.safeParse(body).data;
}

/** Undefined for a post without id or time. */
export function readPost(item: unknown): LinkedinPost | undefined {
  return postSchema.safeParse(item).data;
}

export function readContent(content: unknown): LinkedinContent {
  return contentSchema.safeParse(content).data ?? {};
}

/** Reactions and comments by URN of the post. */
export function readMetadata(body: unknown): ReadonlyMap<string, LinkedinMetadata> {
  const results = batchSchema.safeParse(body).data?.results ?? {};
  return new Map(
    Object.entries(results).flatMap(([urn, entry]) => {
      const metadata = metadataSchema.safeParse(entry).data;
      return metadata === undefined ? [] : [[urn, metadata] as const];
    }),
  );
}

/** Shares by URN of the post. */
export function readStatistics(body: unknown): ReadonlyMap<string, Count> {
  const elements = statisticsSchema.safeParse(body).data?.elements ?? [];
  return new Map(
    elements.flatMap(({ share, ugcPost, totalShareStatistics: { shareCount } }) => {
      const urn = share ?? ugcPost;
      return urn === undefined ? [] : [[urn, shareCount] as const];
    }),
  );
}

export function readNames(body: unknown): LinkedinNames {
  return namesSchema.safeParse(body).data ?? {};
}

/** What LinkedIn says about a request that it refuses; undefined if nothing. */
function readFault(body: unknown): string | undefined {
  return faultSchema.safeParse(body).data?.message;
}

/** What the answer to a request for a token says; without `access_token` it is a refusal. */
function readGrant(body: unknown): z.output<typeof grantSchema> {
  return grantSchema.safeParse(body).data ?? { expires_in: 0 };
}
