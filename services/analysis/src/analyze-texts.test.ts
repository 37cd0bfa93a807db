import { describe, expect, it } from "vitest";
import { TEXTUAL_ANALYSES } from "./analyzer.js";
import { analyzeInline, analyzeTimed } from "./analyze-texts.js";
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

describe("analyzeTimed", () => {
  it("says how long each analysis took and what made it", async () => {
    const { entries, timings } = await analyzeTimed(["I love Paris!", "I hate Mondays."], ["topic", "intention"]);
    expect(entries).toEqual(await analyzeInline(["I love Paris!", "I hate Mondays."], ["topic", "intention"]));
    expect(timings.map(({ analysis, engine }) => [analysis, engine])).toEqual([
      ["topic", "fast"],
      ["intention", "fast"],
    ]);
    for (const { seconds } of timings) expect(seconds).toBeGreaterThan(0);
  });
});

describe("describeAnalyzers", () => {
  it("finds every analyzer ready, with a version", async () => {
    for (const status of await describeAnalyzers()) {
      expect(status).toMatchObject({ ready: true });
      expect(status.model?.version).toBeTruthy();
    }
  });
});
