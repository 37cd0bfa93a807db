import { compile, type CompiledQuery } from "./compile.js";
import { holds } from "./condition.js";
import type { Query } from "../language/expression.js";
import { START } from "./phrase-automaton.js";
import type { CodeUnits } from "../words/code-units.js";
import { fold } from "../words/fold.js";
import { mentionKey, tagKey } from "../words/names.js";
import { scan, type WordSink } from "../words/scan.js";

/** What of a posting is searched. A phrase is found inside one of these texts, not across two. */
export interface SearchedTexts {
  readonly title?: string | undefined;
  readonly text: string;
  /** Searched as tags and as texts; with or without `#`. */
  readonly tags?: readonly string[] | undefined;
  /** Names in addition to those in the texts; with or without `@`. */
  readonly mentions?: readonly string[] | undefined;
}

export interface Match {
  readonly matches: boolean;
  /** The terms that the posting fulfils, as the user wrote them. */
  readonly matchedTerms: string[];
}

/** Decides for every platform whether a posting belongs to an insight. */
export interface Matcher {
  /** Takes time linear in the length of the texts, plus the length of the query. */
  match(posting: SearchedTexts): Match;
}

/** Prepares a query once for many postings. */
export function compileQuery(query: Query): Matcher {
  return new CompiledMatcher(compile(query));
}

class CompiledMatcher implements Matcher {
  readonly #query: CompiledQuery;
  readonly #occurrences: Occurrences;

  constructor(query: CompiledQuery) {
    this.#query = query;
    this.#occurrences = new Occurrences(query);
  }

  match({ title, text, tags = [], mentions = [] }: SearchedTexts): Match {
    const occurrences = this.#occurrences;
    occurrences.clear();
    if (title !== undefined) occurrences.read(fold(title));
    occurrences.read(fold(text));
    for (const tag of tags) {
      occurrences.read(fold(tag));
      occurrences.addTag(tagKey(tag));
    }
    for (const mention of mentions) occurrences.addMention(mentionKey(mention));
    const present = occurrences.found();
    // Each term has a word that must occur.
    if (present === undefined) return { matches: false, matchedTerms: [] };
    const matched = this.#query.terms.filter(({ condition }) => holds(condition, present));
    return { matches: matched.length > 0, matchedTerms: matched.map((term) => term.text) };
  }
}

/** What of a query occurs in the texts read so far. */
export class Occurrences implements WordSink {
  readonly #query: CompiledQuery;
  readonly #present: Uint8Array;
  #state = START;
  #isEmpty = true;

  constructor(query: CompiledQuery) {
    this.#query = query;
    this.#present = new Uint8Array(query.slotCount);
  }

  clear(): void {
    this.#present.fill(0);
    this.#isEmpty = true;
  }

  /** Searches a folded text. */
  read(text: CodeUnits): void {
    this.#state = START;
    scan(text, this);
  }

  /** By slot, 1 for what occurred; undefined if nothing did. */
  found(): Uint8Array | undefined {
    if (this.#isEmpty) return undefined;
    this.#query.phrases.markSuffixes(this.#present);
    return this.#present;
  }

  word(text: CodeUnits, start: number, end: number): void {
    const { vocabulary, phrases, prefixes } = this.#query;
    const word = vocabulary.find(text, start, end);
    this.#state = word === -1 ? START : phrases.step(this.#state, word);
    if (this.#state !== START) this.#mark(this.#state);
    if (prefixes?.mark(text, { start, end }, this.#present) === true) this.#isEmpty = false;
  }

  tag(text: CodeUnits, start: number, end: number): void {
    if (this.#query.tags.size > 0) this.addTag(text.slice(start, end));
  }

  mention(text: CodeUnits, start: number, end: number): void {
    if (this.#query.mentions.size > 0) this.addMention(text.slice(start, end));
  }

  addTag(key: string): void {
    this.#mark(this.#query.tags.get(key));
  }

  addMention(key: string): void {
    this.#mark(this.#query.mentions.get(key));
  }

  #mark(slot: number | undefined): void {
    if (slot === undefined) return;
    this.#present[slot] = 1;
    this.#isEmpty = false;
  }
}
