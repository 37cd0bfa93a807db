import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Classification, TextDocument } from "../../types.js";
import { SENTIMENT_SIMPLE_LABELS } from "../../analyzers/classifiers.js";
import { createDocument } from "../../text/document.js";
import { writeTinyEncoder } from "../../testing/tiny-encoder.js";
import { createEncoderAnalyzer } from "./encoder-classifier.js";
import type { EncoderFolders } from "./encoder.js";
import { ENCODER_WEIGHTS_FILE, type EncoderTask } from "./card.js";

let folders: EncoderFolders;
beforeAll(() => {
  folders = {
    english: writeTinyEncoder(),
    multilingual: writeTinyEncoder({ version: "tiny-many", languages: ["es", "fr"], unigram: true }),
  };
});
afterAll(() => Object.values(folders).forEach((folder: URL) => rmSync(folder, { recursive: true })));

const documentOf = (text: string, language: TextDocument["language"]): TextDocument => {
  const { once, set } = createDocument(text);
  return { text, language, once, set };
};

/** A folder of the multilingual encoder whose card says more of sentiment-simple. */
const tinyManyWith = (more: Partial<EncoderTask>): URL => {
  const folder = writeTinyEncoder({ version: "tiny-many", languages: ["es", "fr"], unigram: true });
  const file = new URL("model.json", folder);
  const card = JSON.parse(readFileSync(file, "utf8")) as { tasks: Record<string, EncoderTask> };
  card.tasks["sentiment-simple"] = { ...card.tasks["sentiment-simple"]!, ...more };
  writeFileSync(file, JSON.stringify(card));
  return folder;
};

const resultOf = async (
  text: string,
  language: TextDocument["language"],
  multilingual: URL = folders.multilingual,
): Promise<[string, Classification]> => {
  const analyzer = createEncoderAnalyzer(SENTIMENT_SIMPLE_LABELS, { ...folders, multilingual });
  const document = documentOf(text, language);
  await analyzer.prepare?.([document], { explain: true });
  return [analyzer.modelOf?.(document).version ?? "", analyzer.analyze(document, { explain: true })];
};

describe("the encoder that reads a text", () => {
  it.each([
    ["English", { code: "en", prob: 1 }, "tiny-1"],
    ["another language", { code: "es", prob: 1 }, "tiny-many"],
    ["a language that was not measured", { code: "lb", prob: 1 }, "tiny-many"],
    ["a word or two of no certain language", { code: "und", prob: 0.3 }, "tiny-1"],
    ["what is likeliest English", { code: "und", prob: 0.4, likeliest: "en" }, "tiny-1"],
    ["what is likelier anything else", { code: "und", prob: 0.4, likeliest: "so" }, "tiny-many"],
  ])("depends on the language: %s", async (_, language, version) => {
    const [reader, { explanation }] = await resultOf("the food was good", language);
    expect(reader).toBe(version);
    expect(explanation?.spans[0]?.text).toBe("good");
  });

  it("is certain in the languages it was measured in, and stays near the priors in others", async () => {
    const [, measured] = await resultOf("the food was good", { code: "fr", prob: 1 });
    const [, other] = await resultOf("the food was good", { code: "lb", prob: 1 });
    expect(measured).toMatchObject({ value: "positive", prob: 0.787 });
    expect(other.prob).toBeLessThan(0.6);
  });

  it("has in each language the certainty that was measured there", async () => {
    const many = tinyManyWith({ byLanguage: { es: { temperature: 2 }, fr: { temperature: 1, bias: [0, 9, 0] } } });
    const resultIn = async (code: string) => (await resultOf("the food was good", { code, prob: 1 }, many))[1];
    expect(await resultIn("und")).toMatchObject({ value: "positive", prob: 0.787 });
    expect(await resultIn("es")).toMatchObject({ value: "positive", prob: 0.5761 });
    expect((await resultIn("fr")).value).not.toBe("positive");
    rmSync(many, { recursive: true });
  });

  it("hears the linear model that its card names", async () => {
    const text = "qué bonito, me encanta";
    const [own, other] = [
      tinyManyWith({ linearShare: 1 }),
      tinyManyWith({ linearShare: 1, linear: "sentiment-multilingual" }),
    ];
    const valueBy = async (many: URL) => (await resultOf(text, { code: "es", prob: 1 }, many))[1].value;
    expect(await valueBy(other)).toBe("positive");
    expect(await valueBy(own)).not.toBe("positive");
    for (const folder of [own, other]) rmSync(folder, { recursive: true });
  });

  it("supports the languages of both", () => {
    const { languages } = createEncoderAnalyzer(SENTIMENT_SIMPLE_LABELS, folders);
    expect([...languages].sort()).toEqual(["en", "es", "fr"]);
  });

  it("reads the texts of a batch in several languages, each by its own", async () => {
    const analyzer = createEncoderAnalyzer(SENTIMENT_SIMPLE_LABELS, folders);
    const documents = [
      documentOf("good", { code: "en", prob: 1 }),
      documentOf("awful", { code: "es", prob: 1 }),
      documentOf("awful", { code: "en", prob: 1 }),
    ];
    await analyzer.prepare?.(documents, { explain: true });
    const found = documents.map((document) => [
      analyzer.analyze(document, { explain: true }).value,
      analyzer.modelOf?.(document).version,
    ]);
    expect(found).toEqual([
      ["positive", "tiny-1"],
      ["negative", "tiny-many"],
      ["negative", "tiny-1"],
    ]);
  });

  it("is loaded for the first text in another language, and again after a failure", async () => {
    const many = writeTinyEncoder({ languages: ["es"], unigram: true });
    const weights = new URL(ENCODER_WEIGHTS_FILE, many);
    const hidden = new URL("hidden", many);
    renameSync(weights, hidden);
    const analyzer = createEncoderAnalyzer(SENTIMENT_SIMPLE_LABELS, { ...folders, multilingual: many });
    const spanish = documentOf("good", { code: "es", prob: 1 });
    await analyzer.prepare?.([documentOf("good", { code: "en", prob: 1 })], { explain: false });
    await expect(analyzer.prepare?.([spanish], { explain: false })).rejects.toThrow(/cannot read .*model\.onnx/);
    renameSync(hidden, weights);
    await analyzer.prepare?.([spanish], { explain: false });
    expect(analyzer.analyze(spanish, { explain: false }).value).toBe("positive");
    rmSync(many, { recursive: true });
  });
});
