import type { QueryDialect } from "../query/translate.js";
import { type QueryLimits, queryLength } from "./text.js";

interface WordSearch {
  /** What the platform reads as one word; other names are quoted. */
  readonly word: RegExp;
  /** What stands between parts that must all be found. */
  readonly and: string;
  readonly limits: QueryLimits;
}

/**
 * The operators of a search that knows words, quoted phrases, NOT, AND and OR, but neither tags nor names: both are words.
 * Every OR stands in parentheses.
 */
export function wordSearch({ word, and, limits }: WordSearch): QueryDialect<string> {
  const wordOf = (name: string): string | undefined => {
    if (name === "") return undefined;
    return word.test(name) && !/^(?:AND|OR|NOT)$/.test(name) ? name : quoted(name);
  };
  return {
    word: (text) => text,
    phrase: quoted,
    tag: wordOf,
    mention: wordOf,
    widens: ["tag", "mention"],
    not: (atom) => `NOT ${atom}`,
    and: (parts) => parts.join(and),
    or: (parts) => `(${parts.join(" OR ")})`,
    group: (clause) => `(${clause})`,
    joinsTerms: true,
    maxLength: limits.charactersMax,
    lengthOf: (clause) => queryLength(clause, limits),
  };
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", " ")}"`;
}
