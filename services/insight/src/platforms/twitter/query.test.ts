import { readXQuery } from "@hourglass/demo";
import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery } from "../../query/parser.js";
import { findsNested } from "../../query/testing/dialects.js";
import { expectNeverNarrower } from "../../query/testing/never-narrower.js";
import { queries, wideKeywords } from "../../query/testing/queries.js";
import { EVERYWHERE, type Place, type PointPlace } from "../places.js";
import { searchUrl } from "./api.js";
import { queriesFor } from "./query.js";

const URL_MAX = 2048;
const SUFFIX = " -is:retweet";

const translated = (keywords: string) => queriesFor({ query: parseQuery(keywords), places: EVERYWHERE });
const asked = (keywords: string): readonly string[] => translated(keywords).requests;

/** Every parenthesis that X needs stands where this language reads it alike. */
const finds = (request: string, posting: Parameters<typeof findsNested>[1]): boolean =>
  findsNested(request.slice(0, -SUFFIX.length), posting);

describe("a query for X", () => {
  it.each([
    ["kestrel", "kestrel"],
    ["kestrel phone", "kestrel phone"],
    ['"kestrel phone"', '"kestrel phone"'],
    ["kestrel, peregrine", "(kestrel OR peregrine)"],
    ["kestrel (phone OR tablet) -case", "kestrel (phone OR tablet) -case"],
    ['"a, b", c', '("a, b" OR c)'],
    ["#kestrel, @kestrel_eg", "(#kestrel OR @kestrel_eg)"],
    ["a -(b OR c)", "a -b -c"],
    ["lang:en kestrel", '"lang:en" kestrel'],
    ["kestrel from:somebody", 'kestrel "from:somebody"'],
    ["OR", '"OR"'],
  ])("%s is sent as %s without reposts", (keywords, query) => {
    expect(asked(keywords)).toEqual([`${query}${SUFFIX}`]);
  });

  it("is divided over several requests if it is too long, and none is cut", () => {
    const words = Array.from({ length: 9 }, (_, i) => `"${"kestrel ".repeat(5)}${i}"`);
    const requests = asked(words.join(", "));
    expect(requests.length).toBe(1);
    const wide = Array.from({ length: 9 }, (_, i) => `${"東京地震速報".repeat(4)}${i}`);
    const several = asked(wide.join(", "));
    expect(several.length).toBeGreaterThan(1);
    for (const word of wide) expect(several.some((request) => request.includes(word))).toBe(true);
  });

  it.each(["@a_name_that_is_too_long", "#2026", "kes*"])(
    "that X cannot be asked, such as %s, is not sent",
    (keywords) => {
      expect(translated(keywords)).toMatchObject({ requests: [], unsent: [keywords] });
    },
  );

  it("is never narrower than meant, and always one that X accepts", () => {
    expectNeverNarrower({
      translate: (query) => queriesFor({ query, places: EVERYWHERE }),
      finds,
      check: (request) => readXQuery(request, 512),
    });
  });

  it("fits into a URL, whatever its characters", () => {
    fc.assert(
      fc.property(wideKeywords, (keywords) => {
        for (const query of asked(keywords)) {
          const nextToken = "n".repeat(60);
          const parameters = { query, pageSize: 100, nextToken, sinceId: "1".repeat(19), from: 0 };
          const url = searchUrl({ baseUrl: "https://api.x.com", naming: "tweet" }, parameters);
          expect(url.length).toBeLessThanOrEqual(URL_MAX);
        }
      }),
    );
  });
});

const point = (values: Partial<PointPlace>): PointPlace => ({
  kind: "city",
  label: "Leeds, England, GB",
  name: "Leeds",
  countryCode: "GB",
  latitude: 53.796,
  longitude: -1.548,
  population: 455_123,
  ...values,
});
const france: Place = { kind: "country", label: "France", countryCode: "FR" };

describe("a query for X with places", () => {
  const askedIn = (keywords: string, ...known: Place[]): readonly string[] =>
    queriesFor({ query: parseQuery(keywords), places: { known, unknown: [] } }).requests;

  it.each([
    ["a city by a circle", [point({})], "point_radius:[-1.548 53.796 40km]"],
    ["a zip code by a smaller one", [point({ kind: "zip", population: 0 })], "point_radius:[-1.548 53.796 16km]"],
    ["a country by its code", [france], "place_country:FR"],
    [
      "a city that is wider than a circle also by its name",
      [point({ name: "London", population: 7_556_900 })],
      '(point_radius:[-1.548 53.796 40km] OR (place:"London" place_country:GB))',
    ],
    ["several as alternatives", [point({}), france], "(point_radius:[-1.548 53.796 40km] OR place_country:FR)"],
  ])("asks for %s", (_name, places, clause) => {
    expect(askedIn("kestrel", ...places)).toEqual([`kestrel ${clause}${SUFFIX}`]);
    expect(askedIn("kestrel, hobby", ...places)).toEqual([`(kestrel OR hobby) ${clause}${SUFFIX}`]);
  });

  it("asks in all places for all keywords, in searches that X accepts", () => {
    const latitude = fc.double({ min: -90, max: 90, noNaN: true }).map((degrees) => Number(degrees.toFixed(3)));
    const city = fc.record({ latitude, population: fc.constantFrom(1000, 2_000_000) }).map(point);
    fc.assert(
      fc.property(queries, fc.array(city, { minLength: 1, maxLength: 20 }), (query, known) => {
        const { requests, unsent } = queriesFor({ query, places: { known, unknown: [] } });
        for (const request of requests) readXQuery(request, 512);
        if (unsent.length === query.terms.length) expect(requests).toEqual([]);
        else for (const { latitude: north } of known) expect(requests.join()).toContain(`-1.548 ${north} 40km`);
      }),
      { numRuns: repeats(100) },
    );
  });
});
