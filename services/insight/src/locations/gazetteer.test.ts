import { readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Entry, formatEntry, Gazetteer, GAZETTEER_FILE, parseEntry, placeKey } from "./gazetteer.js";

const place = (values: Partial<Entry>): Entry => ({
  kind: "city",
  keys: ["leeds"],
  name: "Leeds",
  country: "GB",
  region: "ENG",
  latitude: 53.796,
  longitude: -1.548,
  population: 455_123,
  ...values,
});

const nothing = { region: "", latitude: 0, longitude: 0, population: 0 };
const england = place({ ...nothing, kind: "region", keys: ["gb.eng", "england"], name: "England", region: "ENG" });
const zip = place({ ...nothing, kind: "zip", keys: ["97201"], name: "", country: "US" });
const leeds = place({ keys: ["leeds", "loidis"] });
const york = place({ keys: ["york", "leeds road"], name: "York" });

describe("the gazetteer", () => {
  const lines = [england, zip, leeds, york].map((entry) => `${formatEntry(entry)}\n`).join("");
  const gazetteer = new Gazetteer(Buffer.from(lines));

  it("finds a place by each of its whole names", () => {
    expect(gazetteer.citiesNamed("leeds")).toEqual([leeds]);
    expect(gazetteer.citiesNamed("loidis")).toEqual([leeds]);
    expect(gazetteer.citiesNamed("leeds road")).toEqual([york]);
    expect(gazetteer.citiesNamed("leed")).toEqual([]);
    expect(gazetteer.citiesNamed("")).toEqual([]);
  });

  it("keeps regions, zip codes and cities apart", () => {
    expect(gazetteer.citiesNamed("england")).toEqual([]);
    expect(gazetteer.regionsNamed("england")).toEqual([england]);
    expect(gazetteer.regionName(leeds)).toBe("England");
    expect(gazetteer.zip("97201")).toEqual(zip);
    expect(gazetteer.zip("97202")).toBeUndefined();
  });

  it("refuses a line that it did not write", () => {
    expect(() => parseEntry("leeds")).toThrow(RangeError);
  });

  it.each([
    ["St. Louis", "st louis"],
    ["Xi’an", "xian"],
    ["Stratford-upon-Avon", "stratford upon avon"],
    ["São Paulo", "sao paulo"],
    ["ＰＡＲＩＳ", "paris"],
    ["|a|", "a"],
    ["...", ""],
  ])("compares %s as %s", (name, key) => {
    expect(placeKey(name)).toBe(key);
  });
});

describe("the file of the gazetteer", () => {
  it("is small enough to come with every release", () => {
    expect(statSync(GAZETTEER_FILE).size).toBeLessThan(4_000_000);
  });

  it("names whom its data are from, and their licence", () => {
    const notes = readFileSync(new URL("NOTES.md", GAZETTEER_FILE), "utf8");
    expect(notes).toContain("https://www.geonames.org/");
    expect(notes).toContain("https://creativecommons.org/licenses/by/4.0/");
    expect(notes).toContain("Census Bureau");
  });
});
