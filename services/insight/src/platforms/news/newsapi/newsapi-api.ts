import { fetchJson, type JsonResponse } from "../../http-json.js";
import { wasUnsent } from "../../budget.js";
import { type PageRequest, type PlatformDeps, PlatformError } from "../../connector.js";
import { type BudgetDeps, PacedBudget } from "../../budget.js";
import { type NewsapiPage, readPage } from "./answer.js";
import { errorOfResponse, isBeyondPlan, SERVICE } from "./failure.js";

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
export interface NewsapiQuestion {
  readonly query: string;
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** What NewsAPI gives for a question; no page: the plan does not give it. */
export interface NewsapiReply {
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
    private readonly deps: Pick<PlatformDeps, "http" | "now"> & BudgetDeps,
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
   * Asks for a page. Throws PlatformError, also for a failure that NewsAPI would only repeat, before a request; HttpFailure
   * if there was no answer.
   */
  async ask(
    question: NewsapiQuestion,
    { search, signal }: Pick<PageRequest, "search" | "signal">,
  ): Promise<NewsapiReply> {
    const { http, now } = this.deps;
    if (question.page * question.pageSize > this.resultsMax) return { page: undefined, requests: 0 };
    this.mustBeFree();
    const { key, baseUrl } = this.settings;
    const reservation = await this.budget.reserve(1, search);
    const asked = { url: everythingUrl(baseUrl, question), headers: { "X-Api-Key": key }, signal, service: SERVICE };
    const response = await fetchJson(http, asked).catch((error: unknown) => {
      if (wasUnsent(error)) reservation.commit(0);
      throw error;
    });
    // What is refused counts, too.
    reservation.commit(1);
    if (isBeyondPlan(response) && question.page > 1) {
      this.resultsMax = (question.page - 1) * question.pageSize;
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
export function everythingUrl(baseUrl: string, { query, from, to, page, pageSize }: NewsapiQuestion): string {
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
