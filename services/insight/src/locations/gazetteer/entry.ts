/** `capital` is the city that a country is governed from; `region` a first-level division of a country. */
export type EntryKind = "city" | "capital" | "region" | "zip";

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
