import type { Classification, DetectedLanguage, ExplainedSpan } from "../analyzer.js";

/** The analyses with one label of a closed list as result. */
export type ClassifyingAnalysis = "sentiment-simple" | "sentiment-real" | "spam-detection" | "intention";

/**
 * Frequency of each label in the training data; for sentiment-simple in its posts only, because the reviews were
 * selected for having an opinion. Used as the result for texts that no model can read.
 */
export const PRIORS: Readonly<Record<ClassifyingAnalysis, Readonly<Record<string, number>>>> = {
  "sentiment-simple": { positive: 0.408, neutral: 0.43, negative: 0.162 },
  "sentiment-real": {
    acceptance: 0.0896,
    acceptance_self: 0.003,
    anger: 0.0912,
    annoyance: 0.0594,
    anxiety: 0.01,
    calmness: 0.0103,
    contentment: 0.0059,
    disgust: 0.0473,
    disgust_self: 0.0291,
    dislike: 0.0537,
    dislike_self: 0.0495,
    eagerness: 0.0786,
    fear: 0.0453,
    joy: 0.1404,
    melancholy: 0.0378,
    pleasantness: 0.088,
    pleasantness_self: 0.0042,
    responsiveness: 0.0689,
    sadness: 0.0837,
    serenity: 0.0041,
  },
  "spam-detection": { spam: 0.1513, ham: 0.8487 },
  intention: {
    assertion: 0.1571,
    valuation: 0.1568,
    palinode: 0.0045,
    contrition: 0.0531,
    forecast: 0.1503,
    wish: 0.1281,
    proposal: 0.1515,
    inducement: 0.0743,
    none: 0.1244,
  },
};

/** Weight of a model's probabilities for texts in other languages than its own; the rest is the priors. */
const FOREIGN_SHARE = 0.3;

/** `PRIORS` of an analysis in the order of a model's labels; throws if the model has an unknown label. */
export const priorsOf = (analysis: ClassifyingAnalysis, labels: readonly string[]): Float64Array =>
  Float64Array.from(labels, (label) => {
    const prior = PRIORS[analysis][label];
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

/** Whether a model for these languages can judge a text; texts of undetermined language are accepted. */
export const canJudge = (languages: ReadonlySet<string>, { code }: DetectedLanguage): boolean =>
  code === UNDETERMINED || languages.has(code);

const UNDETERMINED = "und";

/** Index of the largest value, the first one on a tie. */
export const argmax = (values: ArrayLike<number>): number => {
  let best = 0;
  for (let i = 1; i < values.length; i++) if ((values[i] ?? 0) > (values[best] ?? 0)) best = i;
  return best;
};

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
