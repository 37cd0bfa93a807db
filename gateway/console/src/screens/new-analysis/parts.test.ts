import { describe, expect, it } from "vitest";
import { partOf, partsOf } from "./parts.js";

const NUMBERS = Array.from({ length: 1_001 }, (_, index) => index);

describe("the parts of too many contents", () => {
  it("hold each content once, none of them more than one analysis takes", () => {
    expect(partsOf(1_001, 1_000)).toEqual([
      [1, 1_000],
      [1_001, 1_001],
    ]);
    expect([0, 1].flatMap((part) => partOf(NUMBERS, part, 1_000))).toEqual(NUMBERS);
  });

  it("are not needed where all fit, and none is taken that was not chosen", () => {
    expect(partOf(NUMBERS, 1, 1_001)).toEqual(NUMBERS);
    expect(partOf(NUMBERS, undefined, 1_000)).toHaveLength(1_001);
  });

  it("begin with the first where there are fewer than when one was chosen", () => {
    expect(partOf(NUMBERS, 7, 1_000)).toHaveLength(1_000);
  });
});
