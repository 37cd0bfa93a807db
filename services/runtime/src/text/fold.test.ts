import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldName, shownName } from "./fold.js";

describe("foldName", () => {
  it.each([
    ["Caf\u00E9", "Cafe\u0301", "CAFE"],
    ["İstanbul", "istanbul", "ISTANBUL", "ıstanbul"],
    ["Straße", "STRASSE"],
    ["οδός", "ΟΔΟΣ"],
    ["@Bob", " bob ", "＠ＢＯＢ", "@ bob"],
    ["#beta", "＃Beta", "beta\u200B"],
    ["New York Times", "New\u00A0York\u2007Times", "new  york\ttimes"],
    ["کتاب", "كتاب"],
    ["ﬁn", "fin"],
  ])("is the same of %s and its other spellings", (...spellings) => {
    expect(new Set(spellings.map(foldName)).size).toBe(1);
  });

  it("keeps a name of signs only, and tells other letters apart", () => {
    expect([foldName("#"), foldName("@"), foldName(" ")]).toEqual(["#", "@", ""]);
    expect(foldName("c#")).not.toBe(foldName("c"));
    expect(foldName("Bob")).not.toBe(foldName("Bop"));
  });

  it("changes nothing the second time, nor by what is shown", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const folded = foldName(text);
        expect(foldName(folded)).toBe(folded);
        expect(foldName(shownName(text))).toBe(folded);
      }),
    );
  });
});
