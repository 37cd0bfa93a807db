import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Analyzer, Classification, TextDocument } from "../../types.js";
import { CLASSIFIERS, CLASSIFYING_ANALYSES } from "../../registry/analyses.js";
import { createDocument } from "../../text/document.js";
import { createLinearAnalyzer } from "./linear-classifier.js";

const analyzers = new Map<string, Analyzer<string, Classification>>(
  CLASSIFYING_ANALYSES.map((type) => [type, createLinearAnalyzer(CLASSIFIERS[type])]),
);

const classify = (type: string, text: string, explain = true): Classification => {
  const result = analyzers.get(type)?.analyze(createDocument(text), { explain });
  if (result === undefined) throw new Error(`no ${type}`);
  return result;
};

/** A document with a given language, whatever its text. */
const inLanguage = (code: string, text: string): TextDocument =>
  Object.create(createDocument(text), { language: { value: { code, prob: 0.9 } } }) as TextDocument;

const expectSound = (text: string, { value, prob, explanation }: Classification): void => {
  const { probabilities = {}, spans = [] } = explanation ?? {};
  expect(probabilities[value]).toBe(prob);
  expect(Math.max(...Object.values(probabilities))).toBe(prob);
  expect(Object.values(probabilities).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 2);
  expect(spans.length).toBeLessThanOrEqual(10);
  const characters = [...text];
  for (const span of spans) {
    expect(characters.slice(span.start, span.end).join("")).toBe(span.text);
    expect(span.end).toBeGreaterThan(span.start);
    expect(Math.abs(span.weight)).toBeGreaterThan(0);
    expect(Math.abs(span.weight)).toBeLessThanOrEqual(1);
  }
  const weights = spans.map(({ weight }) => Math.abs(weight));
  expect(weights).toEqual([...weights].sort((a, b) => b - a));
};

describe("explanations of the linear classifiers", () => {
  it.each([
    ["sentiment-simple", "The room was fine, but the staff was absolutely terrible to us", "negative", "terrible"],
    ["sentiment-simple", "😀😀 &amp; <br/> so I really lo\u200bve this place", "positive", "lo\u200bve"],
    ["spam-detection", "WINNER!! You have won a £1000 prize, text CLAIM to 80082 now", "spam", "prize"],
    ["spam-detection", "USPS: your parcel is on hold, confirm at usps-redelivery.top/x1", "spam", "redelivery"],
    ["intention", "I am so sorry that I was rude to you yesterday", "contrition", "sorry"],
    ["sentiment-real", "I am so angry about this", "anger", "angry"],
  ] as const)("show what carried %s of %j", (type, text, value, word) => {
    const result = classify(type, text);
    expect(result.value).toBe(value);
    expectSound(text, result);
    const span = result.explanation?.spans.find((candidate) => candidate.text.includes(word));
    expect(span?.weight).toBeGreaterThan(0);
  });

  it("show what spoke against the label", () => {
    const { value, explanation } = classify("sentiment-simple", "Delicious food, lovely people, awful toilets");
    expect(value).toBe("positive");
    expect(explanation?.spans.find(({ text }) => text.includes("awful"))?.weight).toBeLessThan(0);
  });

  it("come only on request and change nothing", () => {
    const text = "Never again will I buy this 😡";
    const { explanation, ...result } = classify("sentiment-simple", text);
    expect(explanation).toBeDefined();
    expect(classify("sentiment-simple", text, false)).toEqual(result);
  });

  it("are sound for any text", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "e\u0301",
        "ﬁ",
        "가",
        "ｶﾞ",
        "\u200b",
        "👍🏽",
        "👩‍👩‍👧",
        "\ud800",
        "&amp;",
        "<br/>",
        "don’t",
        "not",
        " ",
        "love ",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom(...CLASSIFYING_ANALYSES), (pieces, type) => {
        const text = pieces.join("");
        expectSound(text, classify(type, text));
      }),
      { numRuns: repeats(60) },
    );
  });

  it("are sound for long texts, whose words are grouped", () => {
    const text = "I love the 😀 food. The waiter was rude to me! ".repeat(100);
    const result = classify("sentiment-simple", text);
    expectSound(text, result);
    expect(result.explanation?.spans).not.toEqual([]);
  });
});

describe("texts in other languages", () => {
  it.each(CLASSIFYING_ANALYSES)("are classified more cautiously by %s", (type) => {
    const text = "WINNER!! I hate, hate, hate this. You should claim the prize of £1000 now http://x.co";
    const analyzer = analyzers.get(type);
    const probOf = (code: string) => analyzer?.analyze(inLanguage(code, text), { explain: false }).prob ?? 1;
    expect(probOf("und")).toBe(probOf("en"));
    expect(probOf("fr")).toBeLessThanOrEqual(0.9);
    expect(probOf("fr")).not.toBe(probOf("en"));
  });
});
