import type { Token } from "../../text/tokens.js";
import { type Entity, findHits, type GazetteerHit, listsOf, phraseOf } from "../../text/gazetteers.js";
import { classesOf, findPatterns, has, placeType, trustedType } from "./entity-rules.js";
import { type EntityClass, type EntitySpan, tagEntities, type TaggerModel } from "./tagger.js";

/**
 * Finds the entities of a text, in order and without overlap: first the certain ones of patterns and word lists
 * (events, laws, languages, peoples, for which there is no training data), then those of the tagger elsewhere.
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

/** An entity for which a word list alone is trusted; a longer span of the tagger takes precedence. */
function fromList(tokens: readonly Token[], hit: GazetteerHit, spans: readonly EntitySpan[]): Entity[] {
  const type = trustedType(tokens, hit);
  if (!type) return [];
  return reachesFurther(spans, hit) ? [] : [{ first: hit.first, last: hit.last, type }];
}

function reachesFurther(spans: readonly EntitySpan[], hit: GazetteerHit): boolean {
  // Spans are in order: only the first that ends at or after the hit can contain its start.
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

/** Separates types that the training data merges: GPE, LOC and FAC, and ORG and NORP. */
function refine(tokens: readonly Token[], span: EntitySpan): Entity {
  const { first, last } = trim(tokens, span);
  const lists = listsOf(phraseOf(tokens, first, last));
  const entityClass = listedClass(lists) ?? span.entityClass;
  const isPeople = has(lists, "nationalities") && !PLACE_LISTS.some((list) => has(lists, list));
  if (entityClass === "PLACE" && isPeople) return { first, last, type: "NORP" };
  if (entityClass === "PLACE") return { first, last, type: placeType(tokens, last, lists) };
  if (entityClass === "ORG" && has(lists, "nationalities") && !has(lists, "organizations"))
    return { first, last, type: "NORP" };
  return { first, last, type: entityClass };
}

const PLACE_LISTS = ["countries", "regions", "cities", "locations", "facilities"] as const;

/** Full stops and quotes at the ends of a span belong to the sentence. */
function trim(tokens: readonly Token[], span: EntitySpan): { first: number; last: number } {
  let { first, last } = span;
  while (first < last && /^[."“”,:;]+$/.test(tokens[last]?.text ?? "")) last--;
  while (first < last && /^[."“”,:;]+$/.test(tokens[first]?.text ?? "")) first++;
  return { first, last };
}

/** The tagger was trained on few products and works, so a list that is the only one with the name takes precedence. */
function listedClass(lists: number): EntityClass | undefined {
  const [only, ...others] = classesOf(lists);
  return others.length === 0 && (only === "PRODUCT" || only === "WORK_OF_ART") ? only : undefined;
}
