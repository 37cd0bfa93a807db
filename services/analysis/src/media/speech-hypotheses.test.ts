import { describe, expect, it } from "vitest";
import { certaintyOf, isRepetitive, likeliest, loopStart } from "./speech-hypotheses.js";

describe("hypotheses", () => {
  it("finds where a hypothesis begins to go in circles", () => {
    expect(loopStart([1, 2, 3, 7, 7, 7, 7])).toBe(4);
    expect(loopStart([1, 5, 6, 5, 6, 5, 6, 5, 6])).toBe(3);
  });

  it("lets people repeat themselves three times", () => {
    expect(loopStart([7, 7, 7])).toBeUndefined();
    expect(loopStart([1, 2, 3, 1, 2, 3, 1, 2, 3])).toBeUndefined();
  });

  it("is as certain as its tokens are in the mean", () => {
    expect(certaintyOf({ tokens: [1, 2], logProbs: [Math.log(0.4), Math.log(0.9)] })).toBeCloseTo(0.6);
    expect(certaintyOf({ tokens: [], logProbs: [] })).toBe(0);
  });

  it("takes a refrain for a refrain, but not a sentence with a word said twice", () => {
    const refrain = Array.from({ length: 40 }, (_, i) => i % 7);
    expect(isRepetitive(refrain)).toBe(true);
    expect(isRepetitive(refrain.slice(0, 14))).toBe(false);
    expect(isRepetitive([...Array(20).keys(), 3, 4, 5])).toBe(false);
  });

  it("takes the likeliest token that may be said, with its probability among all", () => {
    const logits = Float32Array.of(Math.log(0.5), Math.log(0.3), Math.log(0.2));
    const { token, logProb } = likeliest(logits, (each) => each === 0);
    expect(token).toBe(1);
    expect(logProb).toBeCloseTo(Math.log(0.3));
  });
});
