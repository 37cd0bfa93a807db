import { describe, expect, it } from "vitest";
import { findRequestViolations, type NewContent, type RequestParts } from "./check-request.js";

const LIMITS = { contentsMax: 5, textCharactersMax: 10 };

const text = (value: string): NewContent => ({ kind: "text", value });
const file = (value: number): NewContent => ({ kind: "file-id", value });
const url = (value: string): NewContent => ({ kind: "url", value });

function violationsOf(changes: Partial<RequestParts>): [string, string][] {
  const request = { type: "text" as const, contents: [text("a")], groups: [], ...changes };
  return findRequestViolations(request, LIMITS).map(({ field, message }) => [field, message]);
}

describe("the rules on a request that its own fields cannot say", () => {
  it("accepts texts, file ids, and URLs, each with its type", () => {
    expect(violationsOf({ contents: [text("a"), text("a")] })).toEqual([]);
    expect(violationsOf({ type: "file", contents: [file(1), file(2)] })).toEqual([]);
    expect(violationsOf({ type: "file", contents: [url("https://a"), url("https://b")] })).toEqual([]);
  });

  it("names every content of the wrong kind", () => {
    const message = "must be a text when type is text";
    expect(violationsOf({ contents: [text("a"), file(1), url("https://a")] })).toEqual([
      ["contents[1]", message],
      ["contents[2]", message],
    ]);
    expect(violationsOf({ type: "file", contents: [file(1), text("a"), url("https://a")] })).toEqual([
      ["contents[1]", "must be a file id or a URL when type is file"],
    ]);
  });

  it("names the later index of a file or URL that is named twice", () => {
    expect(violationsOf({ type: "file", contents: [file(7), file(8), file(7), file(7)] })).toEqual([
      ["contents[2]", "names the same file as contents[0]"],
      ["contents[3]", "names the same file as contents[0]"],
    ]);
    expect(violationsOf({ type: "file", contents: [url("https://a"), url("https://a")] })).toEqual([
      ["contents[1]", "names the same file as contents[0]"],
    ]);
  });

  it("holds the configured limits, a character being a code point", () => {
    expect(violationsOf({ contents: [text("😀".repeat(10)), text("😀".repeat(11)), text("x".repeat(11))] })).toEqual([
      ["contents[1]", "must be at most 10 characters"],
      ["contents[2]", "must be at most 10 characters"],
    ]);
    expect(violationsOf({ contents: Array.from({ length: 6 }, () => text("a")) })).toEqual([
      ["contents", "must hold at most 5 entries"],
    ]);
  });

  it("checks groups also where they have no effect", () => {
    const groups = ["0,1", "", "2", "1, 0 ,1", "x", "9999"];
    expect(violationsOf({ contents: [text("a"), text("b")], groups })).toEqual([
      ["contents_groups[1]", "must name at least one index"],
      ["contents_groups[2]", "names index 2, but the last of contents is 1"],
      ["contents_groups[3]", "names index 1 twice"],
      ["contents_groups[4]", "must list indexes into contents, separated by commas, like 0,1,2"],
      ["contents_groups[5]", "names index 9999, but the last of contents is 1"],
    ]);
  });

  it("bounds what groups ask for in all", () => {
    const groups = Array.from({ length: 20_001 }, () => "0,1,2,3,4");
    const contents = Array.from({ length: 5 }, () => text("a"));
    expect(violationsOf({ contents, groups })).toEqual([
      ["contents_groups", "must name at most 100000 indexes in all"],
    ]);
    expect(violationsOf({ contents, groups: groups.slice(1) })).toEqual([]);
  });

  it("reports all of it at once", () => {
    const fields = violationsOf({ contents: [file(1), file(1), text("x".repeat(11))], groups: ["7"] }).map(
      ([field]) => field,
    );
    expect(fields).toEqual(["contents[2]", "contents[0]", "contents[1]", "contents[1]", "contents_groups[0]"]);
  });
});
