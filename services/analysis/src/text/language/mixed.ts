import { decide, UNDETERMINED } from "./decide.js";
import type { LanguageGuess } from "./guess.js";

/** The code of ISO 639-2 for a text in several languages. */
export const SEVERAL_LANGUAGES = "mul";

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
  const parts = [text.slice(0, cut), text.slice(cut)].map((part) => {
    const guessed = guess(part);
    return { ...guessed, told: decide(part, guessed).code };
  });
  const sure = parts.every(
    ({ told, code, letters, least }) =>
      told !== UNDETERMINED && told === code && letters >= LETTERS_MIN && least >= PROBABILITY_MIN,
  );
  if (!sure || parts[0]?.code === parts[1]?.code) return undefined;
  return Math.min(...parts.map(({ prob }) => prob));
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
