import { describe, expect, it } from "vitest";
import { draftOf, EMPTY_DRAFT, missingIn, onOneLine, requestOf } from "./draft.js";

describe("the request of a new insight", () => {
  it("has what was typed, and nothing that was not", () => {
    expect(requestOf({ ...EMPTY_DRAFT, keywords: ' "a  b" ' }, ["news"])).toEqual({
      query: { keywords: ' "a  b" ', platforms: ["news"], dimensions: ["textual"] },
    });
  });

  it("leaves out the sources of platforms that are not chosen", () => {
    const draft = {
      ...EMPTY_DRAFT,
      keywords: "a",
      follow: { ...EMPTY_DRAFT.follow, feeds: "https://a.example/rss\n\n https://b.example/rss ", subreddits: "cars" },
    };
    expect(requestOf(draft, ["news"]).query.follow).toEqual({
      feeds: ["https://a.example/rss", "https://b.example/rss"],
    });
    expect(requestOf(draft, ["twitter"]).query.follow).toBeUndefined();
  });

  it("says that it is a preview", () => {
    expect(requestOf({ ...EMPTY_DRAFT, keywords: "a" }, ["news"], true).query.sneak_peek).toBe(true);
  });

  it("is the same for a copy", () => {
    const query = {
      keywords: "a",
      platforms: ["reddit" as const],
      dimensions: ["textual" as const, "audial" as const],
      location: "Leeds",
      sneak_peek: true,
      follow: { feeds: [], subreddits: ["cars", "ev"], pages: [], organisations: [] },
    };
    const copy = requestOf(draftOf({ query, name: "Cars", note: "x" }), ["reddit"]);
    expect(copy).toEqual({
      name: "Cars",
      note: "x",
      query: {
        keywords: "a",
        platforms: ["reddit"],
        dimensions: ["textual", "audial"],
        location: "Leeds",
        follow: { subreddits: ["cars", "ev"] },
      },
    });
  });
});

describe("what is missing in a new insight", () => {
  it("is said one thing after the other", () => {
    expect(missingIn(EMPTY_DRAFT, [])).toBe("keywords");
    expect(missingIn({ ...EMPTY_DRAFT, keywords: "a" }, [])).toBe("platforms");
    expect(missingIn({ ...EMPTY_DRAFT, keywords: "a", dimensions: [] }, ["news"])).toBe("dimensions");
    expect(missingIn({ ...EMPTY_DRAFT, keywords: "a" }, ["news"])).toBeUndefined();
  });
});

it("keeps pasted keywords on one line", () => {
  expect(onOneLine("a\r\nb\tc")).toBe("a b c");
});
