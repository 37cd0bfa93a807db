import { argmax } from "../argmax.js";
import { type Guesser, joinReadings, type LanguageGuess, type Readings } from "./guess.js";

/**
 * Each part must have this much: a few words in another language are mostly a title, a name or a quotation, and often
 * resemble another language.
 */
const WORDS_MIN = 3;
const LETTERS_MIN = 7;
const SHARE_MIN = 0.25;
/** Parts are shorter than sentences, so that they have to be surer. */
const PROBABILITY_MIN = 0.99;
/** Languages that share most of their words: a text in one of them often looks like both. */
const ALIKE = ["id ms", "bs hr sr", "da nb nn", "cs sk"].map((codes) => new Set(codes.split(" ")));

const WORDS = /\S+\s*/gu;

/**
 * Whether a text in lower case changes its language at one place between any two words, as at a clause. Returns the
 * lower probability of its two parts; undefined if it does not surely.
 */
export const changesLanguage = (text: string, { read, guess }: Guesser): number | undefined => {
  const written = text.match(WORDS) ?? [];
  if (written.length < 2 * WORDS_MIN) return undefined;
  const words = written.map(read);
  const cut = likeliestCut(words);
  if (cut === undefined) return undefined;
  const parts = [words.slice(0, cut), words.slice(cut)].map((own) => guess(own.reduce(joinReadings)));
  const [first, second] = parts as [LanguageGuess, LanguageGuess];
  const letters = Math.min(first.letters, second.letters);
  const isLong = letters >= LETTERS_MIN && letters >= SHARE_MIN * (first.letters + second.letters);
  if (!isLong || areAlike(first.code, second.code)) return undefined;
  const probability = Math.min(first.least, second.least);
  return probability >= PROBABILITY_MIN ? probability : undefined;
};

const areAlike = (one: string, other: string): boolean =>
  one === other || ALIKE.some((codes) => codes.has(one) && codes.has(other));

/** The number of words before the place where the words before it and those after it speak most for two languages. */
const likeliestCut = (words: readonly Readings[]): number | undefined => {
  const sums = words.map(({ written }) => written.sums);
  const before = new Int32Array(sums[0]?.length ?? 0);
  const after = new Int32Array(before.length);
  for (const own of sums) own.forEach((sum, label) => (after[label] = (after[label] ?? 0) + sum));
  let best: { cut: number; evidence: number } | undefined;
  sums.slice(0, 1 - WORDS_MIN).forEach((own, at) => {
    own.forEach((sum, label) => {
      before[label] = (before[label] ?? 0) + sum;
      after[label] = (after[label] ?? 0) - sum;
    });
    const cut = at + 1;
    const [first, second] = [argmax(before), argmax(after)];
    if (cut < WORDS_MIN || cut > words.length - WORDS_MIN || first === second) return;
    const evidence = (before[first] ?? 0) + (after[second] ?? 0);
    if (best === undefined || evidence > best.evidence) best = { cut, evidence };
  });
  return best?.cut;
};
