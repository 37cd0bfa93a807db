import { describe, expect, it } from "vitest";
import { SPAM_DETECTION_LABELS } from "../analyzers/classifiers.js";
import { supportsLanguage, conservative, priorsOf, toClassification } from "./classification.js";

const sum = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0);

describe("priors", () => {
  it("come in the order of a model's labels, and only for labels of the analysis", () => {
    expect([...priorsOf(SPAM_DETECTION_LABELS, ["ham", "spam"])]).toEqual([0.8487, 0.1513]);
    expect(() => priorsOf(SPAM_DETECTION_LABELS, ["ham", "eggs"])).toThrow(/eggs is no label of spam-detection/);
  });
});

describe("conservative", () => {
  const priors = [0.4, 0.4, 0.2];

  it("stays near the priors and sums to 1", () => {
    const mixed = conservative([0, 0.02, 0.98], priors);
    expect(sum(mixed)).toBeCloseTo(1, 10);
    mixed.forEach((probability, i) => expect(Math.abs(probability - (priors[i] ?? 0))).toBeLessThanOrEqual(0.3));
  });

  it("still lets what the model says count", () => {
    expect(conservative([0.1, 0.8, 0.1], priors)[1]).toBeGreaterThan(0.4);
  });
});

describe("supportsLanguage", () => {
  it("is for the languages of the model, and for undetermined languages", () => {
    const supports = (code: string) => supportsLanguage(new Set(["en"]), { code, prob: 0.9 });
    expect(["en", "und", "mul", "de"].map(supports)).toEqual([true, true, true, false]);
  });
});

describe("toClassification", () => {
  it("names the likeliest label, with 4 decimals at most and never above 1", () => {
    expect(toClassification(["a", "b"], [0.123456, 0.876544])).toEqual({ value: "b", prob: 0.8765 });
    expect(toClassification(["a", "b"], [1 + 1e-12, -1e-12])).toEqual({ value: "a", prob: 1 });
  });

  it("explains with all probabilities and the spans", () => {
    const spans = [{ start: 0, end: 1, text: "x", weight: 0.5 }];
    expect(toClassification(["a", "b", "c"], [0.2, 0.5, 0.3], spans)).toEqual({
      value: "b",
      prob: 0.5,
      explanation: { probabilities: { a: 0.2, b: 0.5, c: 0.3 }, spans },
    });
  });
});
