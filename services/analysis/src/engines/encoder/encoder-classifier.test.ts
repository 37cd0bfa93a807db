import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  INTENTION_LABELS,
  SENTIMENT_REAL_LABELS,
  SENTIMENT_SIMPLE_LABELS,
  SPAM_DETECTION_LABELS,
} from "../../analyzers/classifiers.js";
import { analyzeInline } from "../../pool/analyze-texts.js";
import { CLASSIFIERS } from "../../registry/analyses.js";
import { writeTinyEncoder } from "../../testing/tiny-encoder.js";
import { createDocument } from "../../text/document.js";
import type { Classification, TextDocument } from "../../types.js";
import { createEncoderAnalyzer } from "./encoder-classifier.js";
import { type Encoder, type EncoderFolders, encoderOf, encodingOf, prepareEncodings } from "./encoder.js";
import { excerptsOf, prepareExcerpts } from "./excerpts.js";

let folder: URL;
let folders: EncoderFolders;
beforeAll(() => {
  folder = writeTinyEncoder();
  folders = { english: folder, multilingual: folder };
});
afterAll(() => rmSync(folder, { recursive: true }));

const documentOf = (text: string, code = "en"): TextDocument => {
  const { once, set } = createDocument(text);
  return { text, language: { code, prob: 1 }, once, set };
};

const sentimentOf = async (text: string, { explain = false, language = "en" } = {}): Promise<Classification> => {
  const analyzer = createEncoderAnalyzer(SENTIMENT_SIMPLE_LABELS, folders);
  const document = documentOf(text, language);
  await analyzer.prepare?.([document], { explain });
  return analyzer.analyze(document, { explain });
};

describe("the classifiers of the encoder", () => {
  it("say which model they are", () => {
    for (const analyzer of [
      createEncoderAnalyzer(SENTIMENT_SIMPLE_LABELS, folders),
      createEncoderAnalyzer(SENTIMENT_REAL_LABELS, folders),
      createEncoderAnalyzer(INTENTION_LABELS, folders),
      createEncoderAnalyzer(SPAM_DETECTION_LABELS, folders),
    ]) {
      expect(analyzer).toMatchObject({
        engine: "accurate",
        model: { id: `${analyzer.type}-encoder`, version: "tiny-1" },
      });
      expect([...analyzer.languages]).toEqual(["en"]);
    }
  });

  it("give the likeliest label and its probability", async () => {
    expect(await sentimentOf("the food was good")).toEqual({ value: "positive", prob: 0.787 });
    expect(await sentimentOf("the food was awful, awful")).toEqual({ value: "negative", prob: 0.9647 });
  });

  it("share one pass over a text", async () => {
    const [one, other] = [
      createEncoderAnalyzer(INTENTION_LABELS, folders),
      createEncoderAnalyzer(SPAM_DETECTION_LABELS, folders),
    ];
    const document = documentOf("hello, winner tomorrow");
    await one.prepare?.([document], { explain: false });
    const encoded = encodingOf(document);
    await other.prepare?.([document, documentOf("another")], { explain: false });
    expect(encodingOf(document)).toBe(encoded);
    expect(one.analyze(document, { explain: false }).value).toBe("forecast");
    expect(other.analyze(document, { explain: false }).prob).toBe(0.5);
  });

  it("refuse a text that was not prepared", () => {
    const analyzer = createEncoderAnalyzer(INTENTION_LABELS, folders);
    expect(() => analyzer.analyze(documentOf("hello"), { explain: false })).toThrow(/call prepareEncodings first/);
  });

  it("stay near the priors in a language they were not made for", async () => {
    const positive = 0.3 * 0.787 + 0.7 * (CLASSIFIERS["sentiment-simple"].priors["positive"] ?? 0);
    const { prob } = await sentimentOf("el food was good", { language: "es" });
    expect(prob).toBeCloseTo(positive, 3);
    expect((await sentimentOf("food was good", { language: "und" })).prob).toBe(0.787);
  });

  it("stay near the priors where there is nothing to read", async () => {
    const { value, prob } = await sentimentOf(" \n ");
    expect(value).toBe("neutral");
    expect(prob).toBeCloseTo(0.7 * (CLASSIFIERS["sentiment-simple"].priors["neutral"] ?? 0) + 0.1, 3);
  });
});

