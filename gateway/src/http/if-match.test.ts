import { describe, expect, it } from "vitest";
import { revisionsNamed } from "./if-match.js";

describe("If-Match", () => {
  it.each([
    [undefined, []],
    ["*", []],
    [' "a1.xyz-br" ', ["a1"]],
    ['"a1"', ["a1"]],
    ['"a1.x", "b,2.y" ,,"c"', ["a1", "b,2", "c"]],
    [',"a1"', ["a1"]],
    ['""', [""]],
  ])("%s names %j", (header, revisions) => {
    expect(revisionsNamed(header)).toEqual(revisions);
  });

  it("names no revision by a weak tag, since it is compared strongly", () => {
    expect(revisionsNamed('W/"a1.x"')).not.toContain("a1");
    expect(revisionsNamed('W/"a1.x", "b"')).toContain("b");
  });

  it.each(["", " , ", "a1", '"a1', 'a1"', "'a1'", '"a" "b"', '"a1", *', 'w/"a1"', '"a\x7f"', `${'"a",'.repeat(50)}b`])(
    "%j is no list of tags",
    (header) => {
      expect(() => revisionsNamed(header)).toThrow("If-Match: give the ETag of the record");
    },
  );
});
