import { type Entity, listsOf, phraseOf } from "../../text/gazetteers.js";
import type { Token } from "../../text/tokens.js";
import type { Annotation } from "./annotation.js";
import { entityAt } from "./chunk-topics.js";
import { isCapital, isCapitalized } from "./word-shapes.js";

/**
 * An annotation without names that are only a part of a longer noun chunk: `Climate` of `Climate museum` is an ordinary
 * word, and the chunk is the topic. Names that a list knows, or that no dictionary has, are topics beside the chunk.
 */
export function withoutCovered(annotation: Annotation): Annotation {
  const { tokens, entities, chunks } = annotation;
  const suspects = entities.filter((entity) => isOrdinary(tokens, entity) || isGiver(tokens, entity));
  if (suspects.length === 0) return annotation;
  const inside = entityAt(tokens.length, suspects);
  const covered = new Set<Entity>();
  for (const { first, last, at = last } of chunks) {
    const suspect = inside[at] === undefined ? inside[at - 1] : undefined;
    if (suspect === undefined || suspect.first < first || !isJoined(tokens, suspect.last + 1, at)) continue;
    if (isCapitalized(tokens[suspect.first]) && (isCapitalized(tokens[at]) || isHouse(suspect))) covered.add(suspect);
  }
  for (const suspect of suspects) if (isCut(tokens, suspect) || isLoud(tokens, suspect)) covered.add(suspect);
  return { ...annotation, entities: entities.filter((entity) => !covered.has(entity)) };
}

/** Names of houses end with what they are in small letters, too: `Climate museum`; others are apart: `Winger fans`. */
function isHouse({ first, last, type }: Entity): boolean {
  return first === last && (type === "FAC" || type === "LOC");
}

/** Words of the dictionary, on no list of names. */
function isOrdinary(tokens: readonly Token[], { first, last, type }: Entity): boolean {
  if (
    (type === "PERSON" && isCapitalized(tokens[first])) ||
    !isCapital(tokens[first]) ||
    listsOf(phraseOf(tokens, first, last)) !== 0
  )
    return false;
  return tokens
    .slice(first, last + 1)
    .every(({ known, kind, lower }) => kind === "word" && known && listsOf(lower) === 0);
}

/** `Great` of `Great Yorkshire Show`: one ordinary word right before another one with a capital. */
function isCut(tokens: readonly Token[], { first, last }: Entity): boolean {
  const next = tokens[last + 1];
  return first === last && isCapitalized(next) && next?.newLine === false && next.spaced;
}

/** Whether the whole line is in capitals, which say nothing about names then. */
function isLoud(tokens: readonly Token[], { first }: Entity): boolean {
  let from = first;
  while (from > 0 && tokens[from]?.newLine === false) from--;
  for (let at = from; at === from || tokens[at]?.newLine === false; at++)
    if (/\p{Ll}/u.test(tokens[at]?.text ?? "")) return false;
  return true;
}

const PRIZES: ReadonlySet<string> = new Set("award prize medal trophy".split(" "));

/** `Primetime Emmy Award`: the name of a prize, and of none who gives it. */
function isGiver(tokens: readonly Token[], { last, type }: Entity): boolean {
  const next = tokens[last + 1];
  return type === "ORG" && PRIZES.has(next?.lower ?? "") && isCapitalized(next);
}

/** Whether nothing but words of one name or compound lies between: no possessive, hyphen or mark. */
function isJoined(tokens: readonly Token[], from: number, to: number): boolean {
  for (let at = from; at <= to; at++) {
    const token = tokens[at];
    if (token?.kind !== "word" || token.newLine || token.pos === "PART") return false;
  }
  return from <= to;
}
