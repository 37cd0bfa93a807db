import type { Analyzer, Classification, TextDocument } from "../analyzer.js";
import { featuresOf } from "../text/ngrams/features.js";
import { type LinearModel, readModel } from "./model.js";
import { createScorer } from "./scorer.js";
import { argmax, softmax } from "./softmax.js";

/** The analyses a linear classifier can serve: those that yield one label and its probability. */
export type LinearAnalysis = "sentiment-simple" | "sentiment-real" | "spam-detection" | "intention";

/** Where the model of an analysis lies. Models stay beside the sources; from `dist` the path leads back to them. */
export const modelFolder = (type: LinearAnalysis): URL =>
  new URL(`../../src/analyzers/${type}/model/`, import.meta.url);

/** Loads the model of an analysis and wraps it as an analyzer; throws when the model is missing or damaged. */
export const createLinearAnalyzer = <T extends LinearAnalysis>(type: T): LinearAnalyzer<T> => {
  const model = readModel(modelFolder(type));
  const classify = createClassifier(model);
  // The card says `linear-<fingerprint>`; the id says the first part already.
  const version = model.card.version.replace(/^linear-/, "");
  return { type, engine: "fast", model: { id: `${type}-linear`, version }, languages: ENGLISH, analyze: classify };
};

const ENGLISH: ReadonlySet<string> = new Set(["en"]);

/** An analyzer whose result is a label, whatever the analysis. */
export type LinearAnalyzer<T extends LinearAnalysis> = Omit<Analyzer<T>, "analyze"> & {
  analyze(document: TextDocument): Classification;
};

const createClassifier = ({ card, weights }: LinearModel): ((document: TextDocument) => Classification) => {
  const score = createScorer(weights);
  return (document) => {
    const probabilities = softmax(score(featuresOf(document)), card.temperature);
    const best = argmax(probabilities);
    return { value: card.labels[best] ?? "", prob: round(probabilities[best] ?? 0) };
  };
};

const round = (probability: number): number => Math.min(1, Math.max(0, Math.round(probability * 1e4) / 1e4));
