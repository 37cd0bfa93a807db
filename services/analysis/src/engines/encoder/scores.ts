import type { EncoderCard, EncoderTaskName } from "./card.js";
import { modelFolder } from "../linear/classifier.js";
import { readModel } from "../linear/model.js";
import { createScorer } from "../linear/scorer.js";
import type { Features } from "../../text/ngrams/features.js";
import type { Logits } from "./session.js";

/**
 * Returns a function that scores the labels of an analysis, in the order of the encoder's card, before the temperature.
 * It takes the encoder's output for a text and the text's n-grams. If the card says so, labels have a bias, and the
 * linear model's scores are mixed in: its errors differ from the encoder's.
 */
export const createScores = (
  type: EncoderTaskName,
  { tasks }: EncoderCard,
): ((logits: Logits, features: () => Features) => Float64Array) => {
  const { labels, linearShare = 0, bias = [] } = tasks[type];
  const encoded = (logits: Logits): Float64Array =>
    Float64Array.from(logits[type], (score, i) => score + (bias[i] ?? 0));
  if (linearShare === 0) return encoded;
  const linear = createLinearScores(type, labels);
  return (logits, features) => {
    const second = linear(features());
    return encoded(logits).map((score, i) => (1 - linearShare) * score + linearShare * (second[i] ?? 0));
  };
};

/** Scores of the linear model divided by its temperature, in the order of the labels. */
const createLinearScores = (
  type: EncoderTaskName,
  labels: readonly string[],
): ((features: Features) => Float64Array) => {
  const { card, weights } = readModel(modelFolder(type));
  const score = createScorer(weights);
  const order = labels.map((label) => card.labels.indexOf(label));
  return (features) => {
    const scores = score(features);
    return Float64Array.from(order, (at) => (scores[at] ?? 0) / card.temperature);
  };
};
