import type { ClassifyingAnalysis } from "@hourglass/analysis";
import type { Recipe } from "../classifiers/recipes.js";
import { foreignSentiments, lettersOf, mainLabel, type Part, readRows, type Sample } from "../datasets.js";
import { readWritten, readWrittenForUpperLayers, type WrittenRow } from "../written-rows.js";

/** A text that an encoder learns an analysis from, or is judged by. */
export interface LabelSample extends Sample {
  /** Whether it was written for training: its label is taught alone, not beside what the encoder says of it. */
  written: boolean;
}

/** Weights of the rows written for training: those that the network has seen are many, the newer ones few and hard. */
const SEEN_WEIGHT = 1;
const NEW_WEIGHT = 4;
/** Data sets with development texts that no encoder may learn from, whatever the analysis. */
const DEVELOPMENT = [
  "sentiment-simple",
  "sentiment-real",
  "goemotions-raw",
  "intention",
  "spam",
  "sentiment-multilingual",
  "sentiment-multilingual-more",
];

/** Everything that an analysis is trained on, in all languages. Deterministic. */
export const trainingSamples = (recipe: Recipe, dataDir: string): LabelSample[] => {
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
    ...writtenSamples(readWritten(), recipe.analysis, "train", SEEN_WEIGHT),
    ...writtenSamples(readWrittenForUpperLayers(), recipe.analysis, "train", NEW_WEIGHT),
  ];
  return samples.filter(({ text }) => !heldOut.has(lettersOf(text)));
};

/** Languages of more texts than this count less than in proportion, those of fewer up to so much more. */
const LANGUAGE_TEXTS = 1800;
const BALANCE = 0.7;
const LANGUAGE_WEIGHT_MAX = 1.5;
const LABELS = 3;

/** Tweets, reviews and comments: English tweets, and what there is in other languages. */
const moreTweets = (dataDir: string): LabelSample[] => {
  const foreign = foreignSentiments(dataDir, "train");
  const languages = countsOf(foreign.map(({ source }) => source));
  const labels = countsOf(foreign.map(labelIn));
  const weightOf = (sample: Sample): number => {
    const texts = languages(sample.source);
    const share = texts / LABELS / labels(labelIn(sample));
    return Math.min(LANGUAGE_WEIGHT_MAX, (LANGUAGE_TEXTS / texts) ** BALANCE) * share ** BALANCE;
  };
  const english = readRows(dataDir, "sentiment-multilingual", "train").filter(({ lang }) => lang === "en");
  return [
    ...english.map(({ text, label = "" }) => ({
      text,
      shares: { [label]: 1 },
      weight: 1,
      source: "en",
      written: false,
    })),
    ...foreign.map((sample) => ({ ...sample, weight: weightOf(sample), written: false })),
  ];
};

/** The labels of each language count nearly alike, however frequent they are in it. */
const labelIn = (sample: Sample): string => `${sample.source} ${mainLabel(sample)}`;

const countsOf = (names: readonly string[]): ((name: string) => number) => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (name) => counts.get(name) ?? 1;
};

const writtenSamples = (
  rows: readonly WrittenRow[],
  analysis: ClassifyingAnalysis,
  wanted: Part,
  weight: number,
): LabelSample[] =>
  rows.flatMap(({ text, language, part, labels }) => {
    const label = labels[analysis];
    if (part !== wanted || label === undefined) return [];
    return [{ text, shares: { [label]: 1 }, weight, source: "written", language, written: true }];
  });

/** What an analysis is judged by, in all languages. */
export const developmentSamples = (recipe: Recipe, dataDir: string): LabelSample[] => {
  const { analysis } = recipe;
  const foreign = analysis === "sentiment-simple" ? foreignSentiments(dataDir, "dev") : [];
  const marked = [...recipe.samples(dataDir, "dev"), ...(recipe.further?.(dataDir) ?? []), ...foreign];
  return [
    ...marked.map((sample) => ({ ...sample, written: false })),
    ...writtenSamples([...readWritten(), ...readWrittenForUpperLayers()], analysis, "dev", 1),
  ];
};
