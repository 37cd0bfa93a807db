import type { DetectedLanguage } from "../../analyzer.js";
import { clean } from "./clean.js";
import { decide } from "./decide.js";
import { createGuesser } from "./guess.js";
import type { LanguageModel } from "./model.js";

/** Wraps a model; the returned function detects the language of any string. */
export const createDetector = (model: LanguageModel): ((text: string) => DetectedLanguage) => {
  const guess = createGuesser(model);
  return (text) => {
    const part = clean(text);
    return decide(part, guess(part));
  };
};
