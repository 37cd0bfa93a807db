import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placesOf } from "./location.js";

const labelsOf = async (location: string): Promise<string[]> =>
  (await placesOf(location)).known.map(({ label }) => label);

const sentenceAbout = async (location: string): Promise<string> => {
  const { known, unknown } = await placesOf(location);
  expect(known).toEqual([]);
  return unknown.join(" ");
};

describe("a location", () => {
  it.each([
    ["Paris", "Paris, Île-de-France, FR"],
    ["Paris, France", "Paris, Île-de-France, FR"],
    ["Paris, Texas", "Paris, Texas, US"],
    ["Portland, OR", "Portland, Oregon, US"],
    ["Portland, Maine, USA", "Portland, Maine, US"],
    ["Springfield, Illinois, USA", "Springfield, Illinois, US"],
    ["valencia, SPAIN", "Valencia, Valencia, ES"],
    ["London, Ontario", "London, Ontario, CA"],
    ["Toronto, ON", "Toronto, Ontario, CA"],
    ["Sydney, NSW", "Sydney, New South Wales, AU"],
    ["Cambridge, UK", "Cambridge, England, GB"],
    ["Atlanta, Georgia", "Atlanta, Georgia, US"],
    ["Tbilisi, Georgia", "Tbilisi, Tbilisi, GE"],
    ["Washington, DC", "Washington D.C., District of Columbia, US"],
    ["New York", "New York City, New York, US"],
    ["St Louis", "St. Louis, Missouri, US"],
    ["san francisco", "San Francisco, California, US"],
    ["München", "Munich, Bavaria, DE"],
    ["MUENCHEN, Deutschland", "Munich, Bavaria, DE"],
    ["Roma", "Rome, Lazio, IT"],
    ["Sao Paulo", "São Paulo, São Paulo, BR"],
    ["Xi'an", "Xi’an, Shaanxi, CN"],
    ["Москва", "Moscow, Moscow, RU"],
    ["東京", "Tokyo, Tokyo, JP"],
    ["القاهرة", "Cairo, Cairo, EG"],
    ["दिल्ली", "Delhi, Delhi, IN"],
    ["Geneva", "Genève, Geneva, CH"],
    ["Porto", "Porto, Porto, PT"],
    ["Mexico, Missouri", "Mexico, Missouri, US"],
    ["Mexico", "Mexico"],
    ["Deutschland", "Germany"],
    ["U.S.A.", "United States"],
    ["97201", "US zip code 97201"],
    ["97201-1234, USA", "US zip code 97201"],
    ["97201, Oregon", "US zip code 97201"],
  ])("%s is one place: %s", async (location, label) => {
    expect(await placesOf(location)).toMatchObject({ known: [{ label }], unknown: [] });
  });

  it.each([
    ["Paris, London"],
    ["Paris; London;"],
    ["Paris, France, London, UK"],
    [" paris ;; LONDON, England, Paris"],
    ["巴黎，伦敦"],
  ])("%s is Paris and London", async (location) => {
    expect(await labelsOf(location)).toEqual(["Paris, Île-de-France, FR", "London, England, GB"]);
  });

  it("names places of several kinds", async () => {
    const places = await placesOf("Leeds; 10001; France");
    expect(places.known).toEqual([
      {
        kind: "city",
        label: "Leeds, England, GB",
        name: "Leeds",
        countryCode: "GB",
        latitude: 53.796,
        longitude: -1.548,
        population: 455123,
      },
      { kind: "zip", label: "US zip code 10001", name: "10001", countryCode: "US", ...manhattan, population: 0 },
      { kind: "country", label: "France", countryCode: "FR" },
    ]);
  });

  it.each(["", "  "])("that is empty is everywhere", async (location) => {
    expect(await placesOf(location)).toEqual({ known: [], unknown: [] });
  });
});

const manhattan = { latitude: 40.751, longitude: -73.997 };

describe("a location that is not clear", () => {
  it.each([
    ["Springfield", /Springfield, Missouri, US; Springfield, Massachusetts, US; Springfield, Illinois, US/],
    ["Valencia", /Valencia, Carabobo, VE; Valencia, Valencia, ES/],
    ["San Jose", /San Jose, California, US; San José, San José, CR/],
    ["Washington", /Washington D\.C\., District of Columbia, US/],
    ["California", /California, Maryland, US/],
    ["California, USA", /California, Maryland, US/],
    ["Granada", /Granada, Andalusia, ES/],
    ["Bavaria, Germany", /Bavaria is a region/],
    ["Georgia", /may be the country Georgia or Georgia, US/],
    ["CA", /may be the country Canada or California, US/],
    ["Xyzzy", /Xyzzy is not known/],
    ["10115, Germany", /10115 is not known as a US zip code/],
    ["00000", /00000 is not known as a US zip code/],
    [";, ;", /names no place/],
    ["🦅", /🦅 is not known/],
  ])("%s says so and takes nothing", async (location, sentence) => {
    expect(await sentenceAbout(location)).toMatch(sentence);
  });

  it.each(["Xyzzy, France", "Xyzzy, Texas, USA", "Paris, Germany", "Paris, Bavaria, Germany", "90210, Germany"])(
    "%s does not become the country",
    async (location) => {
      expect(await sentenceAbout(location)).not.toBe("");
    },
  );

  it("leaves the places beside it", async () => {
    const { known, unknown } = await placesOf("Xyzzy; Leeds");
    expect(known).toMatchObject([{ name: "Leeds" }]);
    expect(unknown).toEqual(["The location Xyzzy is not known."]);
  });

  it("names places that can be written as they stand there", async () => {
    const sentence = await sentenceAbout("Springfield");
    const offered = sentence.slice(sentence.indexOf(": ") + 2, -1).split("; ");
    expect(offered).toHaveLength(5);
    for (const label of offered) expect(await labelsOf(label)).toEqual([label]);
  });
});

describe("a location of any text", () => {
  it("is read up to 20 places", async () => {
    const { known, unknown } = await placesOf("Leeds,".repeat(83));
    expect(known).toHaveLength(1);
    expect(unknown).toEqual(["A location has at most 20 places: the others are left out."]);
  });

  it("is read to its end, and what it quotes is short", async () => {
    const { unknown } = await placesOf("|".repeat(100) + "\t".repeat(100) + "x".repeat(300));
    expect(unknown).toHaveLength(1);
    expect(unknown[0]?.length).toBeLessThan(120);
  });

  it("is nothing or something, never a failure", async () => {
    const part = fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), fc.constantFrom("Paris", "OR", "US", "10001"));
    const text = fc.array(fc.tuple(part, fc.constantFrom(",", ";", ", ", "")), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(text, async (pieces) => {
        const location = pieces.flat().join("").slice(0, 500);
        const { known, unknown } = await placesOf(location);
        expect(known.length + unknown.length > 0).toBe(location.trim() !== "");
      }),
      { numRuns: repeats(20) },
    );
  });
});
