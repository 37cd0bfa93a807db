import { collectionWords } from "./en/collection.js";
import { chartWords } from "./en/charts.js";
import { exportWords } from "./en/exports.js";
import { filterWords } from "./en/filters.js";
import { frame, keyWords, problems, signInWords } from "./en/frame.js";
import { homeWords } from "./en/home.js";
import { insightWords } from "./en/insights.js";
import { labels } from "./en/labels.js";
import { newInsightWords, queryHelp } from "./en/new-insight.js";
import { postingWords } from "./en/postings.js";
import { settingsWords } from "./en/settings.js";

/** Every sentence of the console, in English. Another language is a value of the same type. */
export const en = {
  frame,
  problems,
  keys: keyWords,
  signIn: signInWords,
  labels,
  filters: filterWords,
  insights: insightWords,
  exports: exportWords,
  settings: settingsWords,
  home: homeWords,
  newInsight: newInsightWords,
  queryHelp,
  postings: postingWords,
  collection: collectionWords,
};

export type Words = typeof en;
