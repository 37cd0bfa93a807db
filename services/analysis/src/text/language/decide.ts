import type { DetectedLanguage } from "../../types.js";
import type { LanguageGuess } from "./guess.js";
import { foreignScript } from "./scripts.js";

/** The code of an undetermined language. */
export const UNDETERMINED = "und";

/** A single letter occurs in too many languages. */
const LETTERS_MIN = 2;
/** Guesses that are more likely wrong than right are not reported. */
const PROBABILITY_MIN = 0.5;
/**
 * Short Latin texts (laughter, names, international words) resemble many languages. Most short posts are English, and
 * taking one for another language costs more than leaving it undetermined, so other languages need a higher probability
 * there.
 */
const SHORT_LETTERS_MAX = 40;
const SHORT_PROBABILITY_MIN = 0.8;
const LATIN = /[a-z]/;
/** Up to this many letters, even the likeliest language says little. */
const WORD_LETTERS_MAX = 15;
/** If the model knows a smaller share of the n-grams, the text may be in an unknown script. */
const FAMILIAR_MIN = 0.5;
const SCRIPT_SHARE_MIN = 0.5;

/**
 * The reported language of a guess: its language; or `und`, with the probability of the guess, if the text has fewer
 * than two letters or the guess is too unlikely (calibrated below 0.5; below 0.8 for a language other than English if
 * there are at most forty letters, Latin ones among them, and each reading of elongated words has to be above 0.5). A
 * script that is foreign to the model determines the language itself. `text` is the cleaned text of the guess.
 */
export const decide = (text: string, guess: LanguageGuess): DetectedLanguage => {
  if (guess.letters < LETTERS_MIN) return { code: UNDETERMINED, prob: 0 };
  const script = guess.familiar < FAMILIAR_MIN ? foreignScript(text) : undefined;
  if (script !== undefined && script.share >= SCRIPT_SHARE_MIN) return { code: script.code, prob: round(script.share) };
  const enough = mayMislead(text, guess)
    ? guess.prob >= SHORT_PROBABILITY_MIN && guess.least >= PROBABILITY_MIN
    : guess.prob >= PROBABILITY_MIN;
  if (enough) return { code: guess.code, prob: round(guess.prob) };
  const likeliest = guess.letters > WORD_LETTERS_MAX ? { likeliest: guess.code } : {};
  return { code: UNDETERMINED, prob: round(guess.prob), ...likeliest };
};

const mayMislead = (text: string, { code, letters }: LanguageGuess): boolean =>
  code !== "en" && letters <= SHORT_LETTERS_MAX && LATIN.test(text);

const round = (probability: number): number => Math.round(probability * 1e4) / 1e4;
