import { type Entity, type EntityType, listsOf, phraseOf } from "../../text/gazetteers.js";
import type { Token } from "../../text/tokens.js";
import { has, placeType } from "./entity-rules.js";
import { isCapitalized } from "./word-shapes.js";

const DIRECTIONS: ReadonlySet<string> = new Set(
  (
    "northern southern eastern western central northeastern northwestern southeastern southwestern north-eastern upper lower north south east west " +
    "northeast northwest southeast southwest upstate downtown inner outer greater mainland"
  ).split(" "),
);
/** Those that are adjectives and nothing else: alone they name no place. */
const ADJECTIVES: ReadonlySet<string> = new Set(
  "northern southern eastern western central northeastern northwestern southeastern southwestern upstate mainland".split(
    " ",
  ),
);
/** Directions that may also be adverbs, or adjectives of much else: part of a place only where capitalized as it is. */
const CAPITALIZED: ReadonlySet<string> = new Set(
  "upper lower central inner outer greater downtown north south east west".split(" "),
);

/** Words that open the names of houses and of the landscape, and the type of the name. */
const OPENERS: ReadonlyMap<string, EntityType> = new Map<string, EntityType>([
  ..."hotel café cafe restaurant ristorante trattoria hostel villa casa camp fort stade estadio palazzo palais château chateau castello pub"
    .split(" ")
    .map((word): [string, EntityType] => [word, "FAC"]),
  ..."mount mt mt. lake river cape gulf isle".split(" ").map((word): [string, EntityType] => [word, "LOC"]),
]);

const PLACES: ReadonlySet<EntityType> = new Set(["GPE", "LOC", "FAC"]);

/** `northern Spain`, `the Hotel Astoria`, `Mount Snowdon`: the words before the name that was found belong to it. */
export function withPlaceWords(tokens: readonly Token[], entity: Entity): Entity {
  return withOpener(tokens, withDirection(tokens, entity));
}

function withDirection(tokens: readonly Token[], entity: Entity): Entity {
  const { first, last, type } = entity;
  if (type === "GPE" && first < last && ADJECTIVES.has(tokens[first]?.lower ?? "")) {
    return { ...entity, type: isState(tokens, first, last) ? "GPE" : "LOC" };
  }
  const before = tokens[first - 1];
  if ((type !== "GPE" && type !== "LOC") || before === undefined || tokens[first]?.newLine !== false) return entity;
  const name = tokens[first].text;
  if (!DIRECTIONS.has(before.lower) || !/^\p{Lu}/u.test(name)) return entity;
  const capital = /^\p{Lu}/u.test(before.text);
  if (CAPITALIZED.has(before.lower) && !(capital && !before.initial)) return entity;
  return { ...entity, first: first - 1, type: isState(tokens, first - 1, last) ? "GPE" : "LOC" };
}

function isState(tokens: readonly Token[], first: number, last: number): boolean {
  const lists = listsOf(phraseOf(tokens, first, last));
  return has(lists, "countries") || has(lists, "regions") || has(lists, "cities");
}

function withOpener(tokens: readonly Token[], entity: Entity): Entity {
  const { first, last, type } = entity;
  const own = OPENERS.get(tokens[first]?.lower ?? "");
  // Only the opener was found, or it was found together with the name.
  if (own !== undefined && PLACES.has(type) && isCapitalized(tokens[first])) {
    const next = tokens[last + 1];
    if (first < last) return type === "GPE" ? { ...entity, type: own } : entity;
    return isCapitalized(next) && next?.newLine === false ? { ...entity, last: last + 1, type: own } : entity;
  }
  if (type === "GPE" && first < last && isCapitalized(tokens[last]) && listsOf(phraseOf(tokens, first, last)) === 0) {
    return { ...entity, type: placeType(tokens, last, 0) };
  }
  const before = OPENERS.get(tokens[first - 1]?.lower ?? "");
  if (before === undefined || type === "PRODUCT" || type === "WORK_OF_ART" || type === "EVENT") return entity;
  const opener = tokens[first - 1];
  if (!isCapitalized(opener) || !isCapitalized(tokens[first]) || tokens[first]?.newLine !== false) return entity;
  return { ...entity, first: first - 1, type: type === "ORG" ? "ORG" : before };
}

/** The least certainty for a single word in small letters, which is rarely a name. */
const PLAIN_MIN = 0.5;

/** `northern` and `world` are no names of places, and one word of the dictionary is no law unless it is listed. */
export function isNoName(tokens: readonly Token[], { first, last, type, prob = 1 }: Entity): boolean {
  if (first !== last) return false;
  const { text = "", lower = "", known = false } = tokens[first] ?? {};
  if (text === "us" || (text === lower && prob < PLAIN_MIN && /^\p{L}+$/u.test(text))) return true;
  if (type === "LAW") return known && listsOf(lower) === 0;
  return PLACES.has(type) && (ADJECTIVES.has(lower) || lower === "world");
}
