import { compileQuery, type SearchedTexts } from "../matcher.js";
import type { Atom } from "../ast.js";
import { parseQuery } from "../parser.js";
import type { QueryDialect } from "../translate.js";

/** An upstream with the whole language but prefixes, in requests of limited length. */
export function nestedDialect(maxLength: number): QueryDialect<string> {
  return {
    word: (text) => text,
    phrase: (text) => `"${text}"`,
    tag: (name) => `#${name}`,
    mention: (name) => `@${name}`,
    not: (atom) => `-${atom}`,
    and: (parts) => parts.join(" "),
    or: (parts) => `(${parts.join(" OR ")})`,
    group: (said) => `(${said})`,
    joinsTerms: true,
    maxLength,
    lengthOf: (said) => [...said].length,
  };
}

/** What a request of `nestedDialect` finds. */
export function findsNested(request: string, posting: SearchedTexts): boolean {
  return compileQuery(parseQuery(request)).match(posting).matches;
}

/** A request and what it finds. */
export interface Search {
  readonly text: string;
  readonly isSingle: boolean;
  finds(posting: SearchedTexts): boolean;
}

/** An upstream that takes OR only between single words, writes tags as words, and knows no mentions. */
export function flatDialect(maxLength: number): QueryDialect<Search> {
  return {
    word: (text) => single({ kind: "word", text }, text),
    phrase: (text) => single({ kind: "phrase", text }, `"${text}"`),
    tag: (name) => single({ kind: "word", text: name }, name),
    mention: () => undefined,
    widens: ["tag"],
    not: (atom) => ({ text: `-${atom.text}`, isSingle: true, finds: (posting) => !atom.finds(posting) }),
    and: (parts) => ({
      text: parts.map(({ text }) => text).join(" "),
      isSingle: false,
      finds: (posting) => parts.every((part) => part.finds(posting)),
    }),
    or: (parts) => {
      if (!parts.every(({ isSingle }) => isSingle)) throw new Error("this upstream takes no nested OR");
      const text = `(${parts.map((part) => part.text).join(" OR ")})`;
      return { text, isSingle: false, finds: (posting) => parts.some((part) => part.finds(posting)) };
    },
    joinsTerms: true,
    maxLength,
    lengthOf: ({ text }) => [...text].length,
  };
}

function single(atom: Atom, text: string): Search {
  const matcher = compileQuery({ terms: [{ text, expression: atom }] });
  return { text, isSingle: true, finds: (posting) => matcher.match(posting).matches };
}

/** A condition of an upstream that takes lists: one of the values must occur. */
export interface Conditions {
  readonly and: readonly (readonly string[])[];
  readonly not: readonly string[];
}

/** An upstream that takes lists of values to require and to exclude, one request for each term. */
export const listDialect: QueryDialect<Conditions> = {
  word: (text) => ({ and: [[text]], not: [] }),
  phrase: (text) => ({ and: [[`"${text}"`]], not: [] }),
  tag: (name) => ({ and: [[`#${name}`]], not: [] }),
  mention: () => undefined,
  not: ({ and }) => ({ and: [], not: and.flat() }),
  and: (parts) => ({ and: parts.flatMap(({ and }) => and), not: parts.flatMap(({ not }) => not) }),
  or: (parts) => ({ and: [parts.flatMap(({ and }) => and.flat())], not: [] }),
  joinsTerms: false,
  maxLength: Infinity,
  lengthOf: () => 0,
};

/** What a request of `listDialect` finds. */
export function findsListed({ and, not }: Conditions, posting: SearchedTexts): boolean {
  const occurs = (value: string): boolean => findsNested(value, posting);
  return and.every((values) => values.some(occurs)) && !not.some(occurs);
}
