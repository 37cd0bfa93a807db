import type { DetectedLanguage } from "../../types.js";
import { createDetector } from "./detector.js";
import { LANGUAGE_MODEL_FOLDER, readLanguageModel } from "./model.js";

let detector: ((text: string) => DetectedLanguage) | undefined;

/**
 * Detects the language of a text from at most 1,000 characters spread over it. The first call loads the model and
 * throws if it is missing or damaged; any string is accepted.
 */
export const detectLanguage = (text: string): DetectedLanguage => {
  detector ??= createDetector(readLanguageModel(LANGUAGE_MODEL_FOLDER));
  return detector(text);
};
