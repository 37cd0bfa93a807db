import { describe, expect, it } from "vitest";
import {
  accuracy,
  bootstrap,
  calibrationError,
  calibrationErrorByChance,
  calibrationInterval,
  errorRateOf,
  f1,
  intervalsOf,
  type Judgment,
  macroF1,
  meanMacroF1Interval,
  sumOf,
  wilson,
} from "./metrics.js";

const judgment = (predicted: string, truth: string, prob = 1): Judgment => ({ predicted, truth, prob, source: "s" });

describe("metrics", () => {
  it("counts right answers", () => {
    expect(accuracy([judgment("a", "a"), judgment("a", "b")])).toBe(0.5);
    expect(accuracy([])).toBe(0);
  });

  it("gives every label the same say in macro-F1", () => {
    // a: precision 2/3, recall 2/2, F1 .8; b: never predicted, F1 0.
    expect(macroF1([judgment("a", "a"), judgment("a", "a"), judgment("a", "b")])).toBeCloseTo(0.4, 10);
  });

  it("measures the gap between certainty and accuracy", () => {
    expect(calibrationError([judgment("a", "a", 0.5), judgment("a", "b", 0.5)])).toBeCloseTo(0, 10);
    expect(calibrationError([judgment("a", "b", 1)])).toBe(1);
  });
});

/** 300 judgments of three labels, of which one in five is wrong. */
const JUDGMENTS: readonly Judgment[] = Array.from({ length: 300 }, (_, i) => ({
  truth: `label ${i % 3}`,
  predicted: `label ${(i % 5 === 0 ? i + 1 : i) % 3}`,
  prob: 1,
  source: "s",
}));

describe("wilson", () => {
  it("gives the published intervals, also at the ends", () => {
    const [low, high] = wilson(10, 100);
    expect(low).toBeCloseTo(0.0552, 4);
    expect(high).toBeCloseTo(0.1744, 4);
    expect(wilson(0, 10)[0]).toBe(0);
    expect(wilson(0, 10)[1]).toBeCloseTo(0.2775, 4);
    expect(wilson(10, 10)[1]).toBeCloseTo(1, 10);
    expect(wilson(0, 0)).toEqual([0, 1]);
  });
});

describe("errorRateOf", () => {
  it("weights texts by their length, and knows no more than they vary", () => {
    const { value, interval } = errorRateOf([
      { errors: 0, length: 90 },
      { errors: 10, length: 10 },
    ]);
    expect(value).toBe(0.1);
    expect(interval).toEqual([0, 1]);
    expect(errorRateOf(Array.from({ length: 9 }, () => ({ errors: 1, length: 4 }))).interval).toEqual([0.25, 0.25]);
  });
});

describe("bootstrap", () => {
  it("encloses the figures, and is about as wide as theory says", () => {
    const intervals = bootstrap(JUDGMENTS);
    const [low, high] = intervals.accuracy;
    // 1.96 standard errors of a share of .8 of 300.
    expect(high - low).toBeCloseTo(2 * 1.96 * Math.sqrt((0.8 * 0.2) / 300), 1);
    expect((high + low) / 2).toBeCloseTo(accuracy(JUDGMENTS), 1);
    expect(intervals.macroF1[0]).toBeLessThan(macroF1(JUDGMENTS));
    expect(intervals.macroF1[1]).toBeGreaterThan(macroF1(JUDGMENTS));
  });

  it("is the same each time", () => {
    expect(bootstrap(JUDGMENTS)).toEqual(bootstrap(JUDGMENTS));
  });

  it("has no width without errors, and stands an empty list", () => {
    const right = JUDGMENTS.map((judgment) => ({ ...judgment, predicted: judgment.truth }));
    expect(bootstrap(right)).toEqual({ accuracy: [1, 1], macroF1: [1, 1] });
    expect(bootstrap([])).toEqual({ accuracy: [0, 0], macroF1: [0, 0] });
  });
});

describe("calibrationInterval", () => {
  it("encloses the calibration error, and ends at 0 for certain and right judgments", () => {
    // One in five is wrong although all are certain: an error of .2.
    const [low, high] = calibrationInterval(JUDGMENTS);
    expect(low).toBeGreaterThan(0.1);
    expect(low).toBeLessThan(0.2);
    expect(high).toBeGreaterThan(0.2);
    expect(high).toBeLessThan(0.3);
    expect(calibrationInterval(JUDGMENTS.map((judgment) => ({ ...judgment, predicted: judgment.truth })))).toEqual([
      0, 0,
    ]);
  });
});

describe("meanMacroF1Interval", () => {
  it("is that of the group for a single one, and narrower for the mean of several", () => {
    const [low, high] = bootstrap(JUDGMENTS).macroF1;
    expect(meanMacroF1Interval([JUDGMENTS])).toEqual([low, high]);
    const right = JUDGMENTS.map((judgment) => ({ ...judgment, predicted: judgment.truth }));
    const [meanLow, meanHigh] = meanMacroF1Interval([JUDGMENTS, right]);
    expect(meanHigh - meanLow).toBeCloseTo((high - low) / 2, 5);
  });
});

describe("calibrationErrorByChance", () => {
  it("is what is left of a perfectly calibrated model's error, and shrinks with the number of judgments", () => {
    const some = JUDGMENTS.map((judgment) => ({ ...judgment, prob: 0.7 }));
    // The mean distance of a share of .7 of 300 from .7.
    const expected = Math.sqrt((2 / Math.PI) * ((0.7 * 0.3) / 300));
    expect(calibrationErrorByChance(some).value).toBeCloseTo(expected, 2);
    const more = Array.from({ length: 9 }, () => some).flat();
    expect(calibrationErrorByChance(more).value).toBeCloseTo(expected / 3, 2);
  });
});

describe("intervalsOf", () => {
  it("contains the figure, and has no width without variation", () => {
    const tallies = Array.from({ length: 200 }, (_, at) => ({ right: at % 2, found: 1, wanted: 1 }));
    const [low, high] = intervalsOf(tallies).F1;
    expect(low).toBeLessThan(f1(sumOf(tallies)));
    expect(high).toBeGreaterThan(f1(sumOf(tallies)));
    expect(intervalsOf([{ right: 1, found: 1, wanted: 1 }])).toEqual({ precision: [1, 1], recall: [1, 1], F1: [1, 1] });
  });
});
