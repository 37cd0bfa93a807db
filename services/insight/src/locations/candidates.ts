import type { PointPlace } from "../platforms/places.js";
import type { Entry } from "./gazetteer/entry.js";
import type { Gazetteer } from "./gazetteer/gazetteer.js";
import { placeKey } from "./gazetteer/place-key.js";

/** What has the name that was written. */
export interface Candidates {
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
export function labelOf(entry: Entry, gazetteer: Gazetteer): string {
  return [entry.name, gazetteer.regionName(entry), entry.country].filter((part) => part !== undefined).join(", ");
}

/** A city as connectors see it. */
export function toPlace(city: Entry, gazetteer: Gazetteer): PointPlace {
  const { name, country: countryCode, latitude, longitude, population } = city;
  return { kind: "city", label: labelOf(city, gazetteer), name, countryCode, latitude, longitude, population };
}

/** The city that a name means; undefined if that is not clear. */
export function chosenCity({ cities, regions }: Candidates, key: string): Entry | undefined {
  const [best] = [...cities].sort((a, b) => b.population - a.population);
  if (best === undefined) return undefined;
  const others = [...cities, ...regions].filter((other) => other !== best && !isAround(best, other));
  const isClear = others.every((other) => weightOf(best) >= CLEARLY * weightBeside(other, key));
  return isClear ? best : undefined;
}

/** Cities to write instead of a name that is not clear, the likeliest first. */
export function alternatives({ cities }: Candidates, key: string, gazetteer: Gazetteer): Set<string> {
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

/** Whether `other` is the region of a city or lies beside it, or is smaller and cannot be told from it by words. */
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
