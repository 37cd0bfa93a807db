import { decide, UNDETERMINED } from "./decide.js";
import type { LanguageGuess } from "./guess.js";

/** The code of ISO 639-2 for a text in several languages. */
export const SEVERAL_LANGUAGES = "mul";

/** Whether a code says that a text is in one language: it is neither undetermined nor in several. */
export const isOneLanguage = (code: string): boolean => code !== UNDETERMINED && code !== SEVERAL_LANGUAGES;

/** Both parts must be sure, since a few words of one language often resemble another. */
const PROBABILITY_MIN = 0.97;
const LETTERS_MIN = 30;
/** An end of a sentence or a line, with the space behind it. */
const BOUNDARY = /(?:[.!?…。！？][)"”»]?\s+|\s*\n\s*|\s+[/|–—-]\s+)/gu;

/**
 * Whether a text, prepared by `clean`, changes its language at the sentence boundary nearest its middle: both parts are
 * long enough and surely of different languages. Returns the lower of their probabilities; undefined if it does not.
 */
export const mixedProbability = (text: string, guess: (part: string) => LanguageGuess): number | undefined => {
  if (text.length < 2 * LETTERS_MIN) return undefined;
  const cut = middleBoundary(text);
  if (cut === undefined) return undefined;
  const first = sureGuess(text.slice(0, cut), guess);
  if (first === undefined) return undefined;
  const second = sureGuess(text.slice(cut), guess);
  if (second === undefined || first.code === second.code) return undefined;
  return Math.min(first.prob, second.prob);
};

/** The guess for a part; undefined if it is short or unsure, or if the script decides the language. */
const sureGuess = (part: string, guess: (part: string) => LanguageGuess): LanguageGuess | undefined => {
  const guessed = guess(part);
  if (guessed.letters < LETTERS_MIN || guessed.least < PROBABILITY_MIN) return undefined;
  return decide(part, guessed).code === guessed.code ? guessed : undefined;
};

const middleBoundary = (text: string): number | undefined => {
  const middle = text.length / 2;
  let best: number | undefined;
  for (const { index, 0: found } of text.matchAll(BOUNDARY)) {
    const end = index + found.length;
    if (best === undefined || Math.abs(end - middle) < Math.abs(best - middle)) best = end;
  }
  return best;
};
