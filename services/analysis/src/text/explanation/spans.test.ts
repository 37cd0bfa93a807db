import { describe, expect, it } from "vitest";
import { explainedSpans, type WordEvidence } from "./spans.js";

/** The words of a text with single spaces, with the evidence of which these weights are made, in order. */
const wordsOf = (text: string, weights: readonly number[]): WordEvidence[] =>
  Array.from(text.matchAll(/\S+/g), (match, i) => ({
    start: match.index,
    end: match.index + match[0].length,
    evidence: 2 * Math.atanh(weights[i] ?? 0),
  }));

const explain = (text: string, weights: readonly number[]) => explainedSpans(text, wordsOf(text, weights));

describe("explainedSpans", () => {
  it("gives the strongest first, for and against", () => {
    expect(explain("one two three", [0.2, 0, -0.6])).toEqual([
      { start: 8, end: 13, text: "three", weight: -0.6 },
      { start: 0, end: 3, text: "one", weight: 0.2 },
    ]);
  });

  it("joins strong neighbors of one mind", () => {
    expect(explain("so very good but not bad", [0.02, 0.3, 0.4, 0, -0.3, -0.3])).toEqual([
      { start: 3, end: 12, text: "very good", weight: 0.625 },
      { start: 17, end: 24, text: "not bad", weight: -0.5505 },
    ]);
    expect(explain("good bad", [0.4, -0.4])).toHaveLength(2);
    expect(explain("good weak good", [0.8, 0.2, 0.8])).toHaveLength(3);
  });

  it("gives nothing where no single words decided", () => {
    expect(explain("all of it together", [0.04, 0.04, -0.04, 0.04])).toEqual([]);
    expect(explain("good beside little", [0.4, 0.04, 0.04])).toHaveLength(1);
  });

  it("does not join over what is not white space", () => {
    const words = [
      { start: 0, end: 4, evidence: 0.4 },
      { start: 6, end: 10, evidence: 0.4 },
    ];
    expect(explainedSpans("good, good", words)).toHaveLength(2);
  });

  it("counts code points", () => {
    expect(explain("😀😀 \ud800 good 👍", [0, 0, 0.5, 0])).toEqual([{ start: 5, end: 9, text: "good", weight: 0.5 }]);
    expect(explain("😀 👍", [0, 0.5])).toEqual([{ start: 2, end: 3, text: "👍", weight: 0.5 }]);
  });

  it("gives ten at most, bounded to -1 to 1, and nothing where nothing counts", () => {
    const many = explainedSpans(
      "a, ".repeat(40),
      wordsOf(
        "a, ".repeat(40),
        Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 0.9 : -0.8)),
      ),
    );
    expect(many).toHaveLength(10);
    for (const { weight } of many) expect(Math.abs(weight)).toBeLessThanOrEqual(1);
    expect(explain("nothing here", [0, 0])).toEqual([]);
    expect(explain("", [])).toEqual([]);
  });
});
