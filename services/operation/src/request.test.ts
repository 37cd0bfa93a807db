import { AnalysisType } from "@hourglass/proto/operation/v1/operation";
import { describe, expect, it } from "vitest";
import { findRequestViolations, type NewContent, type RequestParts } from "./request.js";

const LIMITS = { contentsMax: 5, textCharactersMax: 10 };

const text = (value: string): NewContent => ({ kind: "text", value });
const file = (value: number): NewContent => ({ kind: "file-id", value });
const url = (value: string): NewContent => ({ kind: "url", value });

function violationsOf(changes: Partial<RequestParts>): [string, string][] {
  const request = {
    type: "text" as const,
    analyses: [AnalysisType.TOPIC],
    contents: [text("a")],
    groups: [],
    ...changes,
  };
  return findRequestViolations(request, LIMITS).map(({ field, message }) => [field, message]);
}

describe("the rules on a request that its own fields cannot say", () => {
  it("accepts texts, file ids, and URLs, each with its type", () => {
    expect(violationsOf({ contents: [text("a"), text("a")] })).toEqual([]);
    expect(violationsOf({ type: "file", contents: [file(1), file(2)] })).toEqual([]);
    expect(violationsOf({ type: "file", contents: [url("https://a"), url("https://b")] })).toEqual([]);
  });

  it("asks for a textual analysis of texts where all are visual, and of files for none", () => {
    const visual = [AnalysisType.FACE_ID, AnalysisType.CAPTION];
    const message =
      "Give at least one textual analysis for texts: sentiment-simple, sentiment-real, topic, spam-detection, " +
      "personality-mb or intention.";
    expect(violationsOf({ analyses: visual })).toEqual([["analyses", message]]);
    expect(violationsOf({ analyses: [...visual, AnalysisType.INTENTION] })).toEqual([]);
    expect(violationsOf({ type: "file", contents: [file(1)], analyses: visual })).toEqual([]);
  });

  it("leaves unknown analyses to the rule on their values", () => {
    expect(violationsOf({ analyses: [99, AnalysisType.CAPTION] })).toEqual([]);
  });

  it("names every content of the wrong kind", () => {
    const message = "Give a text: the type of this operation is text.";
    expect(violationsOf({ contents: [text("a"), file(1), url("https://a")] })).toEqual([
      ["contents[1]", message],
      ["contents[2]", message],
    ]);
    expect(violationsOf({ type: "file", contents: [file(1), text("a"), url("https://a")] })).toEqual([
      ["contents[1]", "Give a file id or a URL: the type of this operation is file."],
    ]);
  });

  it("names the later index of a file or URL that is named twice", () => {
    expect(violationsOf({ type: "file", contents: [file(7), file(8), file(7), file(7)] })).toEqual([
      ["contents[2]", "Give each file only once: contents[0] is the same."],
      ["contents[3]", "Give each file only once: contents[0] is the same."],
    ]);
    expect(violationsOf({ type: "file", contents: [url("https://a"), url("https://a")] })).toEqual([
      ["contents[1]", "Give each file only once: contents[0] is the same."],
    ]);
  });

  it("holds the configured limits, a character being a code point", () => {
    expect(violationsOf({ contents: [text("😀".repeat(10)), text("😀".repeat(11)), text("x".repeat(11))] })).toEqual([
      ["contents[1]", "Give at most 10 characters."],
      ["contents[2]", "Give at most 10 characters."],
    ]);
    expect(violationsOf({ contents: Array.from({ length: 6 }, () => text("a")) })).toEqual([
      ["contents", "Give at most 5 items."],
    ]);
  });

  it("checks groups also where they have no effect", () => {
    const groups = ["0,1", "", "2", "1, 0 ,1", "x", "9999"];
    expect(violationsOf({ contents: [text("a"), text("b")], groups })).toEqual([
      ["contents_groups[1]", "Give at least one index into contents."],
      ["contents_groups[2]", "Give indexes of contents only: there is no contents[2]."],
      ["contents_groups[3]", "Give each index only once: 1 is repeated."],
      ["contents_groups[4]", "Give indexes into contents, separated by commas, such as 0,1,2."],
      ["contents_groups[5]", "Give indexes of contents only: there is no contents[9999]."],
    ]);
  });

  it("bounds what groups ask for in all", () => {
    const groups = Array.from({ length: 20_001 }, () => "0,1,2,3,4");
    const contents = Array.from({ length: 5 }, () => text("a"));
    expect(violationsOf({ contents, groups })).toEqual([
      ["contents_groups", "Give at most 100,000 indexes in all groups together."],
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
