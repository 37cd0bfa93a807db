import { newInsightWords, queryHelp } from "./en/new-insight.js";
import { words as common } from "./postings.js";

/** With the words of new insights, which are loaded with them: the first screen does not wait for them. */
export const words = { ...common, newInsight: newInsightWords, queryHelp };
