import * as z from "zod";
import { budgetWindow, PacedBudget, sendReserved } from "../../budget.js";
import { type PlatformDeps, PlatformError, type RequestContext } from "../../connector.js";
import { errorOfStatus, fetchJson, type JsonResponse, retryAfterOf } from "../../http-json.js";
import { demoMark, maybe, maybeNumber, statedTime } from "../../schemas.js";

/** NewsAPI gives no more a page. */
export const PAGE_ARTICLES = 100;
const SECOND_MS = 1000;
/** A key that is rejected is not sent again for so long. */
const REJECTED_MS = 15 * 60_000;

/** How the operator has NewsAPI asked. */
export interface NewsapiSettings {
  readonly key: string;
  readonly baseUrl: string;
  readonly requestsPerDay: number;
}

/** One page of a search. Times of publication are milliseconds since the epoch, inclusive. */
interface NewsapiSearch {
  readonly query: string;
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** What NewsAPI gives for a search; no page: the plan does not give it. */
interface NewsapiResponse {
  readonly page: NewsapiPage | undefined;
  /** Requests that it took. */
  readonly requests: number;
}

/** NewsAPI as one key sees it: its budget and its plan belong to all searches of this process. */
export class NewsapiApi {
  private readonly budget: PacedBudget;
  private held: { readonly until: number; readonly error: PlatformError } | undefined;
  /** Results of a search that the plan gives, as far as it has shown. */
  private resultsMax = Infinity;

  constructor(
    private readonly deps: Omit<PlatformDeps, "collectInterval">,
    readonly settings: NewsapiSettings,
  ) {
    this.budget = new PacedBudget(deps, {
      name: "newsapi.requests",
      limit: settings.requestsPerDay,
      period: "day",
      units: "requests of NewsAPI",
      setting: "NEWSAPI_REQUESTS_PER_DAY",
    });
  }

  /**
   * Fetches a page. Throws PlatformError, also for a failure that NewsAPI would only repeat, before a request; HttpFailure
   * if there was no response.
   */
  async search(search: NewsapiSearch, context: RequestContext): Promise<NewsapiResponse> {
    const { http, now } = this.deps;
    if (search.page * search.pageSize > this.resultsMax) return { page: undefined, requests: 0 };
    this.mustBeFree();
    const { key, baseUrl } = this.settings;
    const reservation = await this.budget.reserve(1, context.search);
    const headers = { "X-Api-Key": key };
    const request = { url: everythingUrl(baseUrl, search), headers, signal: context.signal, service: SERVICE };
    const response = await sendReserved(reservation, () => fetchJson(http, request));
    // What is refused counts, too.
    reservation.commit(1);
    if (isBeyondPlan(response) && search.page > 1) {
      this.resultsMax = (search.page - 1) * search.pageSize;
      return { page: undefined, requests: 1 };
    }
    const page = response.status === 200 ? readPage(response.body) : undefined;
    if (page === undefined) throw this.failure(response, now());
    return { page, requests: 1 };
  }

  private mustBeFree(): void {
    if (this.held === undefined || this.held.until <= this.deps.now()) return;
    const { kind, message } = this.held.error;
    throw new PlatformError(kind, message, { retryAt: this.held.until, requests: 0 });
  }

