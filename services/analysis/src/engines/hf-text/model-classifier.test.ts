import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  INTENTION_LABELS,
  SENTIMENT_REAL_LABELS,
  SENTIMENT_SIMPLE_LABELS,
  SPAM_DETECTION_LABELS,
} from "../../analyzers/classifiers.js";
import type { EngineSettings } from "../../types.js";
import { startFakeHub } from "../../models/testing/fake-hub.js";
import { createModelClassifier } from "./model-classifier.js";
import { analyzeAlone, createModelFolder, documentIn, type ModelFolder } from "../../testing/model-folder.js";
import { tinyClassifier, tinyComparer, tinyTagger } from "../../testing/tiny-models.js";

let folder: ModelFolder;
beforeAll(async () => {
  folder = await createModelFolder();
});
afterAll(() => folder.remove());

const place: ModelFolder["place"] = (...model) => folder.place(...model);
const options = (model: string): EngineSettings => folder.settingsFor(model);

const SENTIMENT = tinyClassifier({
  labels: ["negative", "neutral", "positive"],
  words: { love: [0, 0, 4], hate: [4, 0, 0], the: [0, 0.1, 0], "@": [0, 0, 0], user: [0, 8, 0] },
});

describe("a model that classifies", () => {
  it("gives its label, all probabilities, and says what it is", async () => {
    await place("acme/sentiment", SENTIMENT);
    const analyzer = await createModelClassifier(SENTIMENT_SIMPLE_LABELS, options("acme/sentiment"));
    expect(analyzer).toMatchObject({
      type: "sentiment-simple",
      engine: "models",
      model: { id: "acme/sentiment", version: expect.stringMatching(/^local-[0-9a-f]{12}$/) },
      languages: new Set(["en"]),
    });
    const loved = await analyzeAlone(analyzer, "We all LOVE the new museum");
    const share = (logit: number): number => Math.exp(logit) / (Math.exp(4) + Math.exp(0.1) + Math.exp(0));
    expect(loved).toMatchObject({ value: "positive", prob: expect.closeTo(share(4), 3) });
    expect(loved.explanation?.probabilities).toEqual({
      positive: expect.closeTo(share(4), 3),
      neutral: expect.closeTo(share(0.1), 3),
      negative: expect.closeTo(share(0), 3),
    });
    expect(await analyzeAlone(analyzer, "They hate the new museum")).toMatchObject({ value: "negative" });
  });

  it("gives a text the same result whatever is analyzed beside it", async () => {
    const analyzer = await createModelClassifier(SENTIMENT_SIMPLE_LABELS, options("acme/sentiment"));
    const alone = await analyzeAlone(analyzer, "I love it");
    const texts = ["I love it", "hate ".repeat(500), ""];
    const documents = texts.map((text) => documentIn("en", text));
    await analyzer.prepare?.(documents, { explain: true });
    expect(documents.map((document) => analyzer.analyze(document, { explain: true }))[0]).toEqual(alone);
  });

  it("reads a long text to its end, in windows of sentences", async () => {
    const analyzer = await createModelClassifier(SENTIMENT_SIMPLE_LABELS, options("acme/sentiment"));
    const dull = "The museum has the doors the visitors want to see open. ";
    const long = dull.repeat(Math.ceil(19_000 / dull.length));
    const [plain, loved] = [
      await analyzeAlone(analyzer, long),
      await analyzeAlone(analyzer, `${long}love love love love love`),
    ];
    expect(loved.explanation?.probabilities["positive"]).toBeGreaterThan(
      plain.explanation?.probabilities["positive"] ?? 1,
    );
    const letters = await analyzeAlone(analyzer, "x".repeat(20_000));
    expect(letters.prob).toBeCloseTo(1 / 3, 2);
  });

  it("stays near the priors in a language it was not made for", async () => {
    const analyzer = await createModelClassifier(SENTIMENT_SIMPLE_LABELS, options("acme/sentiment"));
    const foreign = await analyzeAlone(analyzer, "love", "de");
    expect(foreign.prob).toBeLessThan(0.6);
  });

  it("sees handles and links as it was trained to", async () => {
    await place("acme/handles", SENTIMENT, { handles: "@user", links: "love" });
    const analyzer = await createModelClassifier(SENTIMENT_SIMPLE_LABELS, options("acme/handles"));
    expect(await analyzeAlone(analyzer, "hate @somebody")).toMatchObject({ value: "neutral" });
    expect(await analyzeAlone(analyzer, "see https://example.com/x")).toMatchObject({ value: "positive" });
    expect(analyzer.model.version).toMatch(/^local-[0-9a-f]{12}\+[0-9a-f]{6}$/);
  });

  it("maps emotions of GoEmotions, several at a time, and leaves out what has no counterpart", async () => {
    const labels = ["gratitude", "admiration", "grief", "neutral", "surprise"];
    const config = { problem_type: "multi_label_classification" };
    const words = { thanks: [6, 6, -9, -9, -9], gone: [-9, -9, 6, -9, -9], table: [-9, -9, -9, 6, -9] };
    await place("acme/emotions", tinyClassifier({ labels, words, config }));
    const analyzer = await createModelClassifier(SENTIMENT_REAL_LABELS, options("acme/emotions"));
    expect(await analyzeAlone(analyzer, "thanks")).toMatchObject({ value: "pleasantness", prob: expect.closeTo(1, 2) });
    expect(await analyzeAlone(analyzer, "gone")).toMatchObject({ value: "sadness", prob: expect.closeTo(1, 2) });
    const dull = await analyzeAlone(analyzer, "table");
    expect(dull.prob).toBeLessThan(0.2);
    const sum = Object.values(dull.explanation?.probabilities ?? {}).reduce((a, b) => a + b, 0);
    expect(sum).toBeCloseTo(1, 2);
    expect(Object.keys(dull.explanation?.probabilities ?? {})).toHaveLength(20);
  });

  it("takes the operator's word for its labels, its temperature and its languages", async () => {
    const model = { labels: ["LABEL_0", "LABEL_1"], words: { win: [0, 6], lunch: [6, 0] } };
    await place("acme/spam", tinyClassifier(model), {
      labels: { LABEL_0: "ham", LABEL_1: "spam" },
      temperature: 3,
      languages: ["en", "de"],
    });
    const analyzer = await createModelClassifier(SPAM_DETECTION_LABELS, options("acme/spam"));
    expect(analyzer.languages).toEqual(new Set(["en", "de"]));
    const prob = Math.exp(2) / (Math.exp(2) + 1);
    expect(await analyzeAlone(analyzer, "win")).toMatchObject({ value: "spam", prob: expect.closeTo(prob, 3) });
    expect(await analyzeAlone(analyzer, "lunch")).toMatchObject({ value: "ham" });
  });

  it("compares the text with a sentence for each label where it has no labels", async () => {
    await place("acme/zero", tinyComparer({ sorry: [2, 0], apologises: [2, 0], rain: [0, 2], predicts: [0, 2] }, 2));
    const analyzer = await createModelClassifier(INTENTION_LABELS, options("acme/zero"));
    expect(await analyzeAlone(analyzer, "so sorry")).toMatchObject({ value: "contrition" });
    expect(await analyzeAlone(analyzer, "rain tomorrow")).toMatchObject({ value: "forecast" });
    await place("acme/zero-own", tinyComparer({ sorry: [2], wishes: [2] }, 1), { hypotheses: { wish: "wishes" } });
    const own = await createModelClassifier(INTENTION_LABELS, options("acme/zero-own"));
    expect(await analyzeAlone(own, "sorry")).toMatchObject({ value: "wish" });
  });
});

