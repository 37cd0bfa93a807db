import type { ClassifyingAnalysis } from "@hourglass/analysis";
import { encodersOf } from "@hourglass/analysis/training";
import { expect, it } from "vitest";
import { supportedLanguages } from "./supported-languages.js";

it("supports what clear sentences and posts show, and posts count where there are any", () => {
  const clearByLanguage = { it: { accuracy: 0.75 }, fi: { accuracy: 0.74 }, de: { accuracy: 1 }, ko: { accuracy: 1 } };
  const devByLanguage = { de: { macroF1: 0.5 }, ko: { macroF1: 0.49 } };
  expect(supportedLanguages("sentiment-simple", { clearByLanguage, devByLanguage })).toEqual(["de", "it"]);
});

it.each<ClassifyingAnalysis>(["sentiment-simple", "sentiment-real", "intention", "spam-detection"])(
  "is what the shipped card states: %s",
  (analysis) => {
    const task = encodersOf().multilingual.card.tasks[analysis];
    expect(task.languages).toEqual(supportedLanguages(analysis, task));
  },
);
