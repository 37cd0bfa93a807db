import type { Place } from "../platforms/places.js";
import { alternatives, type Candidates, chosenCity, toPlace } from "./candidates.js";
import { countriesNamed, countryName } from "./countries.js";
import type { Entry } from "./gazetteer/entry.js";
import type { Gazetteer } from "./gazetteer/gazetteer.js";
import { placeKey } from "./gazetteer/place-key.js";

/** A place, or a sentence that says why none is clear. */
type Meaning = { readonly place: Place } | { readonly problem: string };

/** What the first parts of a list mean together. */
export interface ReadPlace {
  readonly meaning: Meaning;
  /** Parts that were read. */
  readonly taken: number;
}

/** A five-digit US zip code, also with its four more digits. */
const ZIP = /^(\d{5})(?:-\d{4})?$/;
/** A region and a country. */
const QUALIFIERS_MAX = 2;
const ALTERNATIVES_MAX = 5;
const SHOWN_MAX = 60;
const US = "US";
/** A country's name in another language is taken for a city of at least this size with that name. */
const CITY_MIN = 15_000;

/** Reads one place from the beginning of the parts between commas: `Springfield`, `Illinois`, `USA`, … */
export function readPlace(parts: readonly string[], gazetteer: Gazetteer): ReadPlace {
  const [first = "", ...following] = parts;
  const zip = ZIP.exec(first)?.[1];
  if (zip !== undefined) return readZip(zip, following, gazetteer);
  const key = placeKey(first);
  const all = { cities: gazetteer.citiesNamed(key), regions: gazetteer.regionsNamed(key) };
  const { within, taken } = narrowed(all, following, gazetteer);
  if (taken > 0) return { meaning: cityOf(first, within, gazetteer), taken: 1 + taken };
  const country = countryOf(first, all);
  if (country !== undefined) return { meaning: country, taken: 1 };
  const lost = lostQualifiers(all, following, gazetteer);
  if (lost === 0) return { meaning: cityOf(first, all, gazetteer), taken: 1 };
  const written = parts.slice(0, 1 + lost).join(", ");
  const problem = `The location ${shown(written)} is not known. Write a semicolon between two places.`;
  return { meaning: { problem }, taken: 1 + lost };
}

function readZip(zip: string, following: readonly string[], gazetteer: Gazetteer): ReadPlace {
  const keys = following.slice(0, QUALIFIERS_MAX).map(placeKey);
  const end = keys.findIndex((key) => !isQualifier(key, gazetteer));
  const taken = 1 + (end === -1 ? keys.length : end);
  const isInUs = keys.slice(0, taken - 1).every((key) => withinOf(key, gazetteer)({ country: US }));
  const area = gazetteer.zip(zip);
  if (area === undefined || !isInUs) {
    const problem = `The location ${zip} is not known as a US zip code. Of other countries, write the city.`;
    return { meaning: { problem }, taken };
  }
  const { latitude, longitude } = area;
  const point = { name: zip, countryCode: US, latitude, longitude, population: 0 };
  return { meaning: { place: { kind: "zip", label: `US zip code ${zip}`, ...point } }, taken };
}

/** Keeps what lies in what the following parts name, as long as something does. */
function narrowed(
  all: Candidates,
  following: readonly string[],
  gazetteer: Gazetteer,
): { within: Candidates; taken: number } {
  let within = all;
  let taken = 0;
  for (const part of following.slice(0, QUALIFIERS_MAX)) {
    const isWithin = withinOf(placeKey(part), gazetteer);
    const kept = { cities: within.cities.filter(isWithin), regions: within.regions.filter(isWithin) };
    if (kept.cities.length + kept.regions.length === 0) break;
    within = kept;
    taken += 1;
  }
  return { within, taken };
}

/** Whether a place lies in the country or region of that name; without a region, whether its country has one. */
function withinOf(key: string, gazetteer: Gazetteer): (place: Partial<Entry>) => boolean {
  const countries = new Set(countriesNamed(key).map(({ code }) => code));
  const regions = gazetteer.regionsNamed(key);
  return ({ kind, country, region }) => {
    if (country !== undefined && countries.has(country)) return true;
    if (kind === "region") return false;
    return regions.some((around) => around.country === country && (region ?? around.region) === around.region);
  };
}

function isQualifier(key: string, gazetteer: Gazetteer): boolean {
  return countriesNamed(key).length > 0 || gazetteer.regionsNamed(key).length > 0;
}

/**
 * How many of the following parts belong to a place that is not there, such as in `Paris, Germany`. As places of their own,
 * they would have much more collected than was meant.
 */
function lostQualifiers({ cities, regions }: Candidates, following: readonly string[], gazetteer: Gazetteer): number {
  const isNamed = cities.length + regions.length > 0;
  const end = following.slice(0, QUALIFIERS_MAX).findIndex((part) => {
    const key = placeKey(part);
    if (countriesNamed(key).length > 0) return false;
    const isRegion = gazetteer.regionsNamed(key).length > 0;
    return !isRegion || (isNamed && gazetteer.citiesNamed(key).length > 0);
  });
  return end === -1 ? Math.min(following.length, QUALIFIERS_MAX) : end;
}

/** Undefined if the name is of no country, or rather of a city. */
function countryOf(written: string, { cities, regions }: Candidates): Meaning | undefined {
  const [country, another] = countriesNamed(placeKey(written));
  if (country === undefined) return undefined;
  const { code, isPlain } = country;
  if (!isPlain && cities.some((city) => city.country !== code && city.population >= CITY_MIN)) return undefined;
  const state = regions.find((region) => region.country === US);
  if (state !== undefined || another !== undefined) {
    const other = state === undefined ? "another country" : `${state.name}, US`;
    const problem = `The location ${shown(written)} may be the country ${countryName(code)} or ${other}. Write cities of it.`;
    return { problem };
  }
  return { place: { kind: "country", label: countryName(code), countryCode: code } };
}

function cityOf(written: string, candidates: Candidates, gazetteer: Gazetteer): Meaning {
  const key = placeKey(written);
  const city = chosenCity(candidates, key);
  if (city !== undefined) return { place: toPlace(city, gazetteer) };
  const others = [...alternatives(candidates, key, gazetteer)].slice(0, ALTERNATIVES_MAX);
  const location = `The location ${shown(written)}`;
  if (others.length > 0) return { problem: `${location} is not clear. Write which it is: ${others.join("; ")}.` };
  if (candidates.regions.length > 0) return { problem: `${location} is a region. Write cities of it.` };
  return { problem: `${location} is not known.` };
}

function shown(written: string): string {
  const characters = [...written];
  return characters.length <= SHOWN_MAX ? written : `${characters.slice(0, SHOWN_MAX).join("")}…`;
}
