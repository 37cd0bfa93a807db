import type { DetectedLanguage } from "../../types.js";
import { changesLanguage } from "./change.js";
import { createGuesser, joinReadings, type LanguageGuess } from "./guess.js";
import { foreignScript, tidy, withoutLatin } from "./letters.js";
import { LANGUAGE_MODEL_FOLDER, type LanguageModel, readLanguageModel } from "./language-model.js";

let detector: ((text: string) => DetectedLanguage) | undefined;

/**
 * Detects the language of a text from at most 1,000 characters spread over it. The first call loads the model and
 * throws if it is missing or damaged; any string is accepted.
 */
export const detectLanguage = (text: string): DetectedLanguage => {
  detector ??= createDetector(readLanguageModel(LANGUAGE_MODEL_FOLDER));
  return detector(text);
};

/**
 * Wraps a model; the returned function detects the language of any string. Every word is read once, except in texts of
 * two scripts and in those that leave doubt.
 */
export const createDetector = (model: LanguageModel): ((text: string) => DetectedLanguage) => {
  const guesser = createGuesser(model);
  const { read, guess } = guesser;
  /** The language of a text that no boundary between sentences divides into two. */
  const ofOne = (text: string, guessed: LanguageGuess): DetectedLanguage => {
    const changed = guessed.prob < DOUBTLESS ? changesLanguage(text, guesser) : undefined;
    return changed === undefined ? decide(text, guessed) : severalLanguages(changed);
  };
  return (text) => {
    const tidied = tidy(text);
    const whole = tidied.toLowerCase();
    const own = withoutLatin(tidied)?.toLowerCase();
    const halves = cutInHalf(whole);
    if (halves === undefined)
      return own === undefined ? ofOne(whole, guess(read(whole))) : decide(own, guess(read(own)));
    const [first, second] = [read(halves[0]), read(halves[1])];
    const mixed = mixedProbability(
      { part: halves[0], guessed: guess(first) },
      { part: halves[1], guessed: guess(second) },
    );
    if (mixed !== undefined) return severalLanguages(mixed);
    return own === undefined ? ofOne(whole, guess(joinReadings(first, second))) : decide(own, guess(read(own)));
  };
};

/** Where the whole is surer than this, a part in another language is too small to count. */
const DOUBTLESS = 0.9999;

const severalLanguages = (prob: number): DetectedLanguage => ({ code: SEVERAL_LANGUAGES, prob: round(prob) });

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

/** The code of ISO 639-2 for a text in several languages. */
const SEVERAL_LANGUAGES = "mul";

/** Whether a code says that a text is in one language: it is neither undetermined nor in several. */
export const isOneLanguage = (code: string): boolean => code !== UNDETERMINED && code !== SEVERAL_LANGUAGES;

/** Both parts must be sure, since a few words of one language often resemble another. */
const PART_PROBABILITY_MIN = 0.97;
const PART_LETTERS_MIN = 30;
/** An end of a sentence or a line, with the space after it. */
const BOUNDARY = /(?:[.!?…。！？][)"”»]?\s+|\s*\n\s*|\s+[/|–—-]\s+)/gu;

/** A part of a text prepared by `clean`, with the guess for it. */
interface GuessedPart {
  readonly part: string;
  readonly guessed: LanguageGuess;
}

/**
 * Whether two parts of a text are long enough and surely of different languages. Returns the lower of their
 * probabilities; undefined if they are not.
 */
const mixedProbability = (first: GuessedPart, second: GuessedPart): number | undefined =>
  first.guessed.code !== second.guessed.code && isSure(first) && isSure(second)
    ? Math.min(first.guessed.prob, second.guessed.prob)
    : undefined;

/** Neither short nor unsure, nor in a script that decides the language. */
const isSure = ({ part, guessed }: GuessedPart): boolean =>
  guessed.letters >= PART_LETTERS_MIN &&
  guessed.least >= PART_PROBABILITY_MIN &&
  decide(part, guessed).code === guessed.code;

/** Cuts a text after the sentence nearest its middle; undefined if it is short or a single sentence. */
const cutInHalf = (text: string): readonly [string, string] | undefined => {
  const cut = text.length < 2 * PART_LETTERS_MIN ? undefined : middleBoundary(text);
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
