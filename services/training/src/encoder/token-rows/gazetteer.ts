import { entriesOf, type Gazetteer, tagText, type Token } from "@hourglass/analysis/topic";

/** The word lists that distinguish types of entities. */
const LISTS = [
  "first-names",
  "last-names",
  "persons",
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
] as const satisfies readonly Gazetteer[];

/** A run of tokens on word lists; `first` and `last` are token indexes, both inclusive. */
export interface ListHit {
  readonly first: number;
  readonly last: number;
  readonly lists: ReadonlySet<Gazetteer>;
}

/** Finds the longest listed phrases, from left to right and without overlap. */
export function findListed(tokens: readonly Token[]): ListHit[] {
  const hits: ListHit[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const hit = longestAt(tokens, at);
    if (!hit) continue;
    hits.push(hit);
    at = hit.last;
  }
  return hits;
}

/** The lists that contain the tokens from `first` to `last`, both inclusive. */
export function listsOf(tokens: readonly Token[], first: number, last: number): ReadonlySet<Gazetteer> {
  return phrases().get(phraseOf(tokens, first, last)) ?? NONE;
}

const NONE: ReadonlySet<Gazetteer> = new Set();
const LONGEST = 8;

function longestAt(tokens: readonly Token[], at: number): ListHit | undefined {
  for (let last = Math.min(at + LONGEST, tokens.length) - 1; last >= at; last--) {
    const lists = listsOf(tokens, at, last);
    if (lists.size > 0) return { first: at, last, lists };
  }
  return undefined;
}

function phraseOf(tokens: readonly Token[], first: number, last: number): string {
  return tokens
    .slice(first, last + 1)
    .map(({ lower, kind }) => (kind === "hashtag" ? lower.slice(1) : lower))
    .join(" ");
}

let loaded: Map<string, Set<Gazetteer>> | undefined;

function phrases(): ReadonlyMap<string, ReadonlySet<Gazetteer>> {
  loaded ??= load();
  return loaded;
}

function load(): Map<string, Set<Gazetteer>> {
  const found = new Map<string, Set<Gazetteer>>();
  for (const list of LISTS) {
    for (const entry of entriesOf(list)) {
      const phrase = /^[a-z]+(?: [a-z]+)*$/.test(entry)
        ? entry
        : tagText(entry)
            .map(({ lower }) => lower)
            .join(" ");
      const lists = found.get(phrase) ?? new Set();
      found.set(phrase, lists.add(list));
    }
  }
  return found;
}