describe("explanations by the encoder", () => {
  it("show the words for and against the label, strongest first, in code points", async () => {
    const { value, explanation } = await sentimentOf("😂 good good food, the awful food 🎉", { explain: true });
    expect(value).toBe("positive");
    expect(explanation?.spans.map(({ text, start, end }) => [text, start, end])).toEqual([
      ["good good", 2, 11],
      ["awful", 22, 27],
    ]);
    const [support, objection] = explanation?.spans.map(({ weight }) => weight) ?? [];
    expect(support).toBeGreaterThan(0.5);
    expect(objection).toBeLessThan(0);
    const sum = Object.values(explanation?.probabilities ?? {}).reduce((a, b) => a + b, 0);
    expect(sum).toBeCloseTo(1, 3);
  });

  it("explain the label even where a text is one word, or none", async () => {
    expect((await sentimentOf("good", { explain: true })).explanation?.spans).toEqual([
      expect.objectContaining({ start: 0, end: 4, text: "good" }),
    ]);
    for (const text of ["", "...", "food"]) {
      expect((await sentimentOf(text, { explain: true })).explanation?.spans).toEqual([]);
    }
  });

  it("find the word in a long text that carried the label", async () => {
    const filler = "the food was the food, but the food was the food. ";
    const text = `${filler.repeat(200)}The food was awful. ${filler.repeat(200)}`;
    const { value, explanation } = await sentimentOf(text, { explain: true });
    expect(value).toBe("negative");
    expect(explanation?.spans[0]).toMatchObject({ text: "awful", start: filler.length * 200 + "The food was ".length });
  });

  it("find the words of each analysis in the same variants of a text", async () => {
    const text = `${"the food was the food. ".repeat(30)}hello winner winner. ${"the food was. ".repeat(30)}It was good. Tomorrow tomorrow.`;
    const document = documentOf(text);
    const types = ["sentiment-simple", "spam-detection", "intention"] as const;
    const found: (string | undefined)[] = [];
    for (const type of types) {
      const analyzer = createEncoderAnalyzer(CLASSIFIERS[type], folders);
      await analyzer.prepare?.([document], { explain: true });
      found.push(analyzer.analyze(document, { explain: true }).explanation?.spans[0]?.text);
    }
    expect(found).toEqual(["good", "winner winner", "Tomorrow tomorrow"]);
  });

  it.each([1, 2, 5, 39, 41, 400, 4_000])("read a text of %i words as often as may be", async (words) => {
    const text = Array.from({ length: words }, (_, i) => (i % 9 === 8 ? "awful," : "food")).join(" ");
    const encoder = encoderOf(folder);
    let read = 0;
    const counting: Encoder = {
      card: encoder.card,
      encode: async (texts) => (await encoder.encode(texts)).map((encoded) => ({ ...encoded, encoder: counting })),
      encodeWithout: (encoded, leftOut) => {
        for (const ranges of leftOut) {
          const touched = encoded.windows.filter(({ from, to }) =>
            ranges.some((one) => one.from >= from && one.to <= to),
          );
          read += lengthOf(touched) - lengthOf(ranges);
        }
        return encoder.encodeWithout(encoded, leftOut);
      },
    };
    const lengthOf = (ranges: readonly { from: number; to: number }[]): number =>
      ranges.reduce((sum, { from, to }) => sum + to - from, 0);
    const document = documentOf(text);
    await prepareEncodings([document], { english: counting, multilingual: counting });
    await prepareExcerpts([document]);
    expect(read).toBeLessThanOrEqual(14 * encodingOf(document).tokens.length + 14);
    const { units } = excerptsOf(document);
    units.slice(1).forEach(({ start }, i) => expect(start).toBeGreaterThanOrEqual(units[i]?.end ?? 0));
  });

  it("are the same alone and among others", async () => {
    const texts = ["good food", "the food was awful, but the winner was good. ".repeat(12), "hello!"];
    const analyzer = createEncoderAnalyzer(SENTIMENT_SIMPLE_LABELS, folders);
    const documents = texts.map((text) => documentOf(text));
    await analyzer.prepare?.(documents, { explain: true });
    for (const [i, document] of documents.entries()) {
      expect(analyzer.analyze(document, { explain: true })).toEqual(
        await sentimentOf(texts[i] ?? "", { explain: true }),
      );
    }
  });

  it("are refused when the encoder has a label that is none of the analysis", () => {
    const { analysis, priors, ...others } = SENTIMENT_SIMPLE_LABELS;
    const { neutral: _, ...known } = priors;
    expect(() => createEncoderAnalyzer({ analysis, priors: known, ...others }, folders)).toThrow(
      /neutral is no label of sentiment-simple/,
    );
  });
});

/** The linear model has a large part of the weight in spam-detection, and its own words that speak for spam or against it. */
const TEXTS = [
  "Thanks for the lift home yesterday, see you at practice on Thursday.",
  "Congratulations, you won a prize. Claim it now at https://prize.example.com/claim",
  "check out my channel and subscribe please, new videos every day",
  "The meeting is moved to Monday, call me if you can't make it.",
  "I'm at the station, where are you? Train leaves in ten minutes.",
  "URGENT! Your account was suspended, reply YES to 80082 to win 500 pounds cash",
];

const explained = async (texts: readonly string[]) =>
  (await analyzeInline(texts, ["spam-detection"], { explain: true })).map(({ results }) => results["spam-detection"]!);

it("explains spam by what decided it: without the strongest span the label is less likely", async () => {
  const found = await explained(TEXTS);
  const rest = TEXTS.map((text, i) => {
    const { start = 0, end = 0 } = found[i]?.explanation?.spans.find(({ weight }) => weight > 0) ?? {};
    return text.slice(0, start) + text.slice(end);
  });
  const again = await explained(rest);
  const lowered = found.map(({ value, prob }, i) => (again[i]?.explanation?.probabilities[value] ?? 1) < prob);
  expect(lowered).toEqual(TEXTS.map(() => true));
});
