import { describe, expect, it } from "vitest";
import { createDocument } from "../../text/document.js";
import { createLinearAnalyzer } from "../../engines/linear/classifier.js";
import { SENTIMENT_SIMPLE_LABELS } from "./analysis.js";

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
