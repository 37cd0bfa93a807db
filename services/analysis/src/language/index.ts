import type { DetectedLanguage } from "../analyzer.js";

/** The language of a text. */
export const detectLanguage = (_text: string): DetectedLanguage => ({ code: "und", prob: 0 });
