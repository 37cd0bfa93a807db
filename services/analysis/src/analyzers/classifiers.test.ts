import { describe, expect, it } from "vitest";
import { createEncoderAnalyzer } from "../engines/encoder/encoder-classifier.js";
import { createLinearAnalyzer } from "../engines/linear/linear-classifier.js";
import { createDocument } from "../text/document.js";
import {
  INTENTION_LABELS,
  SENTIMENT_REAL_LABELS,
  SENTIMENT_SIMPLE_LABELS,
  SPAM_DETECTION_LABELS,
} from "./classifiers.js";

describe("sentiment-simple", () => {
  const analyzer = createLinearAnalyzer(SENTIMENT_SIMPLE_LABELS);
  const analyze = (text: string) => analyzer.analyze(createDocument(text), { explain: false });

  it.each([
    ["I love this, thank you so much!", "positive"],
    ["lovely lovely 😍😍", "positive"],
    ["This is the worst phone I ever had, I hate it", "negative"],
    ["not good at all", "negative"],
    ["The meeting is on Monday at the town hall.", "neutral"],
  ])("reads %j as %s", (text, value) => {
    expect(analyze(text).value).toBe(value);
  });

  it.each(["", " ", "\ud800", "你好", "😀".repeat(300), "no ".repeat(7_000)])(
    "gives a label and a probability of at most four decimals for any text",
    (text) => {
      const { value, prob } = analyze(text);
      expect(["positive", "neutral", "negative"]).toContain(value);
      expect(prob).toBeGreaterThanOrEqual(1 / 3 - 1e-4);
      expect(prob).toBeLessThanOrEqual(1);
      expect(Number(prob.toFixed(4))).toBe(prob);
    },
  );

  it("is as sure of a long text as of its pieces, not surer", () => {
    const sentence = "The staff was friendly and the room was nice. ";
    const once = analyze(sentence);
    const often = analyze(sentence.repeat(200));
    expect(often.value).toBe(once.value);
    expect(often.prob).toBeLessThan(Math.max(0.999, once.prob + 0.02));
  });
});

describe("sentiment-real", () => {
  const analyzer = createLinearAnalyzer(SENTIMENT_REAL_LABELS);

  it.each([
    ["I love this, thank you so much!", "pleasantness"],
    ["I am so scared of the dark", "fear"],
    ["I am furious at you", "anger"],
    ["He died and I cried all night 😭", "sadness"],
    ["I'm so sorry, it was my fault and I feel terrible", "dislike_self"],
  ])("reads %j as %s", (text, value) => {
    expect(analyzer.analyze(createDocument(text), { explain: false }).value).toBe(value);
  });

  it("is unsure about a text without emotion", () => {
    expect(
      analyzer.analyze(createDocument("The meeting is on Monday at the town hall."), { explain: false }).prob,
    ).toBeLessThan(0.4);
  });
});

const LINKED: readonly (readonly [string, string])[] = [
  ["Staples to close 140 stores this year https://t.co/r7IC4Iaq3z", "ham"],
  ["Here's a picture of our dog on the beach https://t.co/xkH6cN1zvP", "ham"],
  ["Check out: I really liked the pasta we had last night", "ham"],
  ["The food bank needs volunteers on Saturday, please come and help https://example.org/food", "ham"],
  ["We miss you! Do you want to come over for dinner on Friday? Call me", "ham"],
  ["Check out my channel and subscribe please!! https://youtu.be/dQw4w9WgXcQ", "spam"],
  ["WINNER!! Claim your free prize now at http://example.com/prize, text WIN to 80082", "spam"],
];

describe.each([
  ["fast", () => createLinearAnalyzer(SPAM_DETECTION_LABELS)],
  ["accurate", () => createEncoderAnalyzer(SPAM_DETECTION_LABELS)],
] as const)("spam-detection, engine %s", (_, create) => {
  it.each(LINKED)("takes neither a link nor a call for spam by itself: %s", async (text, value) => {
    const analyzer = create();
    const document = createDocument(text);
    await analyzer.prepare?.([document], { explain: false });
    expect(analyzer.analyze(document, { explain: false }).value).toBe(value);
  });
});

describe("spam-detection", () => {
  const analyzer = createLinearAnalyzer(SPAM_DETECTION_LABELS);

  it.each([
    ["WINNER!! Claim your free prize now, text WIN to 80082", "spam"],
    ["Check out my channel and subscribe please!!", "spam"],
    ["ok see you at home tonight", "ham"],
    ["This song never gets old, love it", "ham"],
    ["New phone arrived today, the camera is great http://example.com/p/1", "ham"],
  ])("reads %j as %s", (text, value) => {
    expect(analyzer.analyze(createDocument(text), { explain: false }).value).toBe(value);
  });

  it("is never less sure than a coin", () => {
    expect(analyzer.analyze(createDocument(""), { explain: false }).prob).toBeGreaterThanOrEqual(0.5);
  });
});

describe("intention", () => {
  const analyzer = createLinearAnalyzer(INTENTION_LABELS);

  it.each([
    ["The meeting was held on Monday at the town hall.", "assertion"],
    ["This is the worst phone I ever had, I hate it", "valuation"],
    ["I take back what I said, I was wrong", "palinode"],
    ["I'm so sorry, it was my fault and I feel terrible", "contrition"],
    ["It will rain tomorrow in most of the country", "forecast"],
    ["I hope we will win tomorrow", "wish"],
    ["You should add an option to export the list as a file.", "proposal"],
    ["Check out my channel and subscribe please!!", "inducement"],
    ["What time is it?", "none"],
  ])("reads %j as %s", (text, value) => {
    expect(analyzer.analyze(createDocument(text), { explain: false }).value).toBe(value);
  });
});
