import { type QueryDialect, translate, type Translation } from "../../query/translate.js";
import type { PlatformSearch } from "../connector.js";
import type { Place } from "../places.js";
import { queryLength } from "../text.js";

/** X leaves reposts out of what it finds; this also serves where it does not. */
const WITHOUT_REPOSTS = " -is:retweet";
const CHARACTERS_MAX = 512;
/** Places take at most this many characters of a search, and leave the others to the keywords. */
const PLACES_MAX = 200;
/** Parentheses around alternatives. */
const AROUND = "()".length;
/** A URL has 2,048 characters; other parameters and the address take the rest. */
const ENCODED_MAX = 1150;
const USER_NAME = /^\w{1,15}$/;
/** X takes no tag of digits only. */
const TAG = /^(?=.*[^\d_])[\p{L}\p{N}\p{M}_]{1,100}$/u;

/** X's search operators. A space binds tighter than OR, so every OR stands in parentheses. */
const X_DIALECT: QueryDialect<string> = {
  word: (text) => text,
  phrase: (text) => `"${text.replaceAll("\\", " ")}"`,
  tag: (name) => (TAG.test(name) ? `#${name}` : undefined),
  mention: (name) => (USER_NAME.test(name) ? `@${name}` : undefined),
  not: (atom) => `-${atom}`,
  and: (parts) => parts.join(" "),
  or: (parts) => `(${parts.join(" OR ")})`,
  group: (said) => `(${said})`,
  joinsTerms: true,
  maxLength: CHARACTERS_MAX - WITHOUT_REPOSTS.length - AROUND,
  lengthOf: (said) => queryLength(said, { charactersMax: CHARACTERS_MAX, encodedMax: ENCODED_MAX }),
};

/** The searches that X is asked for keywords and places. */
export function queriesFor({ query, places }: Pick<PlatformSearch, "query" | "places">): Translation<string> {
  const lengthOf = (said: string): number => X_DIALECT.lengthOf(said);
  const clauses = placeClauses(places.known, { maxLength: PLACES_MAX, lengthOf });
  const endings = clauses.length === 0 ? [""] : clauses.map((clause) => ` ${clause}`);
  const translation = translate(query, {
    ...X_DIALECT,
    maxLength: X_DIALECT.maxLength - Math.max(...endings.map(lengthOf)),
  });
  const requests = translation.requests.flatMap((request) =>
    endings.map((ending) => `${request}${ending}${WITHOUT_REPOSTS}`),
  );
  return { ...translation, requests };
}

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
function placeClauses(
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
