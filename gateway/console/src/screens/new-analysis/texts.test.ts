import { describe, expect, it } from "vitest";
import { bodyBytes, countRepeated, splitTexts, tooLong } from "./texts.js";

describe("splitTexts", () => {
  it("takes each line, whatever ends it, and counts empty ones in between", () => {
    expect(splitTexts(" one \r\ntwo\r\n\r\nthree\n", "lines")).toEqual({
      texts: ["one", "two", "three"],
      emptyCount: 1,
    });
  });

  it("has nothing of space alone", () => {
    expect(splitTexts(" \n\n", "lines")).toEqual({ texts: [], emptyCount: 0 });
    expect(splitTexts("", "whole").texts).toEqual([]);
  });

  it("takes blocks between empty lines, with their own line ends", () => {
    expect(splitTexts("a\nb\n \n\n\nc\r\n\r\nd", "blocks").texts).toEqual(["a\nb", "c", "d"]);
  });

  it("takes all as one text", () => {
    expect(splitTexts("a\n\nb\n", "whole").texts).toEqual(["a\n\nb"]);
  });

  it("splits 5 MB", () => {
    expect(splitTexts("a line of text\n".repeat(350_000), "lines").texts).toHaveLength(350_000);
    expect(splitTexts(" ".repeat(5_000_000), "blocks").texts).toHaveLength(0);
  });
});

describe("tooLong", () => {
  it("counts characters, not code units", () => {
    expect(tooLong(["😀😀", "abc"], 2)).toEqual([{ index: 1, characters: 3, start: "abc" }]);
  });
});

describe("bodyBytes", () => {
  it("is exact where the limit is near", () => {
    expect(bodyBytes(["ä\u0000"], 12)).toBe(12);
    expect(bodyBytes(["ab"], 1_000_000)).toBeLessThan(10);
  });
});

it("counts repeated texts", () => {
  expect(countRepeated(["a", "b", "a", "a"])).toBe(2);
});
