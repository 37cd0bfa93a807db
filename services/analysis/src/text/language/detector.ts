import type { DetectedLanguage } from "../../types.js";
import { tidy } from "./clean.js";
import { decide } from "./decide.js";
import { createGuesser, joinReadings } from "./guess.js";
import { cutInHalf, mixedProbability, SEVERAL_LANGUAGES } from "./mixed.js";
import type { LanguageModel } from "./model.js";
import { withoutLatin } from "./scripts.js";

/** Wraps a model; the returned function detects the language of any string. Every word is read once, except in texts of two scripts. */
export const createDetector = (model: LanguageModel): ((text: string) => DetectedLanguage) => {
  const { read, guess } = createGuesser(model);
  return (text) => {
    const tidied = tidy(text);
    const whole = tidied.toLowerCase();
    const own = withoutLatin(tidied)?.toLowerCase();
    const halves = cutInHalf(whole);
    if (halves === undefined) return decide(own ?? whole, guess(read(own ?? whole)));
    const [first, second] = [read(halves[0]), read(halves[1])];
    const mixed = mixedProbability(
      { part: halves[0], guessed: guess(first) },
      { part: halves[1], guessed: guess(second) },
    );
    if (mixed !== undefined) return { code: SEVERAL_LANGUAGES, prob: Math.round(mixed * 1e4) / 1e4 };
    return own === undefined ? decide(whole, guess(joinReadings(first, second))) : decide(own, guess(read(own)));
  };
};
