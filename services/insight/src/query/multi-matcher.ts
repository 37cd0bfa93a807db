import { fold } from "@hourglass/runtime/text";
import type { Expression, Query } from "./ast.js";
import { compileQuery, type Matcher, type SearchedTexts, Vocabulary } from "./matcher.js";
import { scan, tokenize, type WordSink } from "./tokenizer.js";
import type { CodeUnits } from "./unicode.js";

/** Finds the queries that a posting matches, among many. */
export interface MultiMatcher<K> {
  /** The keys of these queries, in the order in which they were given. */
  match(posting: SearchedTexts): K[];
}

/**
 * Prepares many queries for a stream of postings. The words of a posting are read once; a query is evaluated only if one
 * of the words occurs that it cannot do without. Queries that have no such word, as of prefixes, are evaluated always.
 */
export function compileQueries<K>(queries: Iterable<readonly [K, Query]>): MultiMatcher<K> {
  return new IndexedMatcher([...queries]);
}

class IndexedMatcher<K> implements MultiMatcher<K>, WordSink {
  readonly #keys: readonly K[];
  readonly #matchers: readonly Matcher[];
  readonly #vocabulary = new Vocabulary();
  /** By number of a word, the queries that need it. */
  readonly #needing: number[][] = [];
  readonly #always: readonly number[];
  /** The queries to evaluate for the present posting. */
  readonly #candidates = new Set<number>();

  constructor(queries: readonly (readonly [K, Query])[]) {
    this.#keys = queries.map(([key]) => key);
    this.#matchers = queries.map(([, query]) => compileQuery(query));
    const always: number[] = [];
    for (const [index, [, query]] of queries.entries()) {
      const words = wordsOfTerms(query.terms.map(({ expression }) => expression));
      if (words === undefined) always.push(index);
      else for (const word of words) (this.#needing[this.#vocabulary.add(word)] ??= []).push(index);
    }
    this.#always = always;
  }

  match(posting: SearchedTexts): K[] {
    const { title, text, tags = [] } = posting;
    this.#candidates.clear();
    for (const part of [title ?? "", text, ...tags]) scan(fold(part), this);
    for (const index of this.#always) this.#candidates.add(index);
    return [...this.#candidates]
      .sort((a, b) => a - b)
      .filter((index) => this.#matchers[index]!.match(posting).matches)
      .map((index) => this.#keys[index]!);
  }

  word(text: CodeUnits, start: number, end: number): void {
    const word = this.#vocabulary.find(text, start, end);
    for (const index of this.#needing[word] ?? []) this.#candidates.add(index);
  }

  stem(text: CodeUnits, start: number, end: number): void {
    this.word(text, start, end);
  }

  readonly tag = (): void => undefined;
  readonly mention = (): void => undefined;
}

/** Words of which one occurs wherever one of the expressions holds; undefined if there are no such words. */
function wordsOfTerms(expressions: readonly Expression[]): readonly string[] | undefined {
  const each = expressions.map(neededWords);
  return each.every((words) => words !== undefined) ? each.flat() : undefined;
}

function neededWords(expression: Expression): readonly string[] | undefined {
  switch (expression.kind) {
    case "word":
    case "phrase": {
      const [longest] = tokenize(expression.text).sort((a, b) => b.length - a.length);
      return longest === undefined ? undefined : [longest];
    }
    case "or":
      return wordsOfTerms(expression.operands);
    case "and":
      return rarest(expression.operands);
    default:
      return undefined;
  }
}

/** All operands must hold, so the words of one do: the fewest, then the longest, which hardly any posting has. */
function rarest(operands: readonly Expression[]): readonly string[] | undefined {
  const shortest = (words: readonly string[]): number => Math.min(...words.map(({ length }) => length));
  const each = operands.flatMap((operand) => {
    const words = neededWords(operand);
    return words === undefined ? [] : [words];
  });
  return each.sort((a, b) => a.length - b.length || shortest(b) - shortest(a))[0];
}
