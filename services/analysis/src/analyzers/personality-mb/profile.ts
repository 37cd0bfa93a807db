import { CLASS_NAMES, WORD_CLASSES, type WordClass } from "./word-classes.js";

/** Measures of style other than word classes. */
type StyleMeasure = "questions" | "exclamations" | "emphasis" | "longWords";

/** A measure whose rate is compared with that of other writers. */
export type Measure = WordClass | StyleMeasure;

/** The counts of a text: the number of the writer's own words, and each measure's share of them. */
export interface Profile {
  readonly words: number;
  readonly rates: Readonly<Record<Measure, number>>;
}

const STYLES = ["questions", "exclamations", "emphasis", "longWords"] as const satisfies readonly StyleMeasure[];
const MEASURES: readonly Measure[] = [...CLASS_NAMES, ...STYLES];
const [QUESTIONS, EXCLAMATIONS, EMPHASIS, LONG_WORDS, FUNCTION] = [...STYLES, "function" as const].map((name) =>
  MEASURES.indexOf(name),
) as [number, number, number, number, number];

/** Counts a text in one pass; linear in its length, and independent of the order of its lines. */
export function profileOf(text: string): Profile {
  const total = new Tally();
  const unit = new Tally();
  const seen = new Map<string, number>();
  const runs = new Runs();
  for (const part of ownUnits(text)) {
    unit.clear();
    unit.read(part, seen, runs);
    if (!unit.isForeign) total.add(unit);
  }
  const words = Math.max(1, total.words);
  const rates = MEASURES.map((name, index) => [name, (total.counts[index] ?? 0) / words]);
  // Every measure has an entry by construction.
  return { words: total.words, rates: Object.fromEntries(rates) as Record<Measure, number> };
}

