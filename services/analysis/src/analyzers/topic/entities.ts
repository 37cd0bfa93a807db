import type { Token } from "../../text/tokens.js";
import type { Entity, EntityType } from "./entity.js";
import { bitOf, findHits, type Gazetteer, type GazetteerHit, isIn, listsOf, phraseOf } from "./gazetteers.js";
import { findPatterns } from "./patterns.js";
import type { TaggerModel } from "./model-file.js";
import { type EntitySpan, tagEntities } from "./tagger.js";
import type { EntityClass } from "./tags.js";

/**
 * Finds the entities of a text, in order and without overlap: what patterns and word lists are sure of (events, laws,
 * languages, peoples, for which there is no training data), then what the tagger finds elsewhere.
 */
export function findEntities(tokens: readonly Token[], model?: TaggerModel): Entity[] {
  const hits = findHits(tokens);
  const spans = tagEntities(tokens, model);
  const sure = [...findPatterns(tokens), ...hits.flatMap((hit) => fromList(tokens, hit, spans))];
  const taken = new Set<number>();
  const kept = [...sure, ...spans.map((span) => refine(tokens, span))].filter(({ first, last }) => {
    for (let at = first; at <= last; at++) if (taken.has(at)) return false;
    for (let at = first; at <= last; at++) taken.add(at);
    return true;
  });
  return kept.sort((a, b) => a.first - b.first);
}

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

/** What a word list alone is trusted with; a span of the tagger that reaches further than the entry comes first. */
function fromList(tokens: readonly Token[], hit: GazetteerHit, spans: readonly EntitySpan[]): Entity[] {
  const type = listType(tokens, hit);
  const named = NAMED.test(tokens[hit.first]?.text ?? "") || (type === "EVENT" && isPlainEvent(tokens, hit));
  if (!type || !named) return [];
  return reachesFurther(spans, hit) ? [] : [{ first: hit.first, last: hit.last, type }];
}

const HOLIDAYS = new Set(
  "christmas xmas halloween thanksgiving easter ramadan diwali hanukkah wimbledon brexit".split(" "),
);

/** Events that posts name without capitals: the well-known days, and names of several words. */
function isPlainEvent(tokens: readonly Token[], { first, last }: GazetteerHit): boolean {
  return first < last || HOLIDAYS.has(tokens[first]?.lower ?? "");
}

function reachesFurther(spans: readonly EntitySpan[], hit: GazetteerHit): boolean {
  // Spans are in order: the first that ends at or after the hit is the only one that can hold its start.
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.last ?? 0) < hit.first) low = middle + 1;
    else high = middle;
  }
  const span = spans[low];
  return span !== undefined && span.first <= hit.last && span.last - span.first > hit.last - hit.first;
}

function listType(tokens: readonly Token[], hit: GazetteerHit): EntityType | undefined {
  if (isIn(hit, "languages") && isLanguageHere(tokens, hit)) return "LANGUAGE";
  if (isIn(hit, "nationalities") && !isIn(hit, "organizations")) return isShared(hit) ? undefined : "NORP";
  const rare = hit.lists & (bitOf("events") | bitOf("laws"));
  if (rare === 0) return commonType(tokens, hit);
  if (rare !== hit.lists || isDictionaryWord(tokens, hit)) return undefined;
  return isIn(hit, "events") ? "EVENT" : "LAW";
}

/** Lists of ordinary names are trusted when no other class claims the name and no dictionary the word; people never. */
function commonType(tokens: readonly Token[], hit: GazetteerHit): EntityType | undefined {
  const named = hit.first < hit.last || tokens[hit.first]?.known === false;
  const only = classesOf(hit.lists);
  if (!named || isIn(hit, "titles") || only.length !== 1 || only[0] === "PERSON") return undefined;
  return only[0] === "PLACE" ? placeType(tokens, hit.last, hit.lists) : only[0];
}

/** `Jordan`, `Paris`, `Georgian`: an entry that is also a name needs the tagger's opinion. */
function isShared(hit: GazetteerHit): boolean {
  return (hit.lists & (bitOf("first-names") | bitOf("last-names") | bitOf("cities") | bitOf("regions"))) !== 0;
}

/** A single common word, capitalised only because a sentence starts with it. */
function isDictionaryWord(tokens: readonly Token[], hit: GazetteerHit): boolean {
  const token = tokens[hit.first];
  return (
    hit.first === hit.last && token !== undefined && token.known && token.initial && !/^\p{Lu}+$/u.test(token.text)
  );
}

function isLanguageHere(tokens: readonly Token[], { first, last, lists }: GazetteerHit): boolean {
  const before = tokens[first - 1]?.lower ?? "";
  const after = tokens[last + 1];
  if (AFTER_LANGUAGE.has(after?.lower ?? "")) return true;
  const alone = after?.pos !== "NOUN" && after?.pos !== "PROPN" && after?.pos !== "ADJ";
  if (BEFORE_LANGUAGE.has(before)) return alone;
  return lists === bitOf("languages") && alone;
}

/** Tells apart what the training data does not: GPE, LOC and FAC, and ORG and NORP. */
function refine(tokens: readonly Token[], span: EntitySpan): Entity {
  const { first, last } = trim(tokens, span);
  const lists = listsOf(phraseOf(tokens, first, last));
  const entityClass = listedClass(lists) ?? span.entityClass;
  if (entityClass === "PLACE") return { first, last, type: placeType(tokens, last, lists) };
  if (entityClass === "ORG" && has(lists, "nationalities") && !has(lists, "organizations"))
    return { first, last, type: "NORP" };
  return { first, last, type: entityClass };
}

/** Full stops and quotes at the ends of a span belong to the sentence. */
function trim(tokens: readonly Token[], span: EntitySpan): { first: number; last: number } {
  let { first, last } = span;
  while (first < last && /^[."“”,:;]+$/.test(tokens[last]?.text ?? "")) last--;
  while (first < last && /^[."“”,:;]+$/.test(tokens[first]?.text ?? "")) first++;
  return { first, last };
}

const CLASS_LISTS: readonly (readonly [EntityClass, readonly Gazetteer[]])[] = [
  ["PERSON", ["first-names", "last-names", "persons"]],
  ["PLACE", ["countries", "regions", "cities", "locations", "facilities"]],
  ["ORG", ["organizations"]],
  ["PRODUCT", ["products"]],
  ["WORK_OF_ART", ["works"]],
];

/** The classes of the lists that hold a name. */
function classesOf(lists: number): EntityClass[] {
  return CLASS_LISTS.filter(([, members]) => members.some((list) => has(lists, list))).map(([name]) => name);
}

/** The tagger saw few products and works, so a list that alone holds the name knows better. */
function listedClass(lists: number): EntityClass | undefined {
  const [only, ...others] = classesOf(lists);
  return others.length === 0 && (only === "PRODUCT" || only === "WORK_OF_ART") ? only : undefined;
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

function placeType(tokens: readonly Token[], last: number, lists: number): EntityType {
  if (has(lists, "countries") || has(lists, "regions") || has(lists, "cities")) return "GPE";
  if (has(lists, "locations")) return "LOC";
  if (has(lists, "facilities")) return "FAC";
  const head = tokens[last]?.lower ?? "";
  if (FACILITY_HEADS.has(head)) return "FAC";
  if (LOCATION_HEADS.has(head) || LOCATION_OPENERS.has(tokens[last - 1]?.lower ?? "")) return "LOC";
  return "GPE";
}

function has(lists: number, list: Gazetteer): boolean {
  return (lists & bitOf(list)) !== 0;
}
