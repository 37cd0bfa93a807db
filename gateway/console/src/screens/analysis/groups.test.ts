import { describe, expect, it } from "vitest";
import { membersOf } from "./groups.js";

describe("membersOf", () => {
  it("has the contents of the group of a result", () => {
    expect(membersOf(["0,2", "1"], 0, 3)).toEqual([0, 2]);
    expect(membersOf(["0,2", "1"], 1, 3)).toEqual([1]);
  });

  it("has all of them where there are no groups, or none that is known", () => {
    expect(membersOf(null, null, 2)).toEqual([0, 1]);
    expect(membersOf(["0"], 7, 2)).toEqual([0, 1]);
  });

  it("leaves out what is no content", () => {
    expect(membersOf(["0, 9,x,1"], 0, 2)).toEqual([0, 1]);
  });
});
