import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { type Entry, parseEntry, regionKey } from "./entry.js";

/** Made by services/training; see the notes beside it. */
export const GAZETTEER_FILE = new URL("../../../gazetteer/places.tsv.br", import.meta.url);

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
