import { describe, expect, it, vi } from "vitest";
import { type TextDocument } from "../../analyzer.js";
import { analyzeBatch, analyzeInline } from "./analyze-texts.js";
import { type Analyzers, createAnalyzers, type RegisteredAnalyzer } from "../../registry/textual-registry.js";
import { TEXTUAL_ANALYSES, type TextualAnalysis } from "../../registry/analyses.js";

describe("analyzeInline", () => {
  it("gives a result for every analysis and text, in order", async () => {
    const entries = await analyzeInline(["I hate Mondays.", "I love Paris very much!"], TEXTUAL_ANALYSES);
    expect(entries.map(({ results }) => results["sentiment-simple"]?.value)).toEqual(["negative", "positive"]);
    for (const { results, errors, models } of entries) {
      expect(Object.keys(results).sort()).toEqual([...TEXTUAL_ANALYSES].sort());
      expect(errors).toEqual({});
      for (const type of TEXTUAL_ANALYSES) expect(models[type]?.id).toBeTruthy();
    }
  });

  it("does only what was asked", async () => {
    const [entry] = await analyzeInline(["I love Paris!"], ["intention"]);
    expect(Object.keys(entry?.results ?? {})).toEqual(["intention"]);
  });

  it("gives a text the same result in any company", async () => {
    const texts = Array.from({ length: 70 }, (_, i) => `I love number ${i} ${"so ".repeat(i % 9)}much`);
    const together = await analyzeInline(texts, ["sentiment-simple"]);
    const alone = await Promise.all(texts.map((text) => analyzeInline([text], ["sentiment-simple"])));
    expect(together).toEqual(alone.flat());
  });

  it("uses the engine it is told to, and says so where there is none", async () => {
    const engines = { "personality-mb": "accurate", intention: "fast" } as const;
    const [entry] = await analyzeInline(["I will go to Paris."], ["personality-mb", "intention"], { engines });
    expect(Object.keys(entry?.results ?? {})).toEqual(["intention"]);
    expect(entry?.errors).toEqual({ "personality-mb": "there is no engine accurate for personality-mb, only fast" });
    expect(Object.keys(entry?.models ?? {})).toEqual(["intention"]);
  });
});

const isSound = ({ text }: TextDocument): boolean => !text.includes("poison");
const lengthOf = (document: TextDocument): number =>
  document.once(LENGTH, () => {
    throw new Error("not prepared");
  });
const LENGTH = Symbol("length");

/** An analyzer that cannot prepare a batch containing a text with `poison`. */
const createFussy = () => ({
  type: "intention",
  engine: "accurate",
  model: { id: "fussy", version: "1" },
  languages: new Set(["en"]),
  prepare: vi.fn((documents: readonly TextDocument[]) => {
    if (!documents.every(isSound)) return Promise.reject(new Error("poisoned"));
    for (const document of documents) document.set(LENGTH, document.text.length);
    return Promise.resolve();
  }),
  analyze: (document: TextDocument) => ({ value: String(lengthOf(document)), prob: 1 }),
});

type Fussy = ReturnType<typeof createFussy> & Pick<RegisteredAnalyzer, "modelOf">;

const only = (analyzer: RegisteredAnalyzer): Analyzers => ({
  load: () => Promise.resolve(analyzer),
  describe: () => Promise.resolve([]),
});

describe("analyzeBatch", () => {
  const plan = (analyzer: Fussy) => ({
    analyzers: only(analyzer as unknown as RegisteredAnalyzer),
    analyses: ["intention"] as TextualAnalysis[],
    explain: false,
  });

  it("says how long each analysis took and what made it", async () => {
    const analyzers = createAnalyzers();
    const texts = ["I love Paris!", "I hate Mondays."];
    const { timings } = await analyzeBatch(texts, { analyzers, analyses: ["topic", "intention"], explain: false });
    expect(timings.map(({ analysis }) => analysis)).toEqual(["topic", "intention"]);
    for (const { seconds } of timings) expect(seconds).toBeGreaterThan(0);
  });

  it("prepares all texts at once", async () => {
    const fussy = createFussy();
    const { entries } = await analyzeBatch(["a", "bb", "ccc"], plan(fussy));
    expect(entries.map(({ results }) => results.intention?.value)).toEqual(["1", "2", "3"]);
    expect(fussy.prepare).toHaveBeenCalledTimes(1);
  });

  it("blames only the text that cannot be prepared", async () => {
    const { entries } = await analyzeBatch(["a", "poison", "ccc"], plan(createFussy()));
    expect(entries.map(({ results }) => results.intention?.value)).toEqual(["1", undefined, "3"]);
    expect(entries.map(({ errors }) => errors.intention)).toEqual([undefined, "poisoned", undefined]);
    expect(entries[1]?.models.intention).toEqual({ id: "fussy", version: "1" });
  });

  it("names the model of each text, and of a text that cannot be prepared the reason, where models differ by text", async () => {
    const modelOf = (document: TextDocument) => ({ id: `fussy-${lengthOf(document)}`, version: "1" });
    const { entries } = await analyzeBatch(["a", "poison", "ccc"], plan({ ...createFussy(), modelOf }));
    expect(entries.map(({ models }) => models.intention?.id)).toEqual(["fussy-1", "fussy", "fussy-3"]);
    expect(entries.map(({ errors }) => errors.intention)).toEqual([undefined, "poisoned", undefined]);
  });

  it("says whether the model is made for the language of the text", async () => {
    const texts = ["The weather in the mountains was lovely yesterday, and we want to go again.", "?"];
    const { entries } = await analyzeBatch(texts, plan(createFussy()));
    expect(entries.map(({ supported }) => supported.intention)).toEqual([true, false]);
    expect(entries[1]?.language).toBe("und");
  });

  it("says so of a text in which the model finds nothing to go by", async () => {
    const wordy = { ...createFussy(), hasEvidence: ({ text }: TextDocument) => text.length > 70 };
    const texts = [
      "The weather was lovely yesterday.",
      "The weather in the mountains was lovely yesterday, and we want to go again.",
    ];
    const { entries } = await analyzeBatch(texts, plan(wordy));
    expect(entries.map(({ supported }) => supported.intention)).toEqual([false, true]);
    expect(entries.map(({ results }) => results.intention?.value)).toEqual(["33", "75"]);
  });
});
