import { createHash } from "node:crypto";
import type { Json } from "@hourglass/runtime";
import * as z from "zod";
import {
  type Connector,
  type Page,
  type PageRequest,
  type Plan,
  PlatformError,
  type PlatformSearch,
} from "../../connector.js";
import { maybe, readEach } from "../../schemas.js";
import {
  isRemoved,
  type NewsapiApi,
  type NewsapiArticle,
  type NewsapiPage,
  PAGE_ARTICLES,
  readArticle,
} from "./api.js";
import { toPosting } from "./posting.js";
import { queriesFor } from "./query.js";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LOOK_BACK_MS = 7 * DAY_MS;
/** The smallest plan reaches back a month. */
const WINDOW_MS = 28 * DAY_MS;
/** NewsAPI finds some articles long after they were published: this span before the newest one is read again. */
const OVERLAP_MS = 60 * MINUTE_MS;
const INTERVAL_MS = 10 * MINUTE_MS;

/** NewsAPI's search of articles of many publishers. */
export class NewsapiConnector implements Connector {
  readonly mode = "search";
  readonly lookBackMs = LOOK_BACK_MS;
  readonly intervalMinMs = INTERVAL_MS;

  constructor(
    private readonly api: NewsapiApi,
    private readonly now: () => number,
  ) {}

  plan(search: PlatformSearch): Plan {
    const { requests: queries, narrowedLocally } = queriesFor(search.query);
    const cost = `NewsAPI: 1 request for each ${PAGE_ARTICLES} articles, at most ${this.api.settings.requestsPerDay} a day for all insights`;
    return { queries, narrowedLocally, cost, warnings: warningsOf(search) };
  }

  async fetchPage(request: PageRequest): Promise<Page> {
    request.signal.throwIfAborted();
    const { requests: queries } = queriesFor(request.search.query);
    const position = positionOf(request.pageToken, request.cursor);
    const query = queries[position.query];
    if (query === undefined) {
      const message = "NewsAPI cannot be asked for any of these keywords.";
      throw new PlatformError("permanent", message, { requests: 0 });
    }
    const { missedFrom, ...span }: Span = position.span ?? spanOf(query, position, request, this.now());
    const search = { query, ...span, page: position.page, pageSize: PAGE_ARTICLES };
    const { page: response, requests } = await this.api.search(search, request);
    const reading: Reading = { query, queries, span, position, preview: request.search.preview };
    const {
      gaps = [],
      warnings = [],
      ...page
    } = response === undefined ? endedByPlan(reading) : pageAfter(reading, response);
    const older =
      missedFrom === undefined ? [] : [{ from: missedFrom, to: span.from, reason: "before_window" as const }];
    return {
      ...page,
      requests,
      gaps: [...gaps, ...older],
      ...(page.nextPage === null ? { notBefore: this.now() + INTERVAL_MS } : {}),
      warnings: [...warningsOf(request.search), ...warnings],
    };
  }

  /** One article is wanted: whatever it is, the key is accepted. */
  async check(request: PageRequest): Promise<void> {
    const [query = "news"] = queriesFor(request.search.query).requests;
    const search = { query, from: this.now() - DAY_MS, to: this.now(), page: 1, pageSize: 1 };
    await this.api.search(search, request);
  }
}

/** What the owner of a search should know. */
function warningsOf({ query, preview }: PlatformSearch): string[] {
  const { requests, unsent } = queriesFor(query);
  return [
    ...unsent.map((term) => `NewsAPI cannot be asked for ${term}, so nothing is collected for it there.`),
    ...(preview && requests.length > 1
      ? [`The preview asks NewsAPI the first of ${requests.length} queries only.`]
      : []),
  ];
}

interface Span {
  readonly from: number;
  readonly to: number;
  /** Where it should begin, if NewsAPI does not reach back so far. */
  readonly missedFrom?: number;
}

/** From the newest article of the last poll, earlier by what NewsAPI finds late. */
function spanOf(query: string, { newest }: Position, { since }: PageRequest, now: number): Span {
  const known = newest[query];
  const wanted = known === undefined ? since : known - OVERLAP_MS;
  const from = Math.min(Math.max(wanted, now - WINDOW_MS), now - MINUTE_MS);
  return { from, to: now, ...(wanted < from ? { missedFrom: wanted } : {}) };
}

interface Reading {
  readonly query: string;
  readonly queries: readonly string[];
  readonly span: Span;
  readonly position: Position;
  readonly preview: boolean;
}

type Read = Omit<Page, "requests">;

