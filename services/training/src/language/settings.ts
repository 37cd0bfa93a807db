import type { LanguageSettings } from "./fit.js";

export const LANGUAGE_SETTINGS: LanguageSettings = {
  occurrencesMin: 4,
  epochs: 4,
  rate: 0.4,
  cropShare: 0.3,
  cropWordsMax: 8,
  errorMin: 1e-3,
  weightMin: 0.1,
};

/** Number of English posts among the training texts. */
export const ENGLISH_POSTS = 5000;
