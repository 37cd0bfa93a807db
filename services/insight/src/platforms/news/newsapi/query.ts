import type { Query } from "../../../query/ast.js";
import { type QueryDialect, translate, type Translation } from "../../../query/translate.js";
import { queryLength } from "../../text.js";

const LIMITS = {
  charactersMax: 500,
  /** A URL has 2,048 characters; other parameters and the address take the rest. */
  encodedMax: 1700,
};
const WORD = /^[\p{L}\p{M}\p{N}_]+$/u;

/**
 * NewsAPI's search operators. What stands side by side without an operator is not required, so every AND is written. It
 * knows neither tags nor names: both are words.
 */
const NEWSAPI_DIALECT: QueryDialect<string> = {
  word: (text) => text,
  phrase: quoted,
  tag: wordOf,
  mention: wordOf,
  widens: ["tag", "mention"],
  not: (atom) => `NOT ${atom}`,
  and: (parts) => parts.join(" AND "),
  or: (parts) => `(${parts.join(" OR ")})`,
  group: (said) => `(${said})`,
  joinsTerms: true,
  maxLength: LIMITS.charactersMax,
  lengthOf: (said) => queryLength(said, LIMITS),
};

/** The searches that NewsAPI is asked for a query. */
export function queriesFor(query: Query): Translation<string> {
  return translate(query, NEWSAPI_DIALECT);
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", " ")}"`;
}

function wordOf(name: string): string | undefined {
  if (name === "") return undefined;
  return WORD.test(name) && !/^(?:AND|OR|NOT)$/.test(name) ? name : quoted(name);
}
