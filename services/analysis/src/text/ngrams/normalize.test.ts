import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalize } from "./normalize.js";

describe("normalize", () => {
  it.each([
    ["entities", "A &amp; B &lt;3 good", "A & B <3 good"],
    ["tags", "one<br />two", "one two"],
    ["ligatures", "the ofﬁce is ﬁne", "the office is fine"],
    ["composed letters", "un cafe\u0301 noir", "un café noir"],
    ["hangul from jamo", "x \u1112\u1161\u11ab y", "x 한 y"],
    ["zero-width marks and skin tones", "so go\u200bod 👍🏽 day", "so good 👍 day"],
    ["curly quotes", "I don’t 😀", "I don't 😀"],
    ["full-width letters", "ｇｏｏｄ day", "good day"],
    ["tags that only folding makes", "one ＜br＞ two", "one   two"],
  ])("unifies %s", (_, text, plain) => {
    expect(normalize(text)).toBe(plain);
  });

  it("takes any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => typeof normalize(text) === "string"));
  });
});