describe("a model that cannot be used", () => {
  it.each([
    [
      "labels that say nothing",
      tinyClassifier({ labels: ["LABEL_0", "LABEL_1"], words: {} }),
      /its labels are LABEL_0, LABEL_1, expected are positive, neutral, negative.*hourglass\.json/,
    ],
    [
      "another task",
      tinyTagger({ labels: ["O", "B-PER"], words: {} }),
      /made for token-classification, which does not serve sentiment-simple/,
    ],
    ["no labels", tinyClassifier({ labels: ["a"], words: {} }), /names no labels/],
    ["no weights", { ...SENTIMENT, "onnx/model.onnx": "no model" }, /cannot be loaded/],
    [
      "settings that are wrong",
      { ...SENTIMENT, "hourglass.json": `{ "temperature": 0 }` },
      /hourglass\.json: "temperature" must be a number above 0/,
    ],
    [
      "settings that nobody knows",
      { ...SENTIMENT, "hourglass.json": `{ "lables": {} }` },
      /unknown "lables", allowed are labels, task/,
    ],
  ])("is refused with a reason: %s", async (what, files, reason) => {
    const name = `broken/${what.replaceAll(" ", "-")}`;
    await place(name, files);
    await expect(createModelClassifier(SENTIMENT_SIMPLE_LABELS, options(name))).rejects.toThrow(reason);
  });

  it("is named with what to do when it is not there and downloads are forbidden", async () => {
    await expect(createModelClassifier(SENTIMENT_SIMPLE_LABELS, options("acme/absent"))).rejects.toThrow(
      /OFFLINE=1 forbids to download it: run npm run models -- pull acme\/absent/,
    );
  });
});

describe("a model on a hub", () => {
  it("is downloaded, the best weights alone, and checked at every load", async () => {
    const hub = await startFakeHub("acme/hubbed", {
      ...SENTIMENT,
      "onnx/model_quantized.onnx": SENTIMENT["onnx/model.onnx"] ?? "",
      "pytorch_model.bin": "huge",
    });
    try {
      const online = { ...options("acme/hubbed"), offline: false, hub: { endpoint: hub.endpoint } };
      const analyzer = await createModelClassifier(SENTIMENT_SIMPLE_LABELS, online);
      expect(analyzer.model).toEqual({ id: "acme/hubbed", version: hub.commit.slice(0, 12) });
      expect(await analyzeAlone(analyzer, "love")).toMatchObject({ value: "positive" });
      const asked = hub.requests.map(({ path: url }) => url.replace(/.*\/resolve\/[^/]+\//, ""));
      expect(asked.slice(1).sort()).toEqual(
        ["config.json", "onnx/model_quantized.onnx", "tokenizer.json", "tokenizer_config.json"].sort(),
      );
    } finally {
      await hub.close();
    }
    const offline = options("acme/hubbed");
    expect((await createModelClassifier(SENTIMENT_SIMPLE_LABELS, offline)).model.version).toBe(hub.commit.slice(0, 12));
    await writeFile(path.join(folder.modelsDir, "acme/hubbed/config.json"), "{}");
    await expect(createModelClassifier(SENTIMENT_SIMPLE_LABELS, offline)).rejects.toThrow(
      /Model acme\/hubbed is damaged \(config\.json has 2 bytes.*npm run models -- pull acme\/hubbed/,
    );
  });

  it("must have weights in a format that runs here", async () => {
    const hub = await startFakeHub("acme/torch", { "config.json": "{}", "pytorch_model.bin": "huge" });
    const online = { ...options("acme/torch"), offline: false, hub: { endpoint: hub.endpoint } };
    await expect(createModelClassifier(SENTIMENT_SIMPLE_LABELS, online)).rejects.toThrow(
      /has no tokenizer\.json, no tokenizer_config\.json, no onnx\/model\.onnx: choose a model/,
    );
    await hub.close();
  });
});