function pageAfter(reading: Reading, { articles, totalResults }: NewsapiPage): Read {
  const { query, span, position } = reading;
  const { items, skipped } = readEach(
    articles.filter((article) => !isRemoved(article)),
    readArticle,
  );
  // A time that lies ahead must not hide what comes before it.
  const times = items.map(({ publishedAt }) => publishedAt).filter((time) => time <= span.to);
  const newest = Math.max(position.newest[query] ?? 0, ...times);
  const oldest = Math.min(position.oldest ?? span.to, ...times);
  const size = position.size ?? Math.max(articles.length, 1);
  const after: Position = {
    ...position,
    span,
    oldest,
    before: digestOf(items),
    size,
    newest: newest === 0 ? position.newest : { ...position.newest, [query]: newest },
  };
  const read = position.page * size;
  const isFull = articles.length >= (totalResults === undefined ? PAGE_ARTICLES : size);
  const hasMore = isFull && (totalResults ?? Infinity) > read;
  const repeats = after.before === position.before;
  return {
    postings: items.map(toPosting),
    skipped,
    ...(hasMore && !repeats ? nextPage(reading, after) : nextQuery(reading, after)),
  };
}

function nextPage({ preview, queries }: Reading, after: Position): Pick<Page, "nextPage" | "cursor"> {
  const next = preview ? null : tokenOf({ ...after, page: after.page + 1 });
  return { nextPage: next, cursor: cursorOf(after.newest, queries) };
}

/** The next query, else the end of the poll. */
function nextQuery({ queries, preview }: Reading, after: Position): Pick<Page, "nextPage" | "cursor"> {
  const query = after.query + 1;
  const hasNext = query < queries.length && !preview;
  const next = hasNext ? tokenOf({ query, page: 1, span: undefined, newest: after.newest }) : null;
  return { nextPage: next, cursor: cursorOf(after.newest, queries) };
}

/** The plan gives the newest results only: what is older is missed. */
function endedByPlan(reading: Reading): Read {
  const { span, position } = reading;
  const results = (position.page - 1) * PAGE_ARTICLES;
  const to = position.oldest ?? span.to;
  const warning =
    `NewsAPI's plan gives the newest ${results} articles of a search, and this one has more. ` +
    "Narrow the keywords, or have the operator take a larger plan.";
  return {
    postings: [],
    skipped: 0,
    ...nextQuery(reading, position),
    ...(span.from < to ? { gaps: [{ from: span.from, to, reason: "page_limit" as const }] } : {}),
    warnings: [warning],
  };
}

function digestOf(items: readonly NewsapiArticle[]): string {
  return createHash("sha256")
    .update(JSON.stringify(items.map(({ url }) => url)))
    .digest("base64url");
}

/** Time of the newest article that was read, by query: another release may ask other ones. */
const newestSchema = z.record(z.string(), z.number());
const cursorSchema = z.object({ newest: newestSchema });
const tokenSchema = z.object({
  query: z.int().nonnegative(),
  page: z.int().positive(),
  from: z.number(),
  to: z.number(),
  newest: newestSchema,
  oldest: maybe(z.number()),
  before: maybe(z.string()),
  size: maybe(z.int().positive()),
});

/** Which page of a poll comes next. Times are milliseconds since the epoch. */
interface Position {
  /** Index of the query. */
  readonly query: number;
  /** From 1. */
  readonly page: number;
  /** Times of publication that this query is asked for; fixed with its first page, so that later pages do not move. */
  readonly span: { readonly from: number; readonly to: number } | undefined;
  readonly newest: Readonly<Record<string, number>>;
  /** Time of the oldest article that the pages before had. */
  readonly oldest?: number | undefined;
  /** Digest of the page before. */
  readonly before?: string | undefined;
  /** Articles of the first page: NewsAPI may return fewer than it is asked for. */
  readonly size?: number | undefined;
}

/** The position of a page token, else the start of a poll. */
function positionOf(pageToken: Json, cursor: Json): Position {
  const token = tokenSchema.safeParse(pageToken).data;
  if (token !== undefined) {
    const { from, to, ...position } = token;
    return { ...position, span: from < to ? { from, to } : undefined };
  }
  return { query: 0, page: 1, span: undefined, newest: cursorSchema.safeParse(cursor).data?.newest ?? {} };
}

function tokenOf({ query, page, span, newest, oldest, before, size }: Position): Json {
  return {
    query,
    page,
    from: span?.from ?? 0,
    to: span?.to ?? 0,
    newest: { ...newest },
    ...(oldest === undefined ? {} : { oldest }),
    ...(before === undefined ? {} : { before }),
    ...(size === undefined ? {} : { size }),
  };
}

/** What the next poll needs: the queries that are asked no more are forgotten. */
function cursorOf(newest: Readonly<Record<string, number>>, queries: readonly string[]): Json {
  return { newest: Object.fromEntries(Object.entries(newest).filter(([query]) => queries.includes(query))) };
}
