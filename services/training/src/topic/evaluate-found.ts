import { type Annotation, topicsOf } from "@hourglass/analysis/topic";
import { createTally, type Tally } from "./judge.js";
import type { ChunkRow } from "./rows.js";

/** Words before a chunk that only point, measure or intensify: results leave them out. */
const LEADING =
  /^(?:the|an?|th(?:is|at|ese|ose)|my|your|his|her|its|our|their|whose|what|which|such|some|any|no|every|each|either|neither|both|all|enough|many|much|more|most|few|several|another|other|own|same|certain|various|very|really|so|too|quite|pretty|just|only|even|yet|as|up|to|than|over|about|around|at|least|nearly|almost)\s+/i;
const POSSESSOR = /^.*['’]s\s+/;

/**
 * What must be equal for a chunk to be found: the whole span, but for articles and the like, and possessors; or only its
 * end, by which `Putin` finds `President Putin`.
 */
export type Match = "span" | "end";

/**
 * Evaluates how many annotated noun chunks are topics, as chunk or as entity: a tally for each text. An entity inside an
 * annotated chunk (`Iraqi` of `Iraqi society`) counts as wrong, although it is a topic.
 */
export function judgeFound(rows: readonly ChunkRow[], annotations: readonly Annotation[], match: Match): Tally[] {
  const keyOf = (end: number, words: string): string =>
    match === "end" ? `${end}` : `${end - coreOf(words).length}:${end}`;
  return rows.map(({ text, mentions }, at) => {
    const annotation = annotations[at];
    if (!annotation) return createTally();
    const characters = [...text];
    const topics = topicsOf(annotation, { explain: true, chunks: true });
    const places = topics.flatMap(({ offsets = [] }) =>
      // Results use code points, mentions UTF-16 units.
      offsets.map((place) => ({
        end: characters.slice(0, place.end).join("").length,
        words: characters.slice(place.start, place.end).join(""),
      })),
    );
    const found = new Set(places.map(({ words, end }) => keyOf(end, words)));
    const wanted = new Set(mentions.map(({ start, end }) => keyOf(end, text.slice(start, end).replace(POSSESSOR, ""))));
    const right = [...found].filter((span) => wanted.has(span)).length;
    return { right, found: found.size, wanted: wanted.size };
  });
}

function coreOf(words: string): string {
  const rest = words.replace(LEADING, "");
  return rest === words ? words : coreOf(rest);
}
