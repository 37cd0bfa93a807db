import { fold } from "@hourglass/runtime/text";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

/** Made by services/training; see the notes beside it. */
export const GAZETTEER_FILE = new URL("../../gazetteer/places.tsv.br", import.meta.url);

const LINE_END = 0x0a;

/**
 * Places by their names. It is one buffer with a line for each: regions first, then zip codes, then cities. A name is found
 * by searching from the beginning, which takes milliseconds and needs no index, which would be larger than the places.
 */
export class Gazetteer {
  private readonly regions: Buffer;
  private readonly zips: Buffer;
  private readonly cities: Buffer;

  /** Lines as `formatEntry` writes them. */
  constructor(lines: Buffer) {
    const zips = lines.indexOf("\nz|") + 1;
    const cities = lines.indexOf(LINE_END, lines.lastIndexOf("\nz|") + 1) + 1;
    this.regions = lines.subarray(0, zips);
    this.zips = lines.subarray(zips, cities);
    this.cities = lines.subarray(cities);
  }

  /** All cities with a name, as `placeKey` writes it. */
  citiesNamed(key: string): Entry[] {
    return find(this.cities, key);
  }

  /** All regions with a name or abbreviation, as `placeKey` writes it. */
  regionsNamed(key: string): Entry[] {
    return find(this.regions, key);
  }

  /** The area of a US zip code of five digits. */
  zip(code: string): Entry | undefined {
    return find(this.zips, code)[0];
  }

  /** The name of the region of a place; undefined if it is in none. */
  regionName(place: Pick<Entry, "country" | "region">): string | undefined {
    return find(this.regions, regionKey(place))[0]?.name;
  }
}

function find(lines: Buffer, key: string): Entry[] {
  if (key === "") return [];
  const wanted = Buffer.from(`|${key}|`);
  const found: Entry[] = [];
  for (let at = lines.indexOf(wanted); at !== -1;) {
    const end = lines.indexOf(LINE_END, at);
    found.push(parseEntry(lines.toString("utf8", lines.lastIndexOf(LINE_END, at) + 1, end)));
    at = lines.indexOf(wanted, end);
  }
  return found;
}

let opened: Promise<Gazetteer> | undefined;

/** The gazetteer of this release, read at the first call and kept by the process. */
export function openGazetteer(): Promise<Gazetteer> {
  opened ??= readGazetteer();
  return opened;
}

async function readGazetteer(): Promise<Gazetteer> {
  try {
    return new Gazetteer(await promisify(brotliDecompress)(await readFile(GAZETTEER_FILE)));
  } catch (error) {
    opened = undefined;
    throw error;
  }
}

/** `capital` is the city that a country is governed from; `region` a first-level division of a country. */
type EntryKind = "city" | "capital" | "region" | "zip";

/** A place of the gazetteer. */
export interface Entry {
  readonly kind: EntryKind;
  /** Its names as `placeKey` writes them; a region also has `regionKey`. */
  readonly keys: readonly string[];
  readonly name: string;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  /** GeoNames' code of the first-level division; empty if there is none. */
  readonly region: string;
  /** In degrees. 0 for a region. */
  readonly latitude: number;
  readonly longitude: number;
  /** Of a region, the people of its cities. 0 for a zip code. */
  readonly population: number;
}

const KIND_SIGNS = { city: "c", capital: "C", region: "r", zip: "z" } as const;
const KINDS = new Map(Object.entries(KIND_SIGNS).map(([kind, sign]) => [sign as string, kind as EntryKind]));

/** Decimal places of degrees: some 100 m. */
const DECIMALS = 3;

/** A key that only this region has: no name of a place contains a full stop. */
export function regionKey({ country, region }: Pick<Entry, "country" | "region">): string {
  return `${country}.${region}`.toLowerCase();
}

/** The line of a place, without its end. The keys come first, between bars, so that a name is found as `|name|`. */
export function formatEntry(entry: Entry): string {
  const { kind, keys, name, country, region, latitude, longitude, population } = entry;
  const degrees = [latitude, longitude].map((each) => String(Number(each.toFixed(DECIMALS))));
  return [`${KIND_SIGNS[kind]}|${keys.join("|")}|`, name, country, region, ...degrees, population].join("\t");
}

/** Reads a line. Throws RangeError for one that `formatEntry` did not write. */
export function parseEntry(line: string): Entry {
  const [names = "", name = "", country = "", region = "", ...numbers] = line.split("\t");
  const kind = KINDS.get(names.charAt(0));
  const [latitude = Number.NaN, longitude = Number.NaN, population = Number.NaN] = numbers.map(Number);
  if (kind === undefined || Number.isNaN(population)) throw new RangeError(`Not a line of the gazetteer: ${line}`);
  return { kind, keys: names.slice(2, -1).split("|"), name, country, region, latitude, longitude, population };
}

const WITHIN = /[.'`´]/gu;
const BETWEEN = /[^\p{L}\p{M}\p{N}]+/gu;

/** The form in which names of places are compared: `St. Louis` and `st louis` are the same. Empty without a letter or digit. */
export function placeKey(name: string): string {
  return fold(name).replace(WITHIN, "").replace(BETWEEN, " ").trim();
}
