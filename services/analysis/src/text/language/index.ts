import type { DetectedLanguage } from "../../analyzer.js";
import { createDetector } from "./detector.js";
import { LANGUAGE_MODEL_FOLDER, readLanguageModel } from "./model.js";

let detector: ((text: string) => DetectedLanguage) | undefined;

/**
 * The language of a text, of which at most 1,000 characters spread over it are read. The first call loads the model and
 * throws when that is missing or damaged; any string is fine.
 */
export const detectLanguage = (text: string): DetectedLanguage => {
  detector ??= createDetector(readLanguageModel(LANGUAGE_MODEL_FOLDER));
  return detector(text);
};
