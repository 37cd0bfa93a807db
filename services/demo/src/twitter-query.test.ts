import { describe, expect, it } from "vitest";
import { inventPost, readXQuery } from "./twitter.js";

const matches = (query: string, text: string): boolean => readXQuery(query, 512)(inventPost(1, 0, { text }));

describe("a query of X", () => {
  it.each([
    ["kestrel phone", "A phone by Kestrel", true],
    ["kestrel phone", "A kestrel", false],
    ["kestrel phone OR tablet", "A tablet", true],
    ["kestrel (phone OR tablet)", "A tablet", false],
    ['"new phone"', "A new, phone", true],
    ['"new phone"', "A phone, new", false],
    ["kestrel -phone", "A kestrel phone", false],
    ['kestrel -"a phone"', "A kestrel", true],
    ["#kestrel", "Seen: #Kestrel", true],
    ["#kestrel", "A kestrel", false],
    ["kestrel -is:retweet", "A kestrel", true],
  ])("%s on '%s' gives %s", (query, text, expected) => {
    expect(matches(query, text)).toBe(expected);
  });

  it.each([
    ['kestrel place:"Leeds"', true],
    ["kestrel place_country:GB", true],
    ["kestrel place_country:US", false],
    ["kestrel point_radius:[-1.5 53.8 10km]", true],
    ["kestrel point_radius:[-1.5 53.8 5mi]", true],
    ["kestrel point_radius:[-2.5 53.8 25mi]", false],
    ["kestrel (point_radius:[0 0 1km] OR (place:leeds place_country:GB))", true],
  ])("%s on a post from Leeds gives %s", (query, expected) => {
    const name = { id: "a", fullName: "Leeds, England", country: "United Kingdom", countryCode: "GB" };
    const place = { ...name, longitude: -1.55, latitude: 53.8 };
    expect(readXQuery(query, 512)(inventPost(1, 0, { text: "A kestrel", place }))).toBe(expected);
    expect(matches(query, "A kestrel")).toBe(false);
  });

  it.each(["place_country:gbr", "point_radius:[1 1 41km]", "point_radius:1,1,4km"])("is refused: '%s'", (query) => {
    expect(() => readXQuery(query, 512)).toThrow();
  });

  it.each(["", "-kestrel", "kestrel -(phone tablet)", "kestrel OR", "(kestrel", "kestrel)", "from:somebody"])(
    "is refused: '%s'",
    (query) => {
      expect(() => readXQuery(query, 512)).toThrow();
    },
  );

  it("is refused if it is too long", () => {
    expect(() => readXQuery("a".repeat(513), 512)).toThrow(/512/);
  });
});
