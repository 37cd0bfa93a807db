import { describe, expect, it } from "vitest";
import { fallsShort } from "./evaluation.js";
import { accuracy, calibrationError, type Judgement, macroF1 } from "./metrics.js";

const judgement = (predicted: string, truth: string, prob = 1): Judgement => ({ predicted, truth, prob, source: "s" });

describe("metrics", () => {
  it("counts right answers", () => {
    expect(accuracy([judgement("a", "a"), judgement("a", "b")])).toBe(0.5);
    expect(accuracy([])).toBe(0);
  });

  it("gives every label the same say in macro-F1", () => {
    // a: precision 2/3, recall 2/2, F1 .8; b: never predicted, F1 0.
    expect(macroF1([judgement("a", "a"), judgement("a", "a"), judgement("a", "b")])).toBeCloseTo(0.4, 10);
  });

  it("measures the gap between certainty and accuracy", () => {
    expect(calibrationError([judgement("a", "a", 0.5), judgement("a", "b", 0.5)])).toBeCloseTo(0, 10);
    expect(calibrationError([judgement("a", "b", 1)])).toBe(1);
  });
});

describe("fallsShort", () => {
  it("forgives noise, and knows which way is better", () => {
    expect(fallsShort({ name: "accuracy", value: 0.696, stated: 0.7 })).toBe(false);
    expect(fallsShort({ name: "accuracy", value: 0.69, stated: 0.7 })).toBe(true);
    expect(fallsShort({ name: "error", value: 0.05, stated: 0.02, better: "lower" })).toBe(true);
    expect(fallsShort({ name: "speed", value: 1 })).toBe(false);
  });
});
