import { expect, it } from "vitest";
import { SENTIMENT_REAL_LABELS } from "../../analyzers/classifiers.js";
import { agreementOf, contradicts } from "./emotion-sentiment.js";

const LABELS = ["negative", "neutral", "positive"];

it("lets half of the emotions contradict each side, and none a neutral sentiment", () => {
  const against = (sentiment: string): number =>
    Object.keys(SENTIMENT_REAL_LABELS.priors).filter((emotion) => contradicts(emotion, sentiment)).length;
  expect(LABELS.map(against)).toEqual([10, 0, 10]);
});

it("makes an emotion less likely the more certain the sentiment is that it contradicts", () => {
  const probabilities = Float64Array.of(0.75, 0.25, 0);
  const [joy, anger] = agreementOf({ labels: LABELS, probabilities }, ["joy", "anger"], 0.2);
  expect(joy).toBeCloseTo(0.4);
  expect(anger).toBeCloseTo(1);
});
