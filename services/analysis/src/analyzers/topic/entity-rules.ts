import { bitOf, type Entity, type EntityType, type Gazetteer, type GazetteerHit, isIn } from "../../text/gazetteers.js";
import type { Token } from "../../text/tokens.js";
import { isBrand } from "./brand-names.js";
import type { EntityClass } from "./tagger.js";
import { findTitles } from "./title-patterns.js";
import { isCapital } from "./word-shapes.js";

const NAMED = /^[\p{Lu}\p{N}]/u;
const BEFORE_LANGUAGE = new Set([
  ..."in into speak speaks speaking spoke spoken learn learns learning study studying teach teaches teaching".split(
    " ",
  ),
  ..."translate translated read write fluent from taught studied".split(" "),
]);
const AFTER_LANGUAGE = new Set([
  ..."language languages lesson lessons class classes teacher translation subtitles speaker speakers word".split(" "),
  ..."words grammar dictionary accent alphabet".split(" "),
]);

/** The type for which a word list alone can be trusted here; undefined if context or the tagger must decide. */
export function trustedType(tokens: readonly Token[], hit: GazetteerHit): EntityType | undefined {
  const type = listType(tokens, hit);
  const named = NAMED.test(tokens[hit.first]?.text ?? "") || (type === "EVENT" && isPlainEvent(tokens, hit));
  return named ? type : undefined;
}

const HOLIDAYS = new Set(
  "christmas xmas halloween thanksgiving easter ramadan diwali hanukkah wimbledon brexit".split(" "),
);

/** Whether a hit is a day that everybody knows, alone. */
export function isHoliday(tokens: readonly Token[], { first, last }: GazetteerHit): boolean {
  return first === last && HOLIDAYS.has(tokens[first]?.lower ?? "");
}

/** Events that posts write without capitals: well-known days, and names of several words. */
function isPlainEvent(tokens: readonly Token[], hit: GazetteerHit): boolean {
  return hit.first < hit.last || isHoliday(tokens, hit);
}

function listType(tokens: readonly Token[], hit: GazetteerHit): EntityType | undefined {
  if (isIn(hit, "languages") && isLanguageHere(tokens, hit)) return "LANGUAGE";
  if (isIn(hit, "nationalities") && !isIn(hit, "organizations")) return isShared(hit) ? undefined : "NORP";
  const rare = hit.lists & (bitOf("events") | bitOf("laws"));
  if (rare === 0) return commonType(tokens, hit);
  if (rare !== hit.lists || isDictionaryWord(tokens, hit)) return undefined;
  return isIn(hit, "events") ? "EVENT" : "LAW";
}

/**
 * Lists of common names are trusted if no other class contains the name and no dictionary the word, unless it is a
 * brand (`Google`); lists of people never are.
 */
function commonType(tokens: readonly Token[], hit: GazetteerHit): EntityType | undefined {
  const token = tokens[hit.first];
  const named = hit.first < hit.last || token?.known === false || isBrand(token?.lower ?? "");
  const only = classesOf(hit.lists);
  if (!named || isIn(hit, "titles") || only.length !== 1 || only[0] === "PERSON") return undefined;
  return only[0] === "PLACE" ? placeType(tokens, hit.last, hit.lists) : only[0];
}

/** `Jordan`, `Paris`, `Georgian`: an entry that is also a personal name needs the tagger's opinion. */
function isShared(hit: GazetteerHit): boolean {
  return (hit.lists & (bitOf("first-names") | bitOf("last-names") | bitOf("cities") | bitOf("regions"))) !== 0;
}

/** A single common word, capitalized only because a sentence starts with it. */
function isDictionaryWord(tokens: readonly Token[], hit: GazetteerHit): boolean {
  const token = tokens[hit.first];
  if (hit.first < hit.last || token === undefined || HOLIDAYS.has(token.lower)) return false;
  return token.known && token.initial && !/^\p{Lu}+$/u.test(token.text);
}

function isLanguageHere(tokens: readonly Token[], { first, last, lists }: GazetteerHit): boolean {
  const before = tokens[first - 1]?.lower ?? "";
  const after = tokens[last + 1];
  if (AFTER_LANGUAGE.has(after?.lower ?? "")) return true;
  const alone = after?.pos !== "NOUN" && after?.pos !== "PROPN" && after?.pos !== "ADJ";
  if (BEFORE_LANGUAGE.has(before)) return alone;
  return lists === bitOf("languages") && alone;
}

const CLASS_LISTS: readonly (readonly [EntityClass, readonly Gazetteer[]])[] = [
  ["PERSON", ["first-names", "last-names", "persons"]],
  ["PLACE", ["countries", "regions", "cities", "locations", "facilities"]],
  ["ORG", ["organizations"]],
  ["PRODUCT", ["products"]],
  ["WORK_OF_ART", ["works"]],
];

/** The classes of the lists that contain a name. */
export function classesOf(lists: number): EntityClass[] {
  return CLASS_LISTS.filter(([, members]) => members.some((list) => has(lists, list))).map(([name]) => name);
}

