import { analyzeInline } from "@hourglass/analysis";
import { type Measure, profileOf } from "@hourglass/analysis/training";
import { readRows } from "./datasets.js";
import type { Evaluation } from "./report.js";

/** Measures only speed: there is no open data that links texts to types. */
export const evaluatePersonality = async (dataDir: string): Promise<Evaluation> => {
  const texts = readRows(dataDir, "sentiment-simple", "dev").map(({ text }) => text);
  await analyzeInline(texts.slice(0, 100), ["personality-mb"]);
  const start = performance.now();
  await analyzeInline(texts, ["personality-mb"]);
  return {
    analysis: "personality-mb",
    method: "published findings; unvalidated, no open data",
    metrics: [{ name: "texts per second", value: (texts.length * 1000) / (performance.now() - start) }],
  };
};

/** Used without their labels: posts on Twitter and Reddit, and reviews. */
const SETS = ["sentiment-simple", "sentiment-real", "topic-ner"];

/**
 * Counts each measure's share of the words of ordinary posts, the analyzer's `BASELINES`. Each set
 * has the same weight, whatever its size.
 */
export const measureBaselines = (dataDir: string): Record<string, number> => {
  const profiles = SETS.map((set) =>
    profileOf(
      readRows(dataDir, set, "train")
        .map(({ text }) => text)
        .join("\n"),
    ),
  );
  const measures = Object.keys(profiles[0]?.rates ?? {});
  return Object.fromEntries(
    measures.map((name) => {
      // The keys of `rates` are measures; `Object.keys` widens their type.
      const rates = profiles.map((profile) => profile.rates[name as Measure]);
      return [name, Math.round((rates.reduce((sum, rate) => sum + rate, 0) / rates.length) * 1e5) / 1e5];
    }),
  );
};
