import { fold } from "@hourglass/runtime/text";
import type { Atom, Expression, Query } from "./ast.js";
import { mentionKey, scan, tagKey, tokenize, type WordSink } from "./tokenizer.js";
import type { CodeUnits } from "./unicode.js";

/** What of a posting is searched. A phrase is found inside one of these texts, not across two. */
export interface SearchedTexts {
  readonly title?: string | undefined;
  readonly text: string;
  /** Searched as tags and as texts; with or without `#`. */
  readonly tags?: readonly string[] | undefined;
  /** Names in addition to those in the texts; with or without `@`. */
  readonly mentions?: readonly string[] | undefined;
}

interface Match {
  readonly matches: boolean;
  /** The terms that the posting fulfills, as the user wrote them. */
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
  /** Before the last word. */
  #stateBefore = START;
  /** Whether the last word, or a stem of it, is one of the query. */
  #isKnown = false;
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
    this.#stateBefore = this.#state;
    this.#isKnown = word !== -1;
    this.#state = word === -1 ? START : phrases.step(this.#state, word);
    if (this.#state !== START) this.#mark(this.#state);
    if (prefixes?.mark(text, { start, end }, this.#present) === true) this.#isEmpty = false;
  }

  /** Continues a phrase only if the query has no longer form of the word. */
  stem(text: CodeUnits, start: number, end: number): void {
    const { vocabulary, phrases, prefixes } = this.#query;
    if (prefixes?.mark(text, { start, end }, this.#present) === true) this.#isEmpty = false;
    const word = vocabulary.find(text, start, end);
    if (word === -1) return;
    const state = phrases.step(this.#isKnown ? START : this.#stateBefore, word);
    if (state !== START) this.#mark(state);
    if (!this.#isKnown) this.#state = state;
    this.#isKnown = true;
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

/** A query in the form in which texts are searched for it. Each atom has a slot that says whether it occurred. */
interface CompiledQuery {
  readonly terms: readonly { readonly text: string; readonly condition: Condition }[];
  readonly vocabulary: Vocabulary;
  /** The slots of words and phrases are its states. */
  readonly phrases: PhraseAutomaton;
  readonly prefixes: PrefixTree | undefined;
  readonly tags: ReadonlyMap<string, number>;
  readonly mentions: ReadonlyMap<string, number>;
  readonly slotCount: number;
}

/** Prepares the search for a query. */
export function compile({ terms }: Query): CompiledQuery {
  const atoms = terms.flatMap(({ expression }) => atomsOf(expression));
  const { vocabulary, phrases, slots } = compilePhrases(atoms);
  const automaton = new PhraseAutomaton(phrases, vocabulary.size);
  const numbering = { next: automaton.stateCount };
  const prefixes = numberKeys(atoms, "prefix", numbering);
  const tags = numberKeys(atoms, "tag", numbering);
  const mentions = numberKeys(atoms, "mention", numbering);
  const named = { prefix: prefixes, tag: tags, mention: mentions };
  const slotOf = (atom: Atom): number =>
    (atom.kind === "word" || atom.kind === "phrase" ? slots.get(atom) : named[atom.kind].get(keyOf(atom))) ?? 0;
  return {
    terms: terms.map(({ text, expression }) => ({ text, condition: conditionOf(expression, slotOf) })),
    vocabulary,
    phrases: automaton,
    prefixes: prefixTree(prefixes),
    tags,
    mentions,
    slotCount: numbering.next,
  };
}

function atomsOf(expression: Expression): Atom[] {
  if (expression.kind === "not") return atomsOf(expression.operand);
  if (expression.kind === "and" || expression.kind === "or") return expression.operands.flatMap(atomsOf);
  return [expression];
}

function compilePhrases(atoms: readonly Atom[]): {
  vocabulary: Vocabulary;
  phrases: Phrases;
  slots: ReadonlyMap<Atom, number>;
} {
  const vocabulary = new Vocabulary();
  const phrases = new Phrases();
  const slots = new Map<Atom, number>();
  for (const atom of atoms) {
    if (atom.kind !== "word" && atom.kind !== "phrase") continue;
    slots.set(atom, phrases.add(tokenize(atom.text).map((word) => vocabulary.add(word))));
  }
  return { vocabulary, phrases, slots };
}

/** Gives each prefix, tag or mention a slot. */
function numberKeys(atoms: readonly Atom[], kind: Atom["kind"], numbering: { next: number }): Map<string, number> {
  const keys = new Set(atoms.filter((atom) => atom.kind === kind).map(keyOf));
  return new Map([...keys].map((key) => [key, numbering.next++]));
}

function keyOf(atom: Atom): string {
  if (atom.kind === "tag") return tagKey(atom.name);
  if (atom.kind === "mention") return mentionKey(atom.name);
  return tokenize(atom.text)[0] ?? "";
}

function prefixTree(prefixes: ReadonlyMap<string, number>): PrefixTree | undefined {
  if (prefixes.size === 0) return undefined;
  const tree = new PrefixTree();
  for (const [prefix, slot] of prefixes) tree.add(prefix, slot);
  return tree;
}

/** An expression whose atoms are slots: places in an array that say what occurred. */
type Condition =
  | { readonly kind: "slot"; readonly slot: number }
  | { readonly kind: "not"; readonly condition: Condition }
  | { readonly kind: "and" | "or"; readonly conditions: readonly Condition[] };

/** Replaces the atoms of an expression by slots. */
function conditionOf(expression: Expression, slotOf: (atom: Atom) => number): Condition {
  switch (expression.kind) {
    case "not":
      return { kind: "not", condition: conditionOf(expression.operand, slotOf) };
    case "and":
    case "or":
      return { kind: expression.kind, conditions: expression.operands.map((each) => conditionOf(each, slotOf)) };
    default:
      return { kind: "slot", slot: slotOf(expression) };
  }
}

/** Whether a condition holds. */
function holds(condition: Condition, present: Uint8Array): boolean {
  switch (condition.kind) {
    case "slot":
      return present[condition.slot] === 1;
    case "not":
      return !holds(condition.condition, present);
    case "and":
      for (const each of condition.conditions) if (!holds(each, present)) return false;
      return true;
    case "or":
      for (const each of condition.conditions) if (holds(each, present)) return true;
      return false;
  }
}

/** State before any word of a phrase. */
const START = 0;

/**
 * Finds all phrases of a query in one pass over the words of a text (Aho and Corasick). A word is its number in the
 * query's vocabulary, from 0; the state after a word outside the vocabulary is `START`.
 */
class PhraseAutomaton {
  /** One state for each beginning of a phrase, and `START`. */
  readonly stateCount: number;
  readonly #vocabularySize: number;
  readonly #next: Uint16Array;
  /** States whose phrase ends with a shorter one, longest first, each followed by the state of that. */
  readonly #suffixes: readonly number[];

  constructor(phrases: Phrases, vocabularySize: number) {
    this.stateCount = phrases.children.length;
    this.#vocabularySize = vocabularySize;
    const { next, suffixes } = connect(phrases, vocabularySize);
    this.#next = next;
    this.#suffixes = suffixes;
  }

  /** The state after one more word. */
  step(state: number, word: number): number {
    return this.#next[state * this.#vocabularySize + word]!;
  }

  /** Given the states that were reached, marks the states of all phrases that occurred. */
  markSuffixes(reached: Uint8Array): void {
    for (let i = 0; i < this.#suffixes.length; i += 2) {
      if (reached[this.#suffixes[i]!] === 1) reached[this.#suffixes[i + 1]!] = 1;
    }
  }
}

/** The phrases of a query as a tree whose nodes are the states. */
class Phrases {
  readonly children: Map<number, number>[] = [new Map<number, number>()];

  /** Adds a phrase and gives the state that is reached where it ends. */
  add(words: readonly number[]): number {
    return words.reduce((state, word) => this.#child(state, word), START);
  }

  #child(state: number, word: number): number {
    const known = this.children[state]?.get(word);
    if (known !== undefined) return known;
    const added = this.children.push(new Map()) - 1;
    this.children[state]?.set(word, added);
    return added;
  }
}

/** Fills in, for each state and word, the longest beginning of a phrase that the text then ends with. */
function connect({ children }: Phrases, vocabularySize: number): { next: Uint16Array; suffixes: number[] } {
  const next = new Uint16Array(children.length * vocabularySize);
  const suffixOf = new Uint16Array(children.length);
  const suffixes: number[] = [];
  // Breadth first: the suffix of a state is shorter, so it is complete before the state.
  const queue = [START];
  for (const state of queue) {
    const suffix = suffixOf[state]!;
    if (suffix !== START) suffixes.unshift(state, suffix);
    if (state !== START)
      next.copyWithin(state * vocabularySize, suffix * vocabularySize, (suffix + 1) * vocabularySize);
    for (const [word, child] of children[state] ?? []) {
      suffixOf[child] = state === START ? START : next[suffix * vocabularySize + word]!;
      next[state * vocabularySize + word] = child;
      queue.push(child);
    }
  }
  return { next, suffixes };
}

interface Node {
  readonly children: Map<number, Node>;
  /** Slot of the prefix that ends here. */
  slot: number | undefined;
}

/** Finds all prefixes of a word by reading it once, no further than the longest prefix. */
class PrefixTree {
  readonly #root: Node = { children: new Map(), slot: undefined };

  add(prefix: string, slot: number): void {
    let node = this.#root;
    for (let i = 0; i < prefix.length; i += 1) {
      const unit = prefix.charCodeAt(i);
      let child = node.children.get(unit);
      if (child === undefined) node.children.set(unit, (child = { children: new Map(), slot: undefined }));
      node = child;
    }
    node.slot = slot;
  }

  /** Marks the slots of the prefixes of the word from `start` to `end`; returns whether there was one. */
  mark(text: CodeUnits, range: { start: number; end: number }, present: Uint8Array): boolean {
    let found = false;
    let node: Node | undefined = this.#root;
    for (let index = range.start; index < range.end; index += 1) {
      node = node.children.get(text.charCodeAt(index));
      if (node === undefined) break;
      if (node.slot === undefined) continue;
      present[node.slot] = 1;
      found = true;
    }
    return found;
  }
}

const FIRST_UNITS = 256;
const LENGTHS = 64;

/** The words of a query, numbered from 0. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  /** Which pairs of first character and length occur: most words of a text are dismissed without being cut out of it. */
  readonly #shapes = new Uint8Array(FIRST_UNITS * LENGTHS);

  get size(): number {
    return this.#numbers.size;
  }

  /** The number of a word, which is added if it is new. */
  add(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    this.#shapes[shapeOf(word.charCodeAt(0), word.length)] = 1;
    this.#numbers.set(word, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  /** The number of the word from `start` to `end`, or -1. */
  find(text: CodeUnits, start: number, end: number): number {
    if (this.#shapes[shapeOf(text.charCodeAt(start), end - start)] === 0) return -1;
    return this.#numbers.get(text.slice(start, end)) ?? -1;
  }
}

function shapeOf(firstUnit: number, length: number): number {
  return (firstUnit % FIRST_UNITS) * LENGTHS + (length % LENGTHS);
}
