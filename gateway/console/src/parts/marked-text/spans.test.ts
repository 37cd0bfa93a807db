import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromCodePoints, segmentsOf } from "./spans.js";

const pieces = (text: string, spans: readonly { start: number; end: number; name?: string }[]): string[] =>
  segmentsOf(text, spans).map(({ text: piece, spans: over }) =>
    over.length === 0 ? piece : `[${piece}|${over.map(({ name = "" }) => name).join("")}]`,
  );

describe("segmentsOf", () => {
  it("leaves a text without spans in one piece, and has none of an empty text", () => {
    expect(pieces("plain", [])).toEqual(["plain"]);
    expect(pieces("", [{ start: 0, end: 3 }])).toEqual([]);
  });

  it("cuts overlapping spans into pieces with the spans that cover each", () => {
    const spans = [
      { start: 2, end: 6, name: "b" },
      { start: 0, end: 4, name: "a" },
    ];
    expect(pieces("abcdefgh", spans)).toEqual(["[ab|a]", "[cd|ba]", "[ef|b]", "gh"]);
  });

  it("joins nothing of spans that touch, and shows one inside of another", () => {
    expect(
      pieces("abcd", [
        { start: 0, end: 2, name: "a" },
        { start: 2, end: 4, name: "b" },
      ]),
    ).toEqual(["[ab|a]", "[cd|b]"]);
    expect(
      pieces("abcd", [
        { start: 0, end: 4, name: "a" },
        { start: 1, end: 2, name: "b" },
      ]),
    ).toEqual(["[a|a]", "[b|ab]", "[cd|a]"]);
  });

  it("cuts off what lies outside, and drops what is empty or turned around", () => {
    const spans = [
      { start: -5, end: 1, name: "a" },
      { start: 3, end: 99, name: "b" },
      { start: 2, end: 2, name: "c" },
      { start: 3, end: 1, name: "d" },
    ];
    expect(pieces("abcd", spans)).toEqual(["[a|a]", "bc", "[d|b]"]);
  });

  it("cuts no character in two", () => {
    expect(pieces("😀 fine", [{ start: 1, end: 2, name: "a" }])).toEqual(["[😀|a]", " fine"]);
  });

  it("marks nothing of a character that an empty span is in the middle of", () => {
    expect(pieces("😀 fine", [{ start: 1, end: 1, name: "a" }])).toEqual(["😀 fine"]);
  });

  it("always gives the whole text back, each piece with exactly the spans that cover it", () => {
    const span = fc.record({ start: fc.integer({ min: -3, max: 40 }), end: fc.integer({ min: -3, max: 40 }) });
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 30 }), fc.array(span, { maxLength: 12 }), (text, spans) => {
        const segments = segmentsOf(text, spans);
        expect(segments.map(({ text: piece }) => piece).join("")).toBe(text);
        for (const { start, text: piece, spans: over } of segments) {
          const covering = spans.filter(
            ({ start: from, end }) => from < end && from < start + piece.length && end > start,
          );
          expect(over).toEqual(covering);
        }
      }),
    );
  });

  it("takes about twice as long for twice the text and twice the spans", () => {
    const timeOf = (words: number): number => {
      const text = "word ".repeat(words);
      const spans = Array.from({ length: words / 4 }, (_, at) => ({ start: at * 20, end: at * 20 + 4 }));
      const before = performance.now();
      expect(segmentsOf(text, spans)).toHaveLength(words / 2);
      return performance.now() - before;
    };
    timeOf(20_000);
    const small = Math.min(...Array.from({ length: 3 }, () => timeOf(25_000)));
    // Of 1 MB; were it quadratic, it would take 64 times as long.
    const large = Math.min(...Array.from({ length: 3 }, () => timeOf(200_000)));
    expect(large / small).toBeLessThan(32);
  });
});

describe("fromCodePoints", () => {
  it("counts a character beyond the basic plane as two", () => {
    expect(fromCodePoints("😀 fine", [{ start: 2, end: 6, weight: 1 }])).toEqual([{ start: 3, end: 7, weight: 1 }]);
  });

  it("ends at the end of the text", () => {
    expect(fromCodePoints("a😀", [{ start: 1, end: 9 }])).toEqual([{ start: 1, end: 3 }]);
  });
});
