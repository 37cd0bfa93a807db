import type { ClassifyingAnalysis } from "@hourglass/analysis";
import type { Recipe } from "../classifiers/recipes.js";
import { lettersOf, readRows, type Sample } from "../datasets.js";
import { readWritten, readWrittenForHeads, type WrittenRow } from "../written-rows.js";

/** A text that a head learns from. */
export interface HeadSample extends Sample {
  /** Whether it was written for training: its label is taught alone, not beside what the network says of it. */
  written: boolean;
}

/** Weights of the rows written for training: those that the network has seen are many, the newer ones few and hard. */
const SEEN_WEIGHT = 1;
const NEW_WEIGHT = 2;
/** Data sets with development texts that no head may learn from, whatever the analysis. */
const DEVELOPMENT = [
  "sentiment-simple",
  "sentiment-real",
  "goemotions-raw",
  "intention",
  "spam",
  "sentiment-multilingual",
];

/** Everything that the head of an analysis is trained on, in all languages. Deterministic. */
export const headSamples = (recipe: Recipe, dataDir: string): HeadSample[] => {
  const marked = recipe.samples(dataDir, "train").map((sample) => ({ ...sample, written: false }));
  // Its recipe has everything, written rows included.
  if (recipe.analysis === "spam-detection") return marked;
  const heldOut = new Set(
    DEVELOPMENT.flatMap((name) => readRows(dataDir, name, "dev").map(({ text }) => lettersOf(text))),
  );
  const tweets = recipe.analysis === "sentiment-simple" ? moreTweets(dataDir) : [];
  const samples = [
    ...marked,
    ...tweets,
    ...writtenSamples(readWritten(), recipe.analysis, SEEN_WEIGHT),
    ...writtenSamples(readWrittenForHeads(), recipe.analysis, NEW_WEIGHT),
  ];
  return samples.filter(({ text }) => !heldOut.has(lettersOf(text)));
};

/** Tweets in eight languages, English among them. */
const moreTweets = (dataDir: string): HeadSample[] =>
  readRows(dataDir, "sentiment-multilingual", "train").map(({ text, label = "", lang = "und" }) => ({
    text,
    shares: { [label]: 1 },
    weight: 1,
    source: "tweets",
    language: lang,
    written: false,
  }));

const writtenSamples = (rows: readonly WrittenRow[], analysis: ClassifyingAnalysis, weight: number): HeadSample[] =>
  rows.flatMap(({ text, language, part, labels }) => {
    const label = labels[analysis];
    if (part !== "train" || label === undefined) return [];
    return [{ text, shares: { [label]: 1 }, weight, source: "written", language, written: true }];
  });