const FACILITY_HEADS = new Set(
  (
    "airport station stadium arena bridge tower towers museum hotel hospital street avenue road ave rd st blvd boulevard " +
    "mall center centre theatre theater hall library church cathedral chapel temple mosque synagogue castle palace square " +
    "highway hwy motorway freeway expressway tunnel plaza pub bar restaurant cafe diner inn club zoo gallery prison jail " +
    "dam pier harbour harbor port terminal building house park gardens garden speedway racecourse track gym cemetery " +
    "memorial monument lane drive court way resort casino campus dorm auditorium base fort garage market"
  ).split(" "),
);
const LOCATION_HEADS = new Set(
  (
    "river lake lakes mount mountain mountains ocean sea bay island islands isle isles desert valley coast beach peninsula " +
    "canyon hill hills forest woods cape gulf strait straits region creek falls glacier reef delta basin plateau plains " +
    "range peak ridge rainforest continent hemisphere east west north south"
  ).split(" "),
);
const LOCATION_OPENERS = new Set(["lake", "mount", "mt", "mt.", "cape", "gulf", "river", "isle", "strait"]);

/** Distinguishes GPE, LOC and FAC by lists, then by the words with which such names end or begin. */
export function placeType(tokens: readonly Token[], last: number, lists: number): EntityType {
  if (has(lists, "countries") || has(lists, "regions") || has(lists, "cities")) return "GPE";
  if (has(lists, "locations")) return "LOC";
  if (has(lists, "facilities")) return "FAC";
  const head = tokens[last]?.lower ?? "";
  if (FACILITY_HEADS.has(head)) return "FAC";
  if (LOCATION_HEADS.has(head) || LOCATION_OPENERS.has(tokens[last - 1]?.lower ?? "")) return "LOC";
  return "GPE";
}

/** Whether a list is in the bit set. */
export function has(lists: number, list: Gazetteer): boolean {
  return (lists & bitOf(list)) !== 0;
}

/**
 * Finds events and laws by the words they end or begin with, and titles of works: `Munich Film Festival`, `Clean Energy
 * Act of 2021`, `watched The Lord of the Rings`.
 */
export function findPatterns(tokens: readonly Token[]): Entity[] {
  const found = findTitles(tokens);
  for (let at = 0; at < tokens.length; at++) {
    const entity = endingAt(tokens, at) ?? beginningAt(tokens, at);
    if (!entity) continue;
    found.push(entity);
    at = entity.last;
  }
  return found;
}

const HEADS = new Map<string, EntityType>([
  ...eventHeads(
    "festival championship championships awards olympics marathon tournament expo playoffs grammys derby cup prix",
  ),
  ...lawHeads("act amendment treaty accord accords protocol directive"),
]);

/** Whether names of events end with a lower-case word. */
export function isEventHead(word: string): boolean {
  return HEADS.get(word) === "EVENT";
}

const OPENERS = new Map<string, EntityType>([
  ["battle of", "EVENT"],
  ["siege of", "EVENT"],
  ["treaty of", "LAW"],
]);
/** Words with a name behind them that are part of it. */
const NAMED_AFTER = new Map<string, EntityType>([
  ["hurricane", "EVENT"],
  ["hotel", "FAC"],
]);
const LONGEST = 6;

function endingAt(tokens: readonly Token[], at: number): Entity | undefined {
  const type = HEADS.get(tokens[at]?.lower ?? "");
  if (!type || !isName(tokens[at])) return undefined;
  let first = at;
  while (at - first < LONGEST && isName(tokens[first - 1]) && isJoined(tokens, first)) first--;
  if (first === at) return undefined;
  return { first, last: withYear(tokens, at), type };
}

function beginningAt(tokens: readonly Token[], at: number): Entity | undefined {
  const opener = tokens[at];
  if (!opener || !isName(opener)) return undefined;
  const named = NAMED_AFTER.get(opener.lower);
  const next = tokens[at + 1];
  if (named && isName(next) && next?.newLine === false) {
    let last = at + 1;
    while (last - at < LONGEST && isName(tokens[last + 1]) && isJoined(tokens, last + 1)) last++;
    return { first: at, last, type: named };
  }
  const type = OPENERS.get(`${opener.lower} ${tokens[at + 1]?.lower ?? ""}`);
  if (!type || !isName(tokens[at + 2])) return undefined;
  return { first: at, last: at + 2, type };
}

/** `of 1964` belongs to an act. */
function withYear(tokens: readonly Token[], at: number): number {
  return tokens[at + 1]?.lower === "of" && /^[12]\d{3}$/.test(tokens[at + 2]?.text ?? "") ? at + 2 : at;
}

function isName(token: Token | undefined): boolean {
  if (token === undefined || !isCapital(token)) return false;
  return !(token.initial && token.pos !== "PROPN" && token.pos !== "NOUN" && token.pos !== "ADJ");
}

function isJoined(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.newLine === false;
}

function eventHeads(words: string): [string, EntityType][] {
  return words.split(" ").map((word) => [word, "EVENT"]);
}

function lawHeads(words: string): [string, EntityType][] {
  return words.split(" ").map((word) => [word, "LAW"]);
}
