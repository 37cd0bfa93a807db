import { PlatformError } from "../../platforms/connector.js";
import { compileQuery, type Matcher } from "../../query/matcher.js";
import { parseQuery, QuerySyntaxError } from "../../query/parser.js";
import type { Query } from "../../query/ast.js";

/** A query as it was parsed, and its matcher. */
export interface CompiledKeywords {
  readonly query: Query;
  readonly matcher: Matcher;
}

/** Enough for the searches that one process polls at a time. */
const ENTRIES_MAX = 500;

/** Keeps compiled queries, because all pages of a poll and all platforms of an insight use the same one. */
export class MatcherCache {
  private readonly byKeywords = new Map<string, CompiledKeywords>();

  /** Throws PlatformError for keywords that this release does not understand; an earlier one accepted them. */
  of(keywords: string): CompiledKeywords {
    const known = this.byKeywords.get(keywords);
    if (known !== undefined) return known;
    const query = parse(keywords);
    const compiled = { query, matcher: compileQuery(query) };
    if (this.byKeywords.size >= ENTRIES_MAX) this.byKeywords.clear();
    this.byKeywords.set(keywords, compiled);
    return compiled;
  }
}

function parse(keywords: string): Query {
  try {
    return parseQuery(keywords);
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    const message = `The keywords are no longer understood. ${error.message} Create the insight anew.`;
    throw new PlatformError("permanent", message, { requests: 0, cause: error });
  }
}
