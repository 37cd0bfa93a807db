import type { DemoArticle } from "./article.js";
import { readNewsapiQuery } from "./newsapi-query.js";

const PAGE_MAX = 100;
const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z?)?$/;
const KNOWN = new Set(
  "q,searchIn,sources,domains,excludeDomains,from,to,language,sortBy,pageSize,page,apiKey".split(","),
);

/** A request that NewsAPI would refuse; the message is its own. */
export class NewsapiRequestRefused extends Error {
  override readonly name = "NewsapiRequestRefused";

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export interface EverythingRequest {
  readonly matches: (article: DemoArticle) => boolean;
  /** Times of publication, inclusive, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly pageSize: number;
  /** From 1. */
  readonly page: number;
}

/** Reads the parameters of `/v2/everything`. Throws NewsapiRequestRefused or NewsapiQueryRefused. */
export function readEverything(query: URLSearchParams, { now, oldest }: { now: number; oldest: number }) {
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
