import { filterWords } from "./en/filters.js";
import { frame, keyWords, problems, signInWords } from "./en/frame.js";
import { homeWords } from "./en/home.js";
import { insightWords } from "./en/insights.js";
import { labels } from "./en/labels.js";
import { platformStates } from "./en/platform-states.js";
import { postingCardWords } from "./en/posting-card.js";

/**
 * The sentences that the first screen needs, in English; those of other screens are loaded with them, from words/NAME.ts.
 * Another language is a value of the same type.
 */
export const en = {
  frame,
  problems,
  keys: keyWords,
  signIn: signInWords,
  labels,
  filters: filterWords,
  insights: insightWords,
  platformStates,
  home: homeWords,
  postingCard: postingCardWords,
};

export type Words = typeof en;
