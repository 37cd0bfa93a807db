import type { DetectedLanguage } from "../../analyzer.js";
import { clean } from "./clean.js";
import { decide } from "./decide.js";
import { createGuesser } from "./guess.js";
import { mixedProbability, SEVERAL_LANGUAGES } from "./mixed.js";
import type { LanguageModel } from "./model.js";

/** Wraps a model; the returned function detects the language of any string. */
export const createDetector = (model: LanguageModel): ((text: string) => DetectedLanguage) => {
  const guess = createGuesser(model);
  return (text) => {
    const part = clean(text);
    const mixed = mixedProbability(part, guess);
    if (mixed !== undefined) return { code: SEVERAL_LANGUAGES, prob: Math.round(mixed * 1e4) / 1e4 };
    return decide(part, guess(part));
  };
};
