import type { DetectedLanguage } from "../../analyzer.js";
import type { LanguageGuess } from "./guess.js";
import { foreignScript } from "./scripts.js";

/** The code of a text whose language cannot be told. */
export const UNDETERMINED = "und";

/** A single letter belongs to every language that has it. */
const LETTERS_MIN = 2;
/** A guess that is likelier wrong than right is not told. */
const PROBABILITY_MIN = 0.5;
/**
 * Some Latin letters (laughter, names, words that travel) look like many languages. Most short posts are English, and
 * calling one foreign costs more than leaving it open, so another language has to be likelier there.
 */
const SHORT_LETTERS_MAX = 40;
const SHORT_PROBABILITY_MIN = 0.8;
const LATIN = /[a-z]/;
/** Where the model knows fewer of the n-grams, the text may be in a script it has never seen. */
const FAMILIAR_MIN = 0.5;
const SCRIPT_SHARE_MIN = 0.5;

/**
 * What is told of a guess: its language; or `und`, with the probability of the guess, when the text has fewer than two
 * letters or the guess is too unlikely (calibrated below 0.5; below 0.8 for a language other than English where there are
 * at most forty letters, Latin ones among them, and each reading of elongated words has to be above 0.5). Scripts foreign to the model name their language. `text` is the cleaned
 * text the guess was made of.
 */
export const decide = (text: string, guess: LanguageGuess): DetectedLanguage => {
  if (guess.letters < LETTERS_MIN) return { code: UNDETERMINED, prob: 0 };
  const script = guess.familiar < FAMILIAR_MIN ? foreignScript(text) : undefined;
  if (script !== undefined && script.share >= SCRIPT_SHARE_MIN) return { code: script.code, prob: round(script.share) };
  const enough = mayMislead(text, guess)
    ? guess.prob >= SHORT_PROBABILITY_MIN && guess.least >= PROBABILITY_MIN
    : guess.prob >= PROBABILITY_MIN;
  return { code: enough ? guess.code : UNDETERMINED, prob: round(guess.prob) };
};

const mayMislead = (text: string, { code, letters }: LanguageGuess): boolean =>
  code !== "en" && letters <= SHORT_LETTERS_MAX && LATIN.test(text);

const round = (probability: number): number => Math.round(probability * 1e4) / 1e4;
