import { describe, expect, it } from "vitest";
import { readRedditQuery } from "./reddit.js";

const matches = (query: string, text: string): boolean => readRedditQuery(query, 512)({ title: "", text });

describe("a query of Reddit", () => {
  it.each([
    ["kestrel phone", "A phone by Kestrel", true],
    ["kestrel AND phone", "A kestrel", false],
    ["kestrel phone OR tablet", "A tablet", true],
    ["kestrel (phone OR tablet)", "A tablet", false],
    ['"new phone"', "A new, phone", true],
    ['"new phone"', "A phone, new", false],
    ["kestrel NOT phone", "A kestrel phone", false],
    ["kestrel -phone", "A kestrel", true],
    ['kestrel NOT "a phone"', "A kestrel", true],
    ["kestrel NOT (phone OR tablet)", "A kestrel tablet", false],
    ["café", "A CAFE", true],
  ])("%s on '%s' gives %s", (query, text, expected) => {
    expect(matches(query, text)).toBe(expected);
  });

  it("finds words of the title", () => {
    expect(readRedditQuery("kestrel", 512)({ title: "Kestrel", text: "" })).toBe(true);
  });

  it.each(["", "kestrel OR", "kestrel NOT", "(kestrel", "kestrel)", "title:kestrel"])("is refused: '%s'", (query) => {
    expect(() => readRedditQuery(query, 512)).toThrow();
  });

  it("is refused if it is too long", () => {
    expect(() => readRedditQuery("a".repeat(513), 512)).toThrow(/512/);
  });
});
