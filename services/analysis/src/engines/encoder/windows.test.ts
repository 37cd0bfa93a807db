import { describe, expect, it } from "vitest";
import { tokenize } from "../../text/tokenizer.js";
import type { Pieces } from "./vocabulary.js";
import { cutWindows, inputOf, PIECES_MAX, sentencesOf } from "./windows.js";

/** Splits every token into the number of pieces that `count` returns. */
const piecesOf = (text: string, count: (token: string) => number = () => 1): Pieces => {
  const tokens = tokenize(text);
  return {
    tokens,
    ids: tokens.map(({ text: token }) => Array<number>(count(token)).fill(7)),
    shapes: tokens.map(() => 1),
  };
};
const sentences = (text: string): string[] => {
  const tokens = tokenize(text);
  return sentencesOf(tokens, { from: 0, to: tokens.length }).map(({ from, to }) =>
    text.slice(tokens[from]?.start, tokens[to - 1]?.end),
  );
};
const sizes = (pieces: Pieces): number[] =>
  cutWindows(pieces).map(({ from, to }) => pieces.ids.slice(from, to).reduce((sum, ids) => sum + ids.length, 2));

describe("sentences", () => {
  it("end with their marks and what closes them", () => {
    expect(sentences('He said "Go!" Then? Nothing… 😂 (Well.) End')).toEqual([
      'He said "Go!"',
      "Then?",
      "Nothing… 😂",
      "(Well.)",
      "End",
    ]);
  });

  it("end with a line", () => {
    expect(sentences("one line\nanother\n\nthird")).toEqual(["one line", "another", "third"]);
  });

  it("do not end with an abbreviation or a decimal point", () => {
    expect(sentences("Dr. Who paid 3.50 today. Yes")).toEqual(["Dr. Who paid 3.50 today.", "Yes"]);
  });
});

describe("cutWindows", () => {
  it("keeps a short text together", () => {
    expect(cutWindows(piecesOf("One. Two. Three."))).toEqual([{ from: 0, to: 6 }]);
  });

  it("gives a text without tokens one empty window", () => {
    expect(cutWindows(piecesOf(" \n "))).toEqual([{ from: 0, to: 0 }]);
  });

  it("packs whole sentences", () => {
    const sentence = `${"word ".repeat(39)}end. `;
    expect(sizes(piecesOf(sentence.repeat(5)))).toEqual([84, 84, 43]);
  });

  it("fills a window to the last piece", () => {
    expect(sizes(piecesOf("word ".repeat(94)))).toEqual([PIECES_MAX]);
    expect(sizes(piecesOf("word ".repeat(95)))).toEqual([PIECES_MAX, 3]);
  });

  it("cuts only what is too long for a window, at a token", () => {
    const text = `Short one. ${"long ".repeat(60)}. Last one.`;
    expect(sizes(piecesOf(text, (token) => (token === "long" ? 3 : 1)))).toEqual([5, 95, 93 - 2 + 1 + 3 - 2]);
  });

  it("puts every token into exactly one window, in order", () => {
    const pieces = piecesOf("Well, this goes on and on! ".repeat(700), (token) => 1 + (token.length % 5));
    const windows = cutWindows(pieces);
    expect(windows[0]?.from).toBe(0);
    windows.forEach(({ from, to }, i) => {
      expect(to).toBeGreaterThan(from);
      expect(windows[i + 1]?.from ?? pieces.tokens.length).toBe(to);
    });
    expect(Math.max(...sizes(pieces))).toBeLessThanOrEqual(PIECES_MAX);
  });
});

describe("inputOf", () => {
  const frame = { start: 101, end: 102 };

  it("frames a window and repeats a token's shape for each of its pieces", () => {
    const pieces = piecesOf("one three", (token) => token.length - 2);
    expect(inputOf(pieces, frame, { from: 0, to: 2 })).toEqual({
      ids: [101, 7, 7, 7, 7, 102],
      shapes: [0, 1, 1, 1, 1, 0],
    });
  });

  it("leaves a part out", () => {
    const pieces = { ...piecesOf("one two three"), ids: [[1], [2], [3]] };
    expect(inputOf(pieces, frame, { from: 0, to: 3 }, (token) => token !== 1).ids).toEqual([101, 1, 3, 102]);
    expect(inputOf(pieces, frame, { from: 0, to: 3 }, () => false).ids).toEqual([101, 102]);
  });
});
