import { createScorer, featurize } from "@hourglass/analysis/training";
import { describe, expect, it } from "vitest";
import type { Sample } from "../datasets.js";
import { fitTemperature, judge } from "./classifier-metrics.js";
import { scoreSamples } from "./linear-training.js";
import { fitWeights } from "./linear-regression.js";
import type { Recipe } from "./recipes.js";

const sample = (text: string, label: string): Sample => ({ text, shares: { [label]: 1 }, weight: 1, source: "test" });

const SAMPLES = Array.from({ length: 40 }, (_, i) => [
  sample(`the sun shines on field ${i} this warm morning`, "sun"),
  sample(`the rain falls on street ${i} this grey evening`, "rain"),
]).flat();

const RECIPE: Recipe = {
  analysis: "spam-detection",
  labels: ["sun", "rain"],
  data: "",
  samples: () => SAMPLES,
  settings: {
    occurrencesMin: 2,
    epochs: 4,
    rate: 0.1,
    decay: 1e-4,
    classPower: 0.5,
    smoothing: 0.02,
    rarity: 0,
    triples: false,
    addresses: false,
  },
  rowsMax: 500,
};

describe("fitWeights", () => {
  const weights = fitWeights(RECIPE, SAMPLES);

  it("learns what tells the labels apart", () => {
    const judged = scoreSamples(
      weights,
      [sample("sun in the morning", "sun"), sample("evening rain", "rain")],
      RECIPE.labels,
    );
    expect(judge(judged, RECIPE.labels, 1).map(({ predicted }) => predicted)).toEqual(["sun", "rain"]);
  });

  it("gives the same weights every time", () => {
    expect(fitWeights(RECIPE, SAMPLES)).toEqual(weights);
  });

  it("keeps no more rows than it may, and the strongest of them", () => {
    const few = fitWeights({ ...RECIPE, rowsMax: 10 }, SAMPLES);
    expect(few.buckets).toHaveLength(10);
    const [sun = 0, rain = 0] = createScorer(few)(featurize(SAMPLES[0]?.text ?? ""));
    expect(sun).toBeGreaterThan(rain);
  });
});

describe("fitTemperature", () => {
  it("softens a model that is surer than it is right", () => {
    const right = { scores: Float64Array.of(4, 0), truth: 0 };
    const wrong = { scores: Float64Array.of(4, 0), truth: 1 };
    // Three of four right: the odds should be 3, so 4 / T = ln 3.
    expect(fitTemperature([right, right, right, wrong])).toBeCloseTo(4 / Math.log(3), 1);
  });
});
