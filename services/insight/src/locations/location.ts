import { setImmediate } from "node:timers/promises";
import { EVERYWHERE, type Place, type PointPlace, type SearchPlaces } from "../platforms/places.js";
import { countriesNamed, countryName } from "./countries.js";
import { type Entry, type Gazetteer, openGazetteer, placeKey } from "./gazetteer.js";

/** A location with more is cut short: each place costs requests, and a look-up some milliseconds. */
const PLACES_MAX = 20;
/** Locations whose places a process caches. */
const CACHE_MAX = 500;

const BETWEEN_GROUPS = /[;；؛]/u;
const BETWEEN_PARTS = /[,，、،]/u;

const cache = new Map<string, SearchPlaces>();

/**
 * What a location means: places separated by semicolons, or by commas unless a part says where the one before it lies
 * (`Paris, France`). Nothing is guessed and no service is asked: the gazetteer of this release decides.
 */
export async function placesOf(location: string): Promise<SearchPlaces> {
  const text = location.trim();
  if (text === "") return EVERYWHERE;
  const earlier = cache.get(text);
  if (earlier !== undefined) return earlier;
  const places = await readLocation(text, await openGazetteer());
  if (cache.size >= CACHE_MAX) cache.clear();
  cache.set(text, places);
  return places;
}

async function readLocation(text: string, gazetteer: Gazetteer): Promise<SearchPlaces> {
  const known = new Map<string, Place>();
  const unknown = new Set<string>();
  let count = 0;
  for (const group of text.split(BETWEEN_GROUPS)) {
    const parts = group
      .split(BETWEEN_PARTS)
      .map((part) => part.trim())
      .filter((part) => part !== "");
    for (let at = 0; at < parts.length; count += 1) {
      if (count >= PLACES_MAX) {
        unknown.add(`A location has at most ${PLACES_MAX} places: the others are left out.`);
        return { known: [...known.values()], unknown: [...unknown] };
      }
      const { meaning, taken } = readPlace(parts.slice(at), gazetteer);
      if ("place" in meaning) known.set(meaning.place.label, meaning.place);
      else unknown.add(meaning.problem);
      at += taken;
      // A location of many places must not hold up other requests.
      await setImmediate();
    }
  }
  if (count === 0) unknown.add("The location names no place.");
  return { known: [...known.values()], unknown: [...unknown] };
}

/** A place, or a sentence that says why none is clear. */
type Meaning = { readonly place: Place } | { readonly problem: string };

/** What the first parts of a list mean together. */
interface ReadPlace {
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
function readPlace(parts: readonly string[], gazetteer: Gazetteer): ReadPlace {
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
 * How many of the following parts belong to a place that is not there, such as in `Paris, Germany`. Taken as separate places,
 * they would collect much more than was meant.
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
  const others = [...alternativesTo(candidates, key, gazetteer)].slice(0, ALTERNATIVES_MAX);
  const location = `The location ${shown(written)}`;
  if (others.length > 0) return { problem: `${location} is not clear. Write which it is: ${others.join("; ")}.` };
  if (candidates.regions.length > 0) return { problem: `${location} is a region. Write cities of it.` };
  return { problem: `${location} is not known.` };
}

function shown(written: string): string {
  const characters = [...written];
  return characters.length <= SHOWN_MAX ? written : `${characters.slice(0, SHOWN_MAX).join("")}…`;
}

/** What has the name that was written. */
interface Candidates {
  readonly cities: readonly Entry[];
  readonly regions: readonly Entry[];
}

/** A city is meant without more words if it weighs this many times what anything else of its name does. */
const CLEARLY = 3;
/** A capital is meant rather than a larger city. */
const CAPITAL_WEIGHT = 3;
/** A city that has the name only in other times or languages is hardly ever meant beside one that is called so. */
const OTHER_NAME_WEIGHT = 0.1;
/** A smaller place of the same name and country within this distance is a part of a city, or the city listed twice. */
const SAME_AREA_KM = 50;
const KM_PER_DEGREE = 111;
const RADIANS = Math.PI / 180;

/** A place as it is shown, and as it can be written to mean no other: `Portland, Oregon, US`. */
function labelOf(entry: Entry, gazetteer: Gazetteer): string {
  return [entry.name, gazetteer.regionName(entry), entry.country].filter((part) => part !== undefined).join(", ");
}

/** A city as connectors see it. */
function toPlace(city: Entry, gazetteer: Gazetteer): PointPlace {
  const { name, country: countryCode, latitude, longitude, population } = city;
  return { kind: "city", label: labelOf(city, gazetteer), name, countryCode, latitude, longitude, population };
}

/** The city that a name means; undefined if that is not clear. */
function chosenCity({ cities, regions }: Candidates, key: string): Entry | undefined {
  const [best] = [...cities].sort((a, b) => b.population - a.population);
  if (best === undefined) return undefined;
  const others = [...cities, ...regions].filter((other) => other !== best && !isAround(best, other));
  const isClear = others.every((other) => weightOf(best) >= CLEARLY * weightBeside(other, key));
  return isClear ? best : undefined;
}

/** Cities to write instead of a name that is not clear, the likeliest first. */
function alternativesTo({ cities }: Candidates, key: string, gazetteer: Gazetteer): Set<string> {
  const sorted = [...cities].sort((a, b) => weightBeside(b, key) - weightBeside(a, key));
  return new Set(sorted.map((city) => labelOf(city, gazetteer)));
}

function weightOf({ kind, population }: Entry): number {
  return kind === "capital" ? CAPITAL_WEIGHT * population : population;
}

function weightBeside(entry: Entry, key: string): number {
  const isCalledSo = entry.kind === "region" || placeKey(entry.name) === key;
  return isCalledSo ? weightOf(entry) : OTHER_NAME_WEIGHT * weightOf(entry);
}

/** Whether `other` is the region of a city or lies beside it, or is smaller and cannot be distinguished from it by words. */
function isAround(city: Entry, other: Entry): boolean {
  if (other.country !== city.country) return false;
  if (other.region === city.region && (other.kind === "region" || other.name === city.name)) return true;
  return other.kind !== "region" && distanceKm(city, other) <= SAME_AREA_KM;
}

/** On a flat map around the first place: exact enough for short distances. */
function distanceKm(a: Entry, b: Entry): number {
  const east = (b.longitude - a.longitude) * Math.cos(a.latitude * RADIANS);
  return Math.hypot(b.latitude - a.latitude, east) * KM_PER_DEGREE;
}
