import { analysisWords as en } from "./en/analyses.js";

/** The words of analyses in the language of the reader: loaded with the screens that say them. */
export const analysisWords: typeof en = en;
