import { argmax } from "./argmax.js";
import type { Classification, DetectedLanguage, ExplainedSpan } from "../types.js";
import { isOneLanguage } from "./language/detector.js";

/** What every engine needs to know about the labels of an analysis. The contract lists them. */
export interface LabelSet<T extends string = string> {
  readonly analysis: T;
  /** Frequency of each label in the training data: the result for texts that no model can read. */
  readonly priors: Readonly<Record<string, number>>;
  /** Other names of the labels that models on the hub use; null for labels without a counterpart. */
  readonly aliases: Readonly<Record<string, string | null>>;
  /** The hypothesis for each label, for models without their own labels. */
  readonly hypotheses: Readonly<Record<string, string>>;
}

/** The labels of an analysis. */
export const labelsOf = ({ priors }: LabelSet): string[] => Object.keys(priors);

/** Weight of a model's probabilities for texts in other languages than its own; the rest is the priors. */
const FOREIGN_SHARE = 0.3;

/** The priors of an analysis in the order of a model's labels; throws if the model has an unknown label. */
export const priorsOf = ({ analysis, priors }: LabelSet, labels: readonly string[]): Float64Array =>
  Float64Array.from(labels, (label) => {
    const prior = priors[label];
    if (prior === undefined) throw new Error(`${label} is no label of ${analysis}: add it to the priors`);
    return prior;
  });

/**
 * Probabilities for a text in a language that the model does not support: near the priors, which are in the same order.
 */
export const conservative = (probabilities: ArrayLike<number>, priors: ArrayLike<number>): Float64Array =>
  Float64Array.from(
    probabilities,
    (probability, i) => FOREIGN_SHARE * probability + (1 - FOREIGN_SHARE) * (priors[i] ?? 0),
  );

/** Whether a model for these languages supports that of a text; undetermined and several languages are accepted. */
export const supportsLanguage = (languages: ReadonlySet<string>, { code }: DetectedLanguage): boolean =>
  !isOneLanguage(code) || languages.has(code);

/**
 * The result of a classifier: the likeliest label, with probabilities to 4 decimals. With `spans`, which refer to that
 * label, it includes an explanation.
 */
export const toClassification = (
  labels: readonly string[],
  probabilities: ArrayLike<number>,
  spans?: ExplainedSpan[],
): Classification => {
  const best = argmax(probabilities);
  const classification = { value: labels[best] ?? "", prob: round(probabilities[best] ?? 0) };
  if (spans === undefined) return classification;
  const all = labels.map((label, i) => [label, round(probabilities[i] ?? 0)] as const);
  return { ...classification, explanation: { probabilities: Object.fromEntries(all), spans } };
};

const round = (probability: number): number => Math.min(1, Math.max(0, Math.round(probability * 1e4) / 1e4));

/** Turns scores into probabilities; a temperature above 1 makes them less certain and keeps their order. */
export const softmax = (scores: Float64Array, temperature = 1): Float64Array => {
  const highest = scores.reduce((a, b) => Math.max(a, b), -Infinity);
  const shares = scores.map((score) => Math.exp((score - highest) / temperature));
  const sum = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => share / sum);
};

/** The log odds of a label against all others, from the scores of all. */
export const logOdds = (scores: ArrayLike<number>, label: number, temperature = 1): number => {
  let highest = -Infinity;
  for (let i = 0; i < scores.length; i++) if (i !== label) highest = Math.max(highest, scores[i] ?? 0);
  let sum = 0;
  for (let i = 0; i < scores.length; i++) {
    if (i !== label) sum += Math.exp(((scores[i] ?? 0) - highest) / temperature);
  }
  return ((scores[label] ?? 0) - highest) / temperature - Math.log(sum);
};
