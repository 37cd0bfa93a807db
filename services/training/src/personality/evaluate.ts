import { analyzeInline } from "@hourglass/analysis";
import type { Evaluation } from "../evaluation.js";
import { readRows } from "../rows.js";

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
