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

/** A part of a text prepared by `clean`, with the guess for it. */
export interface GuessedPart {
  readonly part: string;
  readonly guessed: LanguageGuess;
}

/**
 * Whether two parts of a text are long enough and surely of different languages. Returns the lower of their
 * probabilities; undefined if they are not.
 */
export const mixedProbability = (first: GuessedPart, second: GuessedPart): number | undefined =>
  first.guessed.code !== second.guessed.code && isSure(first) && isSure(second)
    ? Math.min(first.guessed.prob, second.guessed.prob)
    : undefined;

/** Neither short nor unsure, nor in a script that decides the language. */
const isSure = ({ part, guessed }: GuessedPart): boolean =>
  guessed.letters >= LETTERS_MIN && guessed.least >= PROBABILITY_MIN && decide(part, guessed).code === guessed.code;

/** Cuts a text behind the sentence nearest its middle; undefined if it is short or a single sentence. */
export const cutInHalf = (text: string): readonly [string, string] | undefined => {
  const cut = text.length < 2 * LETTERS_MIN ? undefined : middleBoundary(text);
  return cut === undefined ? undefined : [text.slice(0, cut), text.slice(cut)];
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
