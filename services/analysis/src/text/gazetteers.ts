import { readFileSync } from "node:fs";
import { shipped } from "../models/shipped-models.js";
import { tokenize } from "./tokenizer.js";
import type { Token } from "./tokens.js";

/** The word lists of the model, one entry per line; each is a file of `model/gazetteers/`. */
const GAZETTEERS = [
  "first-names",
  "last-names",
  "persons",
  "titles",
  "countries",
  "regions",
  "cities",
  "locations",
  "facilities",
  "organizations",
  "nationalities",
  "languages",
  "events",
  "laws",
  "products",
  "works",
] as const;

/** The name of a word list. */
export type Gazetteer = (typeof GAZETTEERS)[number];

/** A run of tokens that word lists contain; `first` and `last` are token indexes, both inclusive. */
export interface GazetteerHit {
  readonly first: number;
  readonly last: number;
  /** One bit per list, by its index in `GAZETTEERS`. */
  readonly lists: number;
}

/** Whether a hit is in a list. */
export function isIn(hit: GazetteerHit, list: Gazetteer): boolean {
  return (hit.lists & bitOf(list)) !== 0;
}

/** The bit of a list in `GazetteerHit.lists`. */
export function bitOf(list: Gazetteer): number {
  return 1 << GAZETTEERS.indexOf(list);
}

/** Finds the longest entries in a text, from left to right and without overlap. */
export function findHits(tokens: readonly Token[]): GazetteerHit[] {
  const { lists, longest } = entries();
  const hits: GazetteerHit[] = [];
  let at = 0;
  while (at < tokens.length) {
    const hit = longestAt(tokens, at, lists, longest);
    if (hit) hits.push(hit);
    at = hit ? hit.last + 1 : at + 1;
  }
  return hits;
}

/** The lists that contain a phrase, as bits; the phrase is its tokens in lower case, joined by spaces. */
export function listsOf(phrase: string): number {
  return entries().lists.get(phrase) ?? 0;
}

/** An entry of several words that equals these letters without its spaces: `losangeles`, `los angeles`. */
export function spacedEntry(letters: string): string | undefined {
  compact ??= new Map(
    [...entries().lists.keys()]
      .filter((phrase) => /^[a-z]{2,}(?: [a-z0-9]+)+$/.test(phrase) && phrase.length <= 30)
      .map((phrase) => [phrase.replaceAll(" ", ""), phrase]),
  );
  return compact.get(letters);
}

let compact: ReadonlyMap<string, string> | undefined;

/** The entries of a list as in its file: lower case, sorted. */
export function entriesOf(list: Gazetteer): string[] {
  const file = shipped(`gazetteers/${list}.txt`);
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

interface Entries {
  /** Phrase → lists that contain it. */
  lists: Map<string, number>;
  /** First word → number of tokens of the longest phrase that starts with it. */
  longest: Map<string, number>;
}

let loaded: Entries | undefined;

function entries(): Entries {
  loaded ??= load();
  return loaded;
}

function load(): Entries {
  const lists = new Map<string, number>();
  const longest = new Map<string, number>();
  for (const list of GAZETTEERS) {
    for (const line of entriesOf(list)) {
      const words = wordsOf(line);
      const phrase = words.join(" ");
      const first = words[0] ?? "";
      lists.set(phrase, (lists.get(phrase) ?? 0) | bitOf(list));
      longest.set(first, Math.max(longest.get(first) ?? 0, words.length));
    }
  }
  return { lists, longest };
}

function wordsOf(line: string): string[] {
  // Most entries are plain words, for which the slow tokenizer is not needed.
  if (/^[a-z]+(?: [a-z]+)*$/.test(line)) return line.split(" ");
  return tokenize(line).map((token) => token.text);
}

function longestAt(
  tokens: readonly Token[],
  at: number,
  lists: ReadonlyMap<string, number>,
  longest: ReadonlyMap<string, number>,
): GazetteerHit | undefined {
  const first = tokens[at]?.lower ?? "";
  const words = Math.min(longest.get(first) ?? 0, tokens.length - at);
  for (let length = words; length > 0; length--) {
    const phrase = length === 1 ? first : phraseOf(tokens, at, at + length - 1);
    const bits = lists.get(phrase);
    if (bits !== undefined) return { first: at, last: at + length - 1, lists: bits };
  }
  return undefined;
}

/** Tokens in lower case, joined by spaces: the form of phrases in word lists. */
export function phraseOf(tokens: readonly Token[], first: number, last: number): string {
  let phrase = tokens[first]?.lower ?? "";
  for (let at = first + 1; at <= last; at++) phrase += ` ${tokens[at]?.lower ?? ""}`;
  return phrase;
}

/** The entity types of the interface. */
export type EntityType =
  "PERSON" | "NORP" | "FAC" | "ORG" | "GPE" | "LOC" | "PRODUCT" | "EVENT" | "WORK_OF_ART" | "LAW" | "LANGUAGE";

/** A named entity; `first` and `last` are token indexes, both inclusive. */
export interface Entity {
  readonly first: number;
  readonly last: number;
  readonly type: EntityType;
  /** The tagger's confidence, 0 to 1, if it has one. */
  readonly prob?: number;
}
