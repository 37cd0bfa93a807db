import { queryLength } from "../text.js";
import type { QueryDialect } from "../../query/translate/dialect.js";
import { type Translation, translate } from "../../query/translate/translate.js";
import type { Query } from "../../query/language/expression.js";

const LIMITS = {
  charactersMax: 512,
  /** A URL has 2,048 characters; other parameters and the address take the rest. */
  encodedMax: 1700,
};
const WORD = /^\w+$/;

/**
 * Reddit's search operators. It knows neither tags nor names, so both are words. How OR and a space bind is not documented:
 * every OR stands in parentheses.
 */
export const REDDIT_DIALECT: QueryDialect<string> = {
  word: (text) => text,
  phrase: quoted,
  tag: wordOf,
  mention: wordOf,
  widens: ["tag", "mention"],
  not: (atom) => `NOT ${atom}`,
  and: (parts) => parts.join(" "),
  or: (parts) => `(${parts.join(" OR ")})`,
  group: (said) => `(${said})`,
  joinsTerms: true,
  maxLength: LIMITS.charactersMax,
  lengthOf: (said) => queryLength(said, LIMITS),
};

/** The searches that Reddit is asked for a query. */
export function queriesFor(query: Query): Translation<string> {
  return translate(query, REDDIT_DIALECT);
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", " ")}"`;
}

function wordOf(name: string): string | undefined {
  if (name === "") return undefined;
  return WORD.test(name) && !/^(?:AND|OR|NOT)$/.test(name) ? name : quoted(name);
}
