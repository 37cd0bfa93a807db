import { fold } from "@hourglass/runtime/text";

/** A posting of a preview, with what the reader says of it; undefined: nothing yet. */
export interface Marked {
  readonly text: string;
  readonly tags: readonly string[];
  readonly mark: Mark | undefined;
}

export type Mark = "hit" | "miss";

/** Something to leave out of a search, with what that would do to the postings of the preview. */
export interface Exclusion {
  /** As it is written in a query, with its minus. */
  readonly written: string;
  /** Misses that it leaves out. */
  readonly misses: number;
  /** Postings not judged that it leaves out, too. */
  readonly others: number;
}

/** Of a text, only the beginning is looked at. In UTF-16 units. */
const LOOKED_AT_MAX = 5_000;
/** Shorter words say nothing about what a posting is about; longer ones are none. */
const WORD_MIN = 3;
const WORD_MAX = 50;
/** What at least so many misses share is worth excluding. */
const SHARED_MIN = 2;
/** By how much more of the misses must have it than of the postings that are not judged, which count twice. */
const LEAD_MIN = 0.2;
/** A word that more of the postings than this have is none that tells them apart. */
const COMMON_SHARE = 0.3;
/** Proposals to choose from. */
const PROPOSED_MAX = 3;

const WORD = /^[\p{L}\p{M}\p{N}]+$/u;
const DIGITS = /^\p{N}+$/u;
const ADDRESS = /\bhttps?:\/\/\S+/giu;
const TAG = /[#＃]([\p{L}\p{M}\p{N}_]+)/gu;

/**
 * What the misses share and no hit has: the most misses first, and of these what leaves out the fewest postings that are not
 * judged. Words of the query itself are left alone, since without them nothing would be found.
 */
export function proposeExclusions(postings: readonly Marked[], keywords: string): Exclusion[] {
  const misses = postings.filter(({ mark }) => mark === "miss").map(featuresOf);
  const hits = postings.filter(({ mark }) => mark === "hit").map(featuresOf);
  const others = postings.filter(({ mark }) => mark === undefined).map(featuresOf);
  const searched = new Set(wordsOf(keywords));
  /** A phrase with such a word says no more than its other word. */
  const isCommon = (word: string): boolean =>
    !searched.has(word) && others.filter((features) => features.has(word)).length > COMMON_SHARE * others.length;
  const counts = new Map<string, number>();
  for (const features of misses) for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const found = [...counts]
    .filter(([feature, count]) => count >= SHARED_MIN && !isSearched(feature, searched))
    .filter(([feature]) => !hits.some((features) => features.has(feature)))
    .filter(([feature]) => !feature.includes(" ") || wordsOf(feature).every((word) => !isCommon(word)))
    .map(([feature, count]) => {
      const also = others.filter((features) => features.has(feature)).length;
      const share = others.length === 0 ? 0 : also / others.length;
      // What is as frequent elsewhere, such as "with", is nothing that the misses share.
      return { feature, misses: count, others: also, score: count / misses.length - 2 * share };
    })
    .filter(({ score }) => score >= LEAD_MIN)
    .sort((a, b) => b.score - a.score || specificity(b.feature) - specificity(a.feature));
  const chosen: typeof found = [];
  let left = misses;
  for (const candidate of found) {
    if (chosen.length === PROPOSED_MAX) break;
    // What others leave out already needs no second proposal.
    const rest = left.filter((features) => !features.has(candidate.feature));
    if (left.length - rest.length < SHARED_MIN) continue;
    chosen.push(candidate);
    left = rest;
  }
  return chosen.map(({ feature, misses: count, others: also }) => ({
    written: written(feature),
    misses: count,
    others: also,
  }));
}

/** The words, neighboring pairs and tags of a posting, in lower case and without accents, as a search compares them. */
function featuresOf({ text, tags }: Marked): Set<string> {
  const start = text.slice(0, LOOKED_AT_MAX).replaceAll(ADDRESS, "\n");
  const features = new Set<string>();
  for (const [, tag = ""] of start.matchAll(TAG)) if (tag.length <= WORD_MAX) features.add(`#${fold(tag)}`);
  for (const tag of tags) if (tag.length <= WORD_MAX && WORD.test(tag)) features.add(`#${fold(tag)}`);
  for (const line of start.split(/[\n.!?…,;:()"“”]+/u)) {
    const words = wordsOf(line);
    for (const [at, word] of words.entries()) {
      if (!isMeaningful(word)) continue;
      features.add(word);
      const next = words[at + 1];
      if (next !== undefined && word.length >= WORD_MIN && next.length >= WORD_MIN && isMeaningful(next)) {
        features.add(`${word} ${next}`);
      }
    }
  }
  return features;
}

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: "word" });

function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of SEGMENTER.segment(text)) {
    if (isWordLike === true && WORD.test(segment)) words.push(fold(segment));
  }
  return words;
}

/** Words of scripts without spaces are shorter. */
function isMeaningful(word: string): boolean {
  if (DIGITS.test(word) || word.length > WORD_MAX) return false;
  return word.length >= (/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word) ? WORD_MIN : WORD_MIN - 1);
}

function isSearched(feature: string, searched: ReadonlySet<string>): boolean {
  return wordsOf(feature).every((word) => searched.has(word));
}

/** Of two that leave out the same, the narrower one: a phrase, then a tag, then a word. */
function specificity(feature: string): number {
  if (feature.includes(" ")) return 2;
  return feature.startsWith("#") ? 1 : 0;
}

function written(feature: string): string {
  return feature.includes(" ") ? `-"${feature}"` : `-${feature}`;
}

const OPENING = /[("“„«（＂]/u;
const CLOSING = /[)"”“»）＂]/u;

/** The keywords with an exclusion: it applies to one term only, so it is added to each. */
export function withExclusion(keywords: string, exclusion: string): string {
  return termsOf(keywords)
    .map((term) => {
      const trimmed = term.trimEnd();
      if (trimmed.trim() === "" || trimmed.includes(` ${exclusion}`)) return term;
      return `${trimmed} ${exclusion}`;
    })
    .join(",");
}

/** The terms between the commas; commas in quotes and parentheses belong to a term. */
function termsOf(keywords: string): string[] {
  const terms = [""];
  let isQuoted = false;
  let depth = 0;
  for (const character of keywords) {
    const isQuote = /["“”„«»＂]/u.test(character);
    if (isQuote) isQuoted = !isQuoted;
    else if (!isQuoted && OPENING.test(character)) depth += 1;
    else if (!isQuoted && CLOSING.test(character)) depth -= 1;
    if (/[,，、،]/u.test(character) && !isQuoted && depth <= 0) terms.push("");
    else terms[terms.length - 1] = `${terms.at(-1) ?? ""}${character}`;
  }
  return terms;
}
