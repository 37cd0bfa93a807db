import { Timeline } from "../timeline/timeline.js";
import type { Reply, UpstreamRequest } from "../upstream/exchange.js";
import { RequestWindow } from "../upstream/request-window.js";
import { Upstream } from "../upstream/upstream.js";
import { type DemoArticle, inventArticle } from "./article.js";
import { newsapiProblem } from "./newsapi-problem.js";
import { NewsapiQueryRefused } from "./newsapi-query.js";
import { type EverythingRequest, NewsapiRequestRefused, readEverything } from "./newsapi-request.js";

const PATH = "/v2/everything";
const HALF_DAY_MS = 12 * 60 * 60_000;
const MONTH_MS = 30 * 24 * 60 * 60_000;
const CONTENT_CHARACTERS = 200;

/** What a test or the demo decides about the fake. */
export interface NewsapiUpstreamOptions {
  /** The key that it accepts. */
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default: any free one. */
  readonly port?: number;
}

/**
 * A fake of NewsAPI's `/v2/everything`, made from its documentation: queries, pages by number, limits of plans and errors.
 * Its articles are invented.
 */
export class NewsapiUpstream extends Upstream {
  readonly timeline = new Timeline<DemoArticle>();
  /** Requests of half a day. */
  readonly window: RequestWindow;
  /** What the plan allows: newest results of a query, how far back, by how much articles are delayed, and results of a page. */
  readonly plan = { resultsMax: Infinity, backMs: MONTH_MS, delayMs: 0, pageMax: Infinity };
  private added = 0;

  private constructor(private readonly options: NewsapiUpstreamOptions) {
    super();
    this.window = new RequestWindow(Infinity, HALF_DAY_MS, options.now);
  }

  static start(options: NewsapiUpstreamOptions): Promise<NewsapiUpstream> {
    return new NewsapiUpstream(options).listen(options.port);
  }

  /** Adds an invented article; default time: now. Returns the id of its posting. */
  post(values: Partial<DemoArticle> = {}): string {
    this.added += 1;
    const article = inventArticle(this.added, values.at ?? this.options.now(), values);
    this.timeline.add(article);
    return article.id;
  }

  /** Changes an article at its address. */
  edit(id: string, values: Pick<DemoArticle, "title"> & Partial<DemoArticle>): void {
    this.timeline.edit(id, (article) => ({ ...article, ...values }));
  }

  /** Takes an article down: NewsAPI lists a stub in its place, which all such articles share. */
  remove(id: string): void {
    const gone = { title: "[Removed]", description: "[Removed]", content: "[Removed]", url: "https://removed.com" };
    this.timeline.edit(id, (article) => ({ ...article, extra: { ...gone, author: null, urlToImage: null } }));
  }

  protected answer(request: UpstreamRequest): Reply {
    const key = request.headers["x-api-key"];
    if (key === undefined) return newsapiProblem("apiKeyMissing");
    if (key !== this.options.key) return newsapiProblem("apiKeyInvalid");
    if (request.method !== "GET" || request.path !== PATH) return { status: 404, body: { status: "error" } };
    if (this.window.take().isExceeded) return newsapiProblem("rateLimited");
    const now = this.options.now();
    try {
      return this.page(readEverything(request.query, { now, oldest: now - this.plan.backMs }));
    } catch (error) {
      if (error instanceof NewsapiRequestRefused) return newsapiProblem(error.code, error.message);
      if (error instanceof NewsapiQueryRefused) return newsapiProblem("parameterInvalid", error.message);
      throw error;
    }
  }

  private page({ matches, from, to, pageSize: asked, page }: EverythingRequest): Reply {
    const pageSize = Math.min(asked, this.plan.pageMax);
    if (page * pageSize > this.plan.resultsMax && page > 1) return newsapiProblem("maximumResultsReached");
    const until = Math.min(to, this.options.now() - this.plan.delayMs);
    const wants = (article: DemoArticle): boolean => matches(article) && isWithin(article, { from, until });
    let { items, nextToken } = this.timeline.page({ wants, limit: pageSize, token: undefined });
    for (let number = 2; number <= page; number += 1) {
      if (nextToken === undefined) items = [];
      else ({ items, nextToken } = this.timeline.page({ wants, limit: pageSize, token: nextToken }));
    }
    const totalResults = this.timeline.irregular.loops ? 1_000_000 : this.timeline.count(wants);
    return { body: { status: "ok", totalResults, articles: items.map(articleAnswer) } };
  }
}

/** NewsAPI states whole seconds, and finds by them. */
function isWithin({ at }: DemoArticle, { from, until }: { from: number; until: number }): boolean {
  const second = Math.floor(at / 1000) * 1000;
  return second >= from && second <= until;
}

function articleAnswer({ source, author, at, extra, ...article }: DemoArticle): Record<string, unknown> {
  const cut = [...article.content].slice(0, CONTENT_CHARACTERS).join("");
  return {
    source,
    author: author.name,
    title: article.title,
    description: article.description,
    url: article.url,
    urlToImage: article.image,
    publishedAt: new Date(at).toISOString().replace(/\.\d+Z$/, "Z"),
    content: `${cut}… [+1916 chars]`,
    demo: true,
    ...extra,
  };
}