/** A sentence of so many words with almost no English function words is in another language, or a list of names. */
const FOREIGN_WORDS_MIN = 10;
const FOREIGN_FUNCTION_SHARE = 0.1;
/** Letters of a long word, as usual in content analysis since the 1980s. */
const LONG_WORD = 7;
/** Words, addresses (to be skipped) and the marks that are counted; runs of marks count once. */
const PIECES = /https?:\/\/\S+|www\.\S+|[@#][\p{L}\p{N}_]+|\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}+)*|[?]+[!?]*|!+/gu;
/**
 * Addresses and handles are not the writer's words; neither are the sixteen type names, because people who write about
 * personality name their own.
 */
const IGNORED = /^(?:https?:|www\.|[@#])|^[ei][ns][tf][jp](?:s|-[at])?$|^mbti$/i;

/** The number of words, and how often each measure occurred, in the order of `MEASURES`. */
class Tally {
  words = 0;
  readonly counts = new Uint32Array(MEASURES.length);

  get isForeign(): boolean {
    return this.words >= FOREIGN_WORDS_MIN && (this.counts[FUNCTION] ?? 0) < this.words * FOREIGN_FUNCTION_SHARE;
  }

  clear(): void {
    this.words = 0;
    this.counts.fill(0);
  }

  add(other: Tally): void {
    this.words += other.words;
    other.counts.forEach((count, index) => this.#count(index, count));
  }

  /** Counts a text but for what repeats earlier words; `seen` caches the classes of those. */
  read(text: string, seen: Map<string, number>, runs: Runs): void {
    const pieces = [...text.matchAll(PIECES)].map(([piece]) => piece);
    const repeated = runs.repeatedIn(pieces);
    pieces.forEach((piece, at) => {
      if (repeated.has(at)) return;
      const first = piece.charAt(0);
      if (first === "?") this.#count(QUESTIONS, 1);
      else if (first === "!") this.#count(EXCLAMATIONS, 1);
      else if (!IGNORED.test(piece)) this.#readWord(piece, seen);
    });
  }

  #readWord(piece: string, seen: Map<string, number>): void {
    this.words++;
    if (piece.length >= LONG_WORD) this.#count(LONG_WORDS, 1);
    if (piece.length > 3 && piece === piece.toUpperCase()) this.#count(EMPHASIS, 1);
    for (let rest = classesOf(piece, seen); rest !== 0; rest &= rest - 1) this.#count(31 - Math.clz32(rest & -rest), 1);
  }

  #count(index: number, times: number): void {
    this.counts[index] = (this.counts[index] ?? 0) + times;
  }
}

/** So many words in the same order are no coincidence: they were repeated. */
const RUN = 8;
/** Maximum number of runs that are remembered; a text of a million characters has about 200,000. */
const RUNS_MAX = 200_000;

/** The runs of words of a text so far, by which repetitions are known that no mark or line end separates. */
class Runs {
  readonly #seen = new Set<string>();

  /** The indices of pieces that are part of a run which occurred before. Marks count as words. */
  repeatedIn(pieces: readonly string[]): ReadonlySet<number> {
    const repeated = new Set<number>();
    const words = pieces.map((piece) => piece.toLowerCase());
    for (let end = RUN; end <= words.length; end++) {
      const run = words.slice(end - RUN, end).join(" ");
      if (this.#seen.has(run)) for (let at = end - RUN; at < end; at++) repeated.add(at);
      else if (this.#seen.size < RUNS_MAX) this.#seen.add(run);
    }
    return repeated;
  }
}

/** Maximum number of words whose classes are cached while a text is read; enough for the vocabulary of any writer. */
const SEEN_MAX = 50_000;

function classesOf(piece: string, seen: Map<string, number>): number {
  const word = piece.toLowerCase().replaceAll("’", "'");
  const known = seen.get(word);
  if (known !== undefined) return known;
  const classes = lookUp(word);
  if (seen.size < SEEN_MAX) seen.set(word, classes);
  return classes;
}

interface Lists {
  words: Map<string, number>;
  stems: Map<string, number>;
}

let lists: Lists | undefined;

function lookUp(word: string): number {
  lists ??= readLists();
  let classes = lists.words.get(word) ?? 0;
  for (let length = 3; length <= Math.min(word.length, STEM_MAX); length++) {
    classes |= lists.stems.get(word.slice(0, length)) ?? 0;
  }
  return classes;
}

const STEM_MAX = 14;

function readLists(): Lists {
  const read: Lists = { words: new Map(), stems: new Map() };
  CLASS_NAMES.forEach((name, index) => {
    for (const entry of WORD_CLASSES[name].split(/\s+/)) {
      const map = entry.endsWith("*") ? read.stems : read.words;
      const key = entry.replace("*", "");
      map.set(key, (map.get(key) ?? 0) | (1 << index));
    }
  });
  return read;
}

/**
 * The writer's own words in pooled texts: repeated lines and sentences are left out, and so are words of others
 * (retweets, quoted lines, quotations). Each yielded unit is a line or sentence.
 */
function* ownUnits(text: string): Iterable<string> {
  const seen = new Set<string>();
  for (const line of text.split(LINE_END)) {
    if (PASSED_ON.test(line)) continue;
    for (const sentence of withoutOthers(line).split(SENTENCE_END)) {
      const key = sentence.replace(ADDRESSES, " ").replace(/\s+/g, " ").trim();
      if (key === "" || seen.has(key)) continue;
      seen.add(key);
      yield sentence;
    }
  }
}

const LINE_END = /[\n\r\u2028\u2029]+/;
/** Splits after the punctuation marks, so that they stay with their sentence. */
const SENTENCE_END = /(?<=[.!?…])\s+/;
/** Quoted lines of mail and forums, and posts that begin with somebody else's. */
const PASSED_ON = /^\s*(?:>|(?:rt|mt|via)\b:?\s*@)/i;
/** The text after a retweet mark is not the writer's. */
const RETWEET = /\b[RM]T:? ?@.*$/;
/**
 * Quotations of several words; shorter ones are mostly names and irony. Bounded, so that an unpaired quote costs
 * little.
 */
const QUOTATION = /"[^"\n]{1,1000}"|“[^”\n]{1,1000}”|«[^»\n]{1,1000}»/g;
const QUOTED_WORDS_MIN = 4;
/** Ignored when posts are compared: posts that differ only in an address are repetitions. */
const ADDRESSES = /https?:\/\/\S+|www\.\S+|@[\p{L}\p{N}_]+/gu;

function withoutOthers(line: string): string {
  return line
    .replace(RETWEET, "")
    .replace(QUOTATION, (quotation) => (quotation.split(/\s+/).length < QUOTED_WORDS_MIN ? quotation : " "));
}
