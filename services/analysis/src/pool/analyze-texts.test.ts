import { describe, expect, it, vi } from "vitest";
import type { TextDocument } from "../types.js";
import { TEXTUAL_ANALYSES, type TextualAnalysis } from "../registry/analyses.js";
import { type Analyzers, createAnalyzers, type RegisteredAnalyzer } from "../registry/textual-registry.js";
import { analyzeBatch, analyzeInline, BatchCutter, splitBatches } from "./analyze-texts.js";

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

  it("uses the configured engine, and says so where there is none", async () => {
    const engines = { "personality-mb": "accurate", intention: "fast" } as const;
    const [entry] = await analyzeInline(["I will go to Paris."], ["personality-mb", "intention"], { engines });
    expect(Object.keys(entry?.results ?? {})).toEqual(["intention"]);
    expect(entry?.errors).toEqual({ "personality-mb": "there is no engine accurate for personality-mb, only fast" });
    expect(Object.keys(entry?.models ?? {})).toEqual(["intention"]);
  });
});

describe("analyzeBatch", () => {
  it("takes a text to be in the language that the caller knows, however short it is", async () => {
    const plan = { analyzers: createAnalyzers({}), analyses: ["sentiment-simple"] as const, explain: false };
    const [detected] = (await analyzeBatch(["Hm"], plan)).entries;
    expect(detected).toMatchObject({ language: "und", supported: { "sentiment-simple": false } });
    const [known] = (await analyzeBatch(["Hm"], { ...plan, language: "es" })).entries;
    expect(known).toMatchObject({ language: "es", supported: { "sentiment-simple": true } });
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

  it.each([
    ["undetermined", "?"],
    ["language", "Das Wetter in den Bergen war gestern schön, und wir wollen wieder hin."],
    ["several-languages", "The weather was lovely yesterday. Heute regnet es leider schon seit dem frühen Morgen."],
    ["no-spaces", "theweatherwaslovelyyesterdayandwewanttogoagain"],
    ["little-evidence", "The weather was lovely yesterday."],
    [undefined, "The weather in the mountains was lovely yesterday, and we want to go again."],
  ])("says why the model does not support a text: %s", async (reason, text) => {
    const wordy = { ...createFussy(), hasEvidence: ({ text: own }: TextDocument) => own.length > 70 };
    const { entries } = await analyzeBatch([text], plan(wordy));
    expect(entries[0]?.supported.intention).toBe(reason === undefined);
    expect(entries[0]?.unsupportedReasons?.intention).toBe(reason);
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

describe("splitBatches", () => {
  it("keeps every text, and says where it stood", () => {
    const texts = Array.from({ length: 1000 }, (_, i) => `${"x".repeat((i * 7) % 90)}${i}`);
    const batches = splitBatches(texts);
    const positions = batches.flatMap((batch) => batch.positions);
    expect([...positions].sort((a, b) => a - b)).toEqual([...texts.keys()]);
    for (const batch of batches) expect(batch.texts).toEqual(batch.positions.map((position) => texts[position]));
  });

  it("puts texts of similar length together, the longest first", () => {
    const texts = Array.from({ length: 100 }, (_, i) => "x".repeat((i * 37) % 100));
    const lengths = splitBatches(texts).map((batch) => batch.texts.map((text) => text.length));
    expect(lengths.flat()).toEqual(Array.from({ length: 100 }, (_, i) => 99 - i));
    expect(lengths.map(({ length }) => length)).toEqual([32, 32, 32, 4]);
  });

  it("keeps texts of one length in their order", () => {
    expect(splitBatches(["b", "a", "long", "c"])[0]?.texts).toEqual(["long", "b", "a", "c"]);
  });

  it("makes small batches of long texts and sends a huge one alone", () => {
    const sizes = splitBatches(["a", "b".repeat(100_000), "c", "d", "d", "d", "d"]).map(({ texts }) => texts.length);
    expect(sizes).toEqual([1, 6]);
    expect(splitBatches(Array.from({ length: 10 }, () => "x".repeat(6000))).map(({ texts }) => texts.length)).toEqual([
      3, 3, 3, 1,
    ]);
  });

  it("makes nothing of nothing", () => {
    expect(splitBatches([])).toEqual([]);
  });
});

it("cuts a batch of the longest or of the shortest texts, until none is left", () => {
  const cutter = new BatchCutter(["a".repeat(9_000), "bb", "c".repeat(5_000), "d", "eee"]);
  const next = (size: { texts: number; characters: number; shortest?: boolean }) => cutter.next(size).positions;
  expect(next({ texts: 2, characters: 500, shortest: true })).toEqual([3, 1]);
  expect(next({ texts: 4, characters: 1_000 })).toEqual([0]);
  expect(next({ texts: 2, characters: 500, shortest: true })).toEqual([4]);
  expect(next({ texts: 2, characters: 500, shortest: true })).toEqual([2]);
  expect(cutter.isDone).toBe(true);
});
