import { type Part, readRows } from "../rows.js";
import { createRandom } from "../random.js";

/** A text and its language. */
export interface LanguageSample {
  text: string;
  /** ISO 639-1. */
  label: string;
  source: string;
}

const POSTS = ["sentiment-simple", "sentiment-real"] as const;
const SEED = 7;

/** The texts of the language data. */
export const languageSamples = (dataDir: string, part: Part): LanguageSample[] =>
  readRows(dataDir, "langid", part).map(({ text, label = "", source = "" }) => ({ text, label, source }));

/** English posts with slang, capitals and names, which the language data lacks. */
export const englishPosts = (dataDir: string, part: Part): LanguageSample[] =>
  POSTS.flatMap((name) => readRows(dataDir, name, part).map(({ text }) => ({ text, label: "en", source: name })));

/** The training data of the model: all language data and some English posts. */
export const trainingSamples = (dataDir: string, posts: number): LanguageSample[] => {
  const random = createRandom(SEED);
  const all = englishPosts(dataDir, "train");
  const share = posts / all.length;
  return [...languageSamples(dataDir, "train"), ...all.filter(() => random() < share)];
};
