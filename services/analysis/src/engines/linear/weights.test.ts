import { describe, expect, it } from "vitest";
import { createContrast, createScorer, indexRows } from "./scorer.js";
import { argmax } from "../../text/classification.js";
import { softmax } from "./softmax.js";
import { decodeWeights, encodeWeights, type Weights } from "./weights.js";
import { BUCKETS } from "../../text/ngrams/hash.js";

const weights: Weights = {
  buckets: Uint32Array.of(0, 5, 70_000, BUCKETS - 1),
  rows: Int8Array.of(1, -1, 127, -127, 3, 4, -5, 6),
  scales: Float32Array.of(0.5, 0.25),
  dense: Float32Array.of(0.1, -0.1),
};

describe("weights", () => {
  it("come back from bytes as they were", () => {
    expect(decodeWeights(encodeWeights(weights))).toEqual(weights);
  });

  it("refuse bytes that end early", () => {
    expect(() => decodeWeights(encodeWeights(weights).subarray(0, -1))).toThrow(RangeError);
  });

  it("score the features they know and ignore the others", () => {
    const score = createScorer(weights);
    const features = { buckets: Uint32Array.of(5, 6, BUCKETS), values: Float32Array.of(2, 9, 1) };
    const [first = 0, second = 0] = score(features);
    expect(first).toBeCloseTo(127 * 2 * 0.5 + 0.1, 5);
    expect(second).toBeCloseTo(-127 * 2 * 0.25 - 0.1, 5);
  });

  it("say how much a feature speaks for a label against the others", () => {
    const contrast = createContrast(weights, indexRows(weights));
    expect(contrast(5, 0)).toBe(127 * 0.5 + 127 * 0.25);
    expect(contrast(5, 1)).toBe(-contrast(5, 0));
    expect(contrast(BUCKETS, 1)).toBeCloseTo(-0.2, 5);
    expect(contrast(6, 0)).toBe(0);
  });
});

describe("softmax", () => {
  it("sums to one, keeps the order and softens with temperature", () => {
    const scores = Float64Array.of(1000, 999, -1000);
    const sharp = softmax(scores);
    const soft = softmax(scores, 5);
    expect(sharp.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 10);
    expect(argmax(sharp)).toBe(0);
    expect(soft[0]).toBeLessThan(sharp[0] ?? 0);
  });
});
