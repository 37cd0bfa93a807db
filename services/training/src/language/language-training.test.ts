import { createDetector, type LanguageCard } from "@hourglass/analysis/training";
import { describe, expect, it } from "vitest";
import { cutShort, judgeLanguages, LANGUAGE_SETTINGS } from "./language-training.js";
import { fitLanguageWeights, type LanguageSample } from "./language-regression.js";

const sample = (text: string, label: string): LanguageSample => ({ text, label, source: "test" });

const SAMPLES = Array.from({ length: 40 }, (_, i) => [
  sample(`the sun shines on field ${i} and the birds sing`, "en"),
  sample(`die sonne scheint auf feld ${i} und die vögel singen`, "de"),
]).flat();
const LABELS = ["de", "en"];
const CARD = { labels: LABELS, temperature: 1 } as unknown as LanguageCard;

describe("fitLanguageWeights", () => {
  const weights = fitLanguageWeights(SAMPLES, LABELS, LANGUAGE_SETTINGS);
  const model = { card: CARD, weights };

  it("learns what tells languages apart", () => {
    const detect = createDetector(model);
    expect(detect("und die sonne").code).toBe("de");
    expect(detect("and the sun").code).toBe("en");
  });

  it("gives the same weights every time", () => {
    expect(fitLanguageWeights(SAMPLES, LABELS, LANGUAGE_SETTINGS)).toEqual(weights);
  });

  it("drops small weights and n-grams that have none left", () => {
    const few = fitLanguageWeights(SAMPLES, LABELS, { ...LANGUAGE_SETTINGS, weightMin: 0.4 });
    expect(few.buckets.length).toBeLessThan(weights.buckets.length);
  });

  it("judges the likeliest language even where none would be reported", () => {
    const [judgment] = judgeLanguages(model, [sample("x", "en")]);
    expect(judgment).toMatchObject({ told: "und", truth: "en" });
    expect(LABELS).toContain(judgment?.predicted);
  });
});

describe("cutShort", () => {
  it("keeps words from the middle, and texts that are shorter already", () => {
    expect(cutShort([sample("a b c d e", "en"), sample("a", "en")], 3).map(({ text }) => text)).toEqual(["b c d", "a"]);
  });
});
