import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { align, normalize } from "./normalize.js";

/** The original of a part of the normalized text. */
const originOf = (text: string, part: string): string => {
  const { plain, rangeOf } = align(text);
  const at = plain.indexOf(part);
  expect(at).toBeGreaterThanOrEqual(0);
  const { start, end } = rangeOf(at, at + part.length);
  return text.slice(start, end);
};

const ODD = [
  "e\u0301",
  "ﬁ",
  "①",
  "가",
  "ｶﾞ",
  "ﷺ",
  "\u200b",
  "\ufe0f",
  "👍🏽",
  "👩‍👩‍👧",
  "\ud800",
  "\udc00",
  "&amp;",
  "<br/>",
  "<a ",
  "‘",
  "\u0308",
];

describe("align", () => {
  it("normalizes as `normalize` does, whatever the text", () => {
    const piece = fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.constantFrom(...ODD, " ", "\n", "word"));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join("");
        expect(align(text).plain).toBe(normalize(text));
      }),
    );
  });

  it.each([
    ["plain", "a good day", "good", "good"],
    ["entities before it", "A &amp; B &lt;3 good", "good", "good"],
    ["the entity itself", "A &amp; B", "&", "&amp;"],
    ["tags before it", "one<br />two", "two", "two"],
    ["ligatures", "the ofﬁce is ﬁne", "fine", "ﬁne"],
    ["composed letters", "un cafe\u0301 noir", "café", "cafe\u0301"],
    ["hangul from jamo", "x \u1112\u1161\u11ab y", "한", "\u1112\u1161\u11ab"],
    ["zero-width marks inside", "so go\u200bod 👍🏽 day", "good", "go\u200bod"],
    ["emoji before it", "😀😀 👍🏽 day", "day", "day"],
    ["curly quotes", "I don’t 😀", "don't", "don’t"],
    ["quotes of ASCII beside others", "é `quoted`", "'quoted'", "`quoted`"],
    ["lone surrogates", "\ud800 good \udc00é", "good", "good"],
    ["full-width letters", "ｇｏｏｄ day", "good", "ｇｏｏｄ"],
    ["tags that only folding makes", "one ＜br＞ two", "two", "two"],
  ])("finds where a word comes from: %s", (_, text, part, origin) => {
    expect(originOf(text, part)).toBe(origin);
  });
});
