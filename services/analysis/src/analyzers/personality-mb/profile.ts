import { CLASS_NAMES, WORD_CLASSES, type WordClass } from "./word-classes.js";

/** Measures of style that are no word classes. */
export type StyleMeasure = "questions" | "exclamations" | "emphasis" | "longWords";

/** Anything whose rate is compared with that of other writers. */
export type Measure = WordClass | StyleMeasure;

/** What is counted of a text: how many words it has, and each measure's share of them. */
export interface Profile {
  readonly words: number;
  readonly rates: Readonly<Record<Measure, number>>;
}

/** Counts a text in one pass; linear in its length, however long. */
export function profileOf(text: string): Profile {
  const counts = new Uint32Array(CLASS_NAMES.length);
  const style = { questions: 0, exclamations: 0, emphasis: 0, longWords: 0 };
  const seen = new Map<string, number>();
  let words = 0;
  for (const [piece] of text.matchAll(PIECES)) {
    const first = piece.charAt(0);
    if (first === "?") style.questions++;
    else if (first === "!") style.exclamations++;
    else if (!IGNORED.test(piece)) {
      words++;
      if (piece.length >= LONG_WORD) style.longWords++;
      if (piece.length > 3 && piece === piece.toUpperCase()) style.emphasis++;
      addClasses(counts, classesOf(piece, seen));
    }
  }
  return { words, rates: ratesOf(counts, style, words) };
}

/** Letters of a long word, as content analysis has counted them since the 1980s. */
const LONG_WORD = 7;
/** Words, addresses (to be skipped) and the marks that are counted; runs of marks count once. */
const PIECES = /https?:\/\/\S+|www\.\S+|[@#][\p{L}\p{N}_]+|\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}+)*|[?]+[!?]*|!+/gu;
/**
 * Addresses and handles are not the writer's words; neither are the sixteen type names, because people who write about
 * personality name their own.
 */
const IGNORED = /^(?:https?:|www\.|[@#])|^[ei][ns][tf][jp](?:s|-[at])?$|^mbti$/i;

function ratesOf(
  counts: Uint32Array,
  style: Readonly<Record<StyleMeasure, number>>,
  words: number,
): Record<Measure, number> {
  const total = Math.max(1, words);
  const classes = CLASS_NAMES.map((name, index) => [name, (counts[index] ?? 0) / total]);
  const styles = Object.entries(style).map(([name, count]) => [name, count / total]);
  // Every class and every style measure has its entry by construction.
  return Object.fromEntries([...classes, ...styles]) as Record<Measure, number>;
}

function addClasses(counts: Uint32Array, classes: number): void {
  for (let rest = classes; rest !== 0; rest &= rest - 1) {
    const index = 31 - Math.clz32(rest & -rest);
    counts[index] = (counts[index] ?? 0) + 1;
  }
}

/** Words whose classes are kept while a text is read; enough for the vocabulary of any writer. */
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
