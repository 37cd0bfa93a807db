import { describe, expect, it } from "vitest";
import { TEXTUAL_ANALYSES } from "./analyzer.js";
import { analyzeInline } from "./analyze-texts.js";
import { describeAnalyzers } from "./registry.js";

describe("analyzeInline", () => {
  it("gives a result for every analysis and text, in order", async () => {
    const entries = await analyzeInline(["I love Paris!", "I hate Mondays."], TEXTUAL_ANALYSES);
    expect(entries.map(({ results }) => results["sentiment-simple"]?.value)).toEqual(["positive", "negative"]);
    for (const { results, errors } of entries) {
      expect(Object.keys(results).sort()).toEqual([...TEXTUAL_ANALYSES].sort());
      expect(errors).toEqual({});
    }
  });

  it("does only what was asked", async () => {
    const [entry] = await analyzeInline(["I love Paris!"], ["intention"]);
    expect(Object.keys(entry?.results ?? {})).toEqual(["intention"]);
  });
});

describe("describeAnalyzers", () => {
  it("finds every analyzer ready, with a version", async () => {
    for (const status of await describeAnalyzers()) {
      expect(status).toMatchObject({ ready: true });
      expect(status.version).not.toBe("");
    }
  });
});
