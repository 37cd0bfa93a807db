import { createHash } from "node:crypto";
import { inventPerson, inventText, oneOf, type Person, randomOf } from "./invented.js";
import { contains, wordsOf } from "./query.js";
import { Timeline } from "./timeline.js";
import { type Reply, RequestWindow, Upstream, type UpstreamRequest } from "./upstream.js";

const PATH = "/v2/everything";
const HALF_DAY_MS = 12 * 60 * 60_000;
const MONTH_MS = 30 * 24 * 60 * 60_000;
const CONTENT_CHARACTERS = 200;

/** What a test or the demo decides about the fake. */
interface NewsapiUpstreamOptions {
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

  protected respond(request: UpstreamRequest): Reply {
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

  private page({ matches, from, to, pageSize: requested, page }: EverythingRequest): Reply {
    const pageSize = Math.min(requested, this.plan.pageMax);
    if (page * pageSize > this.plan.resultsMax && page > 1) return newsapiProblem("maximumResultsReached");
    const until = Math.min(to, this.options.now() - this.plan.delayMs);
    const wants = (article: DemoArticle): boolean => matches(article) && isWithin(article, { from, until });
    let { items, nextToken } = this.timeline.page({ wants, limit: pageSize, token: undefined });
    for (let number = 2; number <= page; number += 1) {
      if (nextToken === undefined) items = [];
      else ({ items, nextToken } = this.timeline.page({ wants, limit: pageSize, token: nextToken }));
    }
    const totalResults = this.timeline.irregular.loops ? 1_000_000 : this.timeline.count(wants);
    return { body: { status: "ok", totalResults, articles: items.map(articleJson) } };
  }
}

/** NewsAPI states whole seconds, and finds by them. */
function isWithin({ at }: DemoArticle, { from, until }: { from: number; until: number }): boolean {
  const second = Math.floor(at / 1000) * 1000;
  return second >= from && second <= until;
}

function articleJson({ source, author, at, extra, ...article }: DemoArticle): Record<string, unknown> {
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

/** An article as the fakes of NewsAPI and GDELT keep it. */
export interface DemoArticle {
  /** Digest of its address, as the connector makes it: 32 hexadecimal digits. */
  readonly id: string;
  readonly url: string;
  /** Time of publication, in milliseconds since the epoch. */
  readonly at: number;
  readonly title: string;
  readonly description: string;
  /** Its beginning. */
  readonly content: string;
  readonly source: { readonly id: string | null; readonly name: string };
  readonly author: Person;
  readonly image: string | null;
  /** Proper names in the text. */
  readonly names: readonly string[];
  /** ISO 639-2 code of the language from which GDELT translated it; undefined: it is English. */
  readonly translatedFrom: string | undefined;
  /** Fields that replace or add to those of NewsAPI's response. */
  readonly extra: Readonly<Record<string, unknown>>;
}

const SOURCES = ["demo-gazette.example", "demo-courier.example", "demo-herald.example"] as const;

/** An invented article of this number and time; `values` replaces parts of it. */
export function inventArticle(number: number, at: number, values: Partial<DemoArticle> = {}): DemoArticle {
  const random = randomOf(number);
  const source = oneOf(SOURCES, random);
  const url = values.url ?? `https://${source}/articles/${number}`;
  return {
    at,
    title: inventText(random).replace(/ [#@].*$/, ""),
    description: inventText(random),
    content: `${inventText(random)} ${inventText(random)}`,
    source: { id: null, name: source },
    author: inventPerson(random),
    image: `https://${source}/images/${number}.jpg`,
    names: ["Kestrel Phone"],
    translatedFrom: undefined,
    extra: {},
    ...values,
    url,
    id: articleIdOf(url),
  };
}

/** The id that postings of an article have. */
export function articleIdOf(url: string): string {
  return createHash("sha256").update(url).digest("hex").slice(0, 32);
}

const PAGE_MAX = 100;
const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z?)?$/;
const KNOWN = new Set(
  "q,searchIn,sources,domains,excludeDomains,from,to,language,sortBy,pageSize,page,apiKey".split(","),
);

/** A request that NewsAPI would refuse; the message is its own. */
class NewsapiRequestRefused extends Error {
  override readonly name = "NewsapiRequestRefused";

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

interface EverythingRequest {
  readonly matches: (article: DemoArticle) => boolean;
  /** Times of publication, inclusive, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly pageSize: number;
  /** From 1. */
  readonly page: number;
}

/** Reads the parameters of `/v2/everything`. Throws NewsapiRequestRefused or NewsapiQueryRefused. */
function readEverything(query: URLSearchParams, { now, oldest }: { now: number; oldest: number }) {
  const unknown = [...query.keys()].find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw invalid(`The parameter ${unknown} is not known.`);
  if (!query.has("q")) {
    throw new NewsapiRequestRefused("parametersMissing", "Required parameters are missing, the scope is too broad.");
  }
  if ((query.get("sortBy") ?? "publishedAt") !== "publishedAt") throw invalid("The fake sorts by publishedAt only.");
  const from = query.has("from") ? timeOf(query.get("from") ?? "") : oldest;
  if (from < oldest) {
    throw invalid("You are trying to request results too far in the past. Your plan permits you less.");
  }
  const request: EverythingRequest = {
    matches: readNewsapiQuery(query.get("q") ?? ""),
    from,
    to: query.has("to") ? timeOf(query.get("to") ?? "") : now,
    pageSize: numberOf(query, "pageSize", PAGE_MAX),
    page: numberOf(query, "page", 1),
  };
  if (request.pageSize > PAGE_MAX) throw invalid("The pageSize parameter must be 100 at most.");
  return request;
}

function numberOf(query: URLSearchParams, name: string, fallback: number): number {
  const number = Number(query.get(name) ?? fallback);
  if (Number.isInteger(number) && number >= 1) return number;
  throw invalid(`The ${name} parameter is not a number from 1.`);
}

function timeOf(text: string): number {
  const time = TIME.test(text) ? Date.parse(text.length > 10 && !text.endsWith("Z") ? `${text}Z` : text) : Number.NaN;
  if (Number.isNaN(time)) throw invalid(`The time ${text} is not valid.`);
  return time;
}

function invalid(message: string): NewsapiRequestRefused {
  return new NewsapiRequestRefused("parameterInvalid", message);
}

type Condition = (article: DemoArticle) => boolean;

/** A query that NewsAPI would refuse. */
export class NewsapiQueryRefused extends Error {
  override readonly name = "NewsapiQueryRefused";
}

const CHARACTERS_MAX = 500;
const PIECES = /\s*([+-]?"[^"]*"|[()]|[^\s()"]+)/gy;

/**
 * Reads the `q` of NewsAPI: phrases, `+must`, `-not`, AND, OR, NOT and parentheses. AND binds tighter than OR; words with
 * nothing between them are alternatives that rank, so that a careful client writes AND.
 */
export function readNewsapiQuery(text: string): Condition {
  if (text.trim() === "") throw new NewsapiQueryRefused("The query is empty.");
  if ([...text].length > CHARACTERS_MAX) throw new NewsapiQueryRefused("The query is longer than 500 characters.");
  const reader = new QueryReader(piecesOf(text));
  const condition = reader.readAlternatives();
  reader.mustBeAtEnd();
  return condition;
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  PIECES.lastIndex = 0;
  for (let end = 0; text.slice(end).trim() !== ""; end = PIECES.lastIndex) {
    const piece = PIECES.exec(text)?.[1];
    if (piece === undefined) throw new NewsapiQueryRefused(`The query cannot be read at ${end}.`);
    pieces.push(piece);
  }
  return pieces;
}

class QueryReader {
  private next = 0;

  constructor(private readonly pieces: readonly string[]) {}

  readAlternatives(): Condition {
    const alternatives = [this.readAll()];
    while (this.takes("OR")) alternatives.push(this.readAll());
    return (article) => alternatives.some((matches) => matches(article));
  }

  mustBeAtEnd(): void {
    const piece = this.pieces[this.next];
    if (piece !== undefined) throw new NewsapiQueryRefused(`The query has ${piece} where an operator must be.`);
  }

  private readAll(): Condition {
    const all = [this.readOne()];
    while (this.takes("AND")) all.push(this.readOne());
    return (article) => all.every((matches) => matches(article));
  }

  private readOne(): Condition {
    if (this.takes("NOT")) {
      const excluded = this.readOne();
      return (article) => !excluded(article);
    }
    const piece = this.pieces[this.next];
    if (piece === undefined || /^(?:AND|OR|\))$/.test(piece)) {
      throw new NewsapiQueryRefused("The query has an operator with nothing beside it.");
    }
    this.next += 1;
    if (piece !== "(") return conditionOf(piece);
    const group = this.readAlternatives();
    if (!this.takes(")")) throw new NewsapiQueryRefused("The query has an open parenthesis.");
    return group;
  }

  private takes(piece: string): boolean {
    if (this.pieces[this.next] !== piece) return false;
    this.next += 1;
    return true;
  }
}

function conditionOf(piece: string): Condition {
  const isExcluded = piece.startsWith("-");
  const wanted = wordsOf(piece.replace(/^[+-]/, ""));
  const finds: Condition = ({ title, description, content }) =>
    [title, description, content].some((text) => contains(wordsOf(text), wanted));
  return isExcluded ? (article) => !finds(article) : finds;
}

const STATUSES: Readonly<Record<string, number>> = {
  apiKeyMissing: 401,
  apiKeyInvalid: 401,
  apiKeyDisabled: 401,
  apiKeyExhausted: 401,
  parameterInvalid: 400,
  parametersMissing: 400,
  maximumResultsReached: 426,
  rateLimited: 429,
  unexpectedError: 500,
};

/** An error of NewsAPI by its code. */
export function newsapiProblem(code: string, message = `NewsAPI's code is ${code}.`): Reply {
  return { status: STATUSES[code] ?? 400, body: { status: "error", code, message } };
}