  private failure(response: JsonResponse, now: number): PlatformError {
    const isError = response.status !== 200 || (response.body as { status?: unknown } | null)?.status === "error";
    if (!isError) return new PlatformError("temporary", "NewsAPI returns no page of articles. It will be retried.");
    const error = errorOfResponse(response, now);
    const until = error.kind === "auth" ? now + REJECTED_MS : error.retryAt;
    if (until !== undefined && error.kind !== "temporary") this.held = { until, error };
    return error;
  }
}

/** The URL of a page, newest first. The key goes in a header, so that no log shows it. */
export function everythingUrl(baseUrl: string, { query, from, to, page, pageSize }: NewsapiSearch): string {
  const url = new URL("/v2/everything", baseUrl);
  url.search = new URLSearchParams({
    q: query,
    from: secondOf(Math.floor(from / SECOND_MS)),
    to: secondOf(Math.ceil(to / SECOND_MS)),
    sortBy: "publishedAt",
    pageSize: String(pageSize),
    page: String(page),
  }).toString();
  return url.href;
}

function secondOf(seconds: number): string {
  return new Date(seconds * SECOND_MS).toISOString().replace(".000Z", "");
}

const SERVICE = "NewsAPI";
const CREDENTIAL = "NEWSAPI_KEY";
const DETAIL_MAX = 200;
/** The developer plan counts over half a day, and does not say when a request is free again. */
const RATE_MS = 60 * 60_000;

const BAD_KEY = ["apiKeyInvalid", "apiKeyMissing"];
const REFUSED = ["parameterInvalid", "parametersMissing", "sourcesTooMany", "sourceDoesNotExist"];

/** Whether the plan gives no further results of a search, only the newest ones. */
function isBeyondPlan({ status, body }: Pick<JsonResponse, "status" | "body">): boolean {
  const { code } = readProblem(body);
  return code === "maximumResultsReached" || (status === 426 && code === undefined);
}

/** What an answer with an error means; `now` in milliseconds since the epoch. */
export function errorOfResponse(response: JsonResponse, now: number): PlatformError {
  const { code = "", message } = readProblem(response.body);
  const detail = (message ?? "").slice(0, DETAIL_MAX);
  if (BAD_KEY.includes(code)) {
    return new PlatformError("auth", `NewsAPI rejects the key. The operator must renew ${CREDENTIAL}.${said(detail)}`);
  }
  if (code === "apiKeyDisabled") {
    const sentence = `NewsAPI has disabled the key. The operator must renew ${CREDENTIAL}, or ask NewsAPI why.`;
    return new PlatformError("auth", `${sentence}${said(detail)}`);
  }
  if (code === "apiKeyExhausted") return exhausted(now);
  if (code === "rateLimited") return rateLimited(response, { now, detail });
  if (isBeyondPlan(response)) {
    const remedy = "Narrow the keywords, or have the operator take a larger plan.";
    return new PlatformError("permanent", `NewsAPI's plan gives no more results of this search. ${remedy}`);
  }
  if (REFUSED.includes(code)) return refused(response, detail);
  if (code === "unexpectedError") {
    const retryAt = retryAfterOf(response, now);
    return new PlatformError("temporary", `NewsAPI is failing (${response.status}). It will be retried.`, {
      retryAt,
    });
  }
  return errorOfStatus({ service: SERVICE, credential: CREDENTIAL, response, detail, now });
}

/** Somebody else uses the same key, or NewsAPI counts otherwise than this server. */
function exhausted(now: number): PlatformError {
  const retryAt = budgetWindow("day", now).to;
  const message =
    `NewsAPI says that the requests of ${CREDENTIAL} are used up. It resumes at ${new Date(retryAt).toISOString()}. ` +
    "If this happens often, the operator must lower NEWSAPI_REQUESTS_PER_DAY, or take a larger plan.";
  return new PlatformError("budget", message, { retryAt, requests: 1 });
}

function rateLimited(response: JsonResponse, { now, detail }: { now: number; detail: string }): PlatformError {
  const retryAt = retryAfterOf(response, now) ?? now + RATE_MS;
  const remedy = "If this happens often, the operator must lower NEWSAPI_REQUESTS_PER_DAY to what the plan has.";
  return new PlatformError(
    "rate",
    `NewsAPI has received too many requests (${response.status}). ${remedy}${said(detail)}`,
    {
      retryAt,
    },
  );
}

function refused({ status }: JsonResponse, detail: string): PlatformError {
  if (/too far in the past/i.test(detail)) {
    const message = "NewsAPI's plan does not reach as far back as this search does.";
    return new PlatformError("permanent", `${message} The operator may take a larger plan.${said(detail)}`);
  }
  const message = `NewsAPI refuses the request (${status}). Simplify the keywords; if that does not help, tell the operator.`;
  return new PlatformError("permanent", `${message}${said(detail)}`);
}

function said(detail: string): string {
  return detail === "" ? "" : ` It says: ${detail}`;
}

const text = z.string();
/** NewsAPI lists articles that were taken down as stubs with this title. */
const REMOVED = "[Removed]";

const articleSchema = z.object({
  url: z.url({ protocol: /^https?$/ }).max(2048),
  title: text.min(1),
  publishedAt: statedTime,
  source: maybe(z.object({ id: maybe(text), name: maybe(text) })),
  author: maybe(text),
  description: maybe(text),
  urlToImage: maybe(z.url({ protocol: /^https?$/ }).max(2048)),
  /** Cut after 200 characters. */
  content: maybe(text),
  demo: demoMark,
});

const pageSchema = z.object({ status: z.literal("ok"), totalResults: maybeNumber, articles: z.array(z.unknown()) });

/** An article as NewsAPI states it. */
export type NewsapiArticle = z.output<typeof articleSchema>;

export interface NewsapiPage {
  /** How many results the search has; undefined if that is not stated. */
  readonly totalResults: number | undefined;
  readonly articles: readonly unknown[];
}

/** Undefined if the answer is no page of articles. */
function readPage(body: unknown): NewsapiPage | undefined {
  const page = pageSchema.safeParse(body).data;
  return page && { totalResults: page.totalResults, articles: page.articles };
}

/** Undefined for an article without address, title or time. */
export function readArticle(item: unknown): NewsapiArticle | undefined {
  return articleSchema.safeParse(item).data;
}

const removedSchema = z.object({ title: z.literal(REMOVED) });

/** Whether a publisher has taken the article down: nothing of it is left. */
export function isRemoved(item: unknown): boolean {
  return removedSchema.safeParse(item).success;
}

const problemSchema = z.object({ status: z.literal("error"), code: maybe(text), message: maybe(text) });

/** What NewsAPI says about a request that it refuses. */
function readProblem(body: unknown): {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
} {
  return problemSchema.safeParse(body).data ?? {};
}
