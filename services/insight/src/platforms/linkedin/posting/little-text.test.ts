import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unfold } from "./little-text.js";

describe("a text of LinkedIn", () => {
  it.each([
    ["{hashtag|\\#|kestrel} is here", "#kestrel is here", ["kestrel"]],
    ["{hashtag|#|kestrel}", "#kestrel", ["kestrel"]],
    ["a #kestrel, C\\# and \\#no", "a #kestrel, C# and #no", ["kestrel"]],
    ["1 \\* 2 \\(a\\_b\\) \\\\ \\~", "1 * 2 (a_b) \\ ~", []],
    ["{hashtag|\\#|snake\\_case}", "#snake_case", ["snake_case"]],
    ["{hashtag|\\#|", "{hashtag|#|", []],
  ])("%s is shown as %s", (littleText, text, tags) => {
    expect(unfold(littleText)).toEqual({ text, tags, mentions: [] });
  });

  it("shows mentions by their names", () => {
    expect(unfold("with @[Example \\(UK\\) Ltd](urn:li:organization:2414183)!")).toEqual({
      text: "with Example (UK) Ltd!",
      tags: [],
      mentions: [{ name: "Example (UK) Ltd", urn: "urn:li:organization:2414183" }],
    });
  });

  it("without signs stays as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", " ", "é", "東", "🔥", ".", ",") }), (text) => {
        expect(unfold(text).text).toBe(text);
      }),
    );
  });

  it("that never closes its braces takes no longer for it", () => {
    expect(unfold("{hashtag|#|".repeat(20_000)).tags).toEqual([]);
  });
});
