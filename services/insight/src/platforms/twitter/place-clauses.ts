import type { Place } from "../places.js";

/** X's greatest radius. */
const CITY_KM = 40;
/** Zip codes are often larger than a city's quarter, and X counts a place only if the circle holds all of it. */
const ZIP_KM = 16;
/** The outline of such a city may be wider than the greatest circle, which then finds no post that names the city as a whole. */
const WIDE_CITY_PEOPLE = 1_000_000;
const OR = " OR ";

/**
 * X's operators for places, as alternatives in as few parentheses as `maxLength` allows, by `lengthOf`: a search of each
 * finds posts from some of the places, all searches together those from all.
 */
export function placeClauses(
  places: readonly Place[],
  { maxLength, lengthOf }: { readonly maxLength: number; readonly lengthOf: (clause: string) => number },
): string[] {
  const clauses: string[] = [];
  for (const operator of new Set(places.flatMap(operatorsOf))) {
    const last = clauses.at(-1);
    const both = last === undefined ? operator : `${last}${OR}${operator}`;
    if (last !== undefined && lengthOf(`(${both})`) <= maxLength) clauses[clauses.length - 1] = both;
    else clauses.push(operator);
  }
  return clauses.map((clause) => (clause.includes(OR) ? `(${clause})` : clause));
}

function operatorsOf(place: Place): string[] {
  if (place.kind === "country") return [`place_country:${place.countryCode}`];
  const { kind, name, countryCode, longitude, latitude, population } = place;
  const around = `point_radius:[${longitude} ${latitude} ${kind === "zip" ? ZIP_KM : CITY_KM}km]`;
  if (population < WIDE_CITY_PEOPLE) return [around];
  return [around, `(place:"${name.replaceAll('"', "")}" place_country:${countryCode})`];
}
