import { describe, expect, it } from "vitest";
import { codePointOffsets, utf16Offsets } from "./code-points.js";

describe.each([
  ["characters of one unit only", "caf\u00e9 fine", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ["characters of two units", "\u{1f600}a\u{1d11e}", [0, 2, 3, 5]],
  ["emoji of several code points", "\u{1f44d}\u{1f3fd}\u200d!", [0, 2, 4, 5, 6]],
  ["lone surrogates and a pair", "\ud83d \ude00\u{1f600}", [0, 1, 2, 3, 5]],
  ["nothing", "", [0]],
])("offsets in a text of %s", (_what, text, bounds) => {
  it("are converted from code points to UTF-16 and back", () => {
    const codePoints = bounds.map((_, index) => index);
    expect(codePoints.map(utf16Offsets(text))).toEqual(bounds);
    expect(bounds.map(codePointOffsets(text))).toEqual(codePoints);
  });
});

it("an offset inside a pair is that of the pair", () => {
  expect(codePointOffsets("a\u{1f600}")(2)).toBe(1);
});
