import { codePointOffsets } from "../../text/code-points.js";
import { bitOf, type Entity, listsOf } from "../../text/gazetteers.js";
import type { Token } from "../../text/tokens.js";
import type { TextRange, Topic } from "../../types.js";
import { type Annotation, type Occurrence, spelling } from "./annotation.js";
import { chunkOccurrences } from "./chunk-topics.js";
import { withoutCovered } from "./covered-names.js";
import { isEventHead } from "./entity-rules.js";
import { plainChunkOccurrences } from "./plain-chunks.js";
import { bestSpelling, bestTag, groupTopics, type TopicGroup } from "./grouping.js";
import { handleOccurrences } from "./handles.js";
import { namedHashtag } from "./hashtag-words.js";
import { hashtagOccurrences } from "./hashtags.js";
import { createSalience } from "./salience.js";
import type { ChunkReading } from "./topic-languages.js";
import { FILLERS, NO_NAMES, SLANG } from "./stop-words.js";

/** Maximum number of topics per text. */
const TOPICS_MAX = 50;

/** Options for the topics of a text. */
interface TopicOptions {
  /** Includes the offsets of each topic. */
  readonly explain: boolean;
  /** How noun chunks are read: in other languages, English taggers take any word for a noun. */
  readonly chunks: ChunkReading;
}

/** The topics of a text, the most salient first, each once. Linear in the text. */
export function topicsOf(found: Annotation, { explain, chunks }: TopicOptions): Topic[] {
  const annotation = chunks === "english" ? withoutCovered(found) : found;
  const { text, tokens } = annotation;
  const { named, tags } = namesAndHashtags(annotation);
  const entities = [...named, ...handleOccurrences(tokens), ...tags.filter(({ type }) => type === "entity")];
  const others = otherOccurrences(annotation, tags, chunks);
  const salience = createSalience(tokens);
  const rated = groupTopics(entities, others).map((group) => ({
    group,
    salience: salience(group),
    at: startOf(group),
  }));
  rated.sort((a, b) => b.salience - a.salience || a.at - b.at);
  const codePoints = explain ? codePointOffsets(text) : undefined;
  return rated.slice(0, TOPICS_MAX).map(({ group }) => ({
    value: bestSpelling(group),
    topic_type: group.type,
    sub_type: bestTag(group),
    ...(codePoints && { offsets: placesOf(tokens, group.occurrences, codePoints) }),
  }));
}

/** The topics of a text that are no names. */
function otherOccurrences(annotation: Annotation, tags: readonly Occurrence[], chunks: ChunkReading): Occurrence[] {
  if (chunks === "none") return [];
  const found = chunks === "english" ? chunkOccurrences(annotation) : plainChunkOccurrences(annotation);
  return [...found, ...tags.filter(({ type }) => type !== "entity")];
}

/** The engine's names and the hashtags: it types whole hashtags better, but takes all their words for a name. */
function namesAndHashtags(annotation: Annotation): { named: Occurrence[]; tags: Occurrence[] } {
  const all = hashtagOccurrences(annotation.tokens);
  const parts = new Map(all.flatMap(({ type, first, value }) => (type === "entity" ? [[first, value] as const] : [])));
  const named = entityOccurrences(annotation).filter(({ first, value, hashtag, tag }) => {
    // The encoder takes most hashtags of one word for events.
    if (hashtag && tag === "EVENT") return isListedEvent(value);
    const part = hashtag ? parts.get(first) : undefined;
    return part === undefined || part.length === value.length;
  });
  const covered = new Set(named.map(({ first }) => first));
  return { named, tags: all.filter(({ first }) => !covered.has(first)) };
}

/** `#WorldCup2014`, `#JazzFestival`: on the list of events, or ending like the name of one. */
function isListedEvent(value: string): boolean {
  const name = value.toLowerCase().replace(/ ?(?:19|20)\d\d$/, "");
  return (listsOf(name) & bitOf("events")) !== 0 || isEventHead(name.split(" ").at(-1) ?? "");
}

function startOf({ occurrences }: TopicGroup): number {
  return occurrences.reduce((least, { first }) => Math.min(least, first), Infinity);
}

function placesOf(
  tokens: readonly Token[],
  occurrences: readonly Occurrence[],
  codePoints: (offset: number) => number,
): TextRange[] {
  return [...occurrences]
    .sort((a, b) => a.first - b.first)
    .map(({ first, last }) => ({
      start: codePoints(tokens[first]?.start ?? 0),
      end: codePoints(tokens[last]?.end ?? 0),
    }));
}

/**
 * The entities of a text as topics, at every place with the same spelling, without spans that no reader would call a
 * name.
 */
function entityOccurrences(annotation: Annotation): Occurrence[] {
  const found = foundOccurrences(annotation);
  return [...found, ...missedOccurrences(annotation.tokens, found)].sort((a, b) => a.first - b.first);
}

function foundOccurrences({ text, tokens, entities }: Annotation): Occurrence[] {
  return entities.flatMap((entity): Occurrence[] => {
    const bounds = trim(tokens, entity);
    if (!bounds) return [];
    const { first, last } = bounds;
    const hashtag = first === last && tokens[first]?.kind === "hashtag";
    const value = hashtag ? namedHashtag(tokens[first]?.text ?? "") : spelling(text, tokens, first, last);
    return isName(value) ? [{ value, type: "entity", tag: entity.type, first, last, hashtag }] : [];
  });
}

/**
 * Maximum number of names with the same first word that are searched for; texts with more are lists, in which none is
 * missed.
 */
const SEARCHED_MAX = 8;

/** Occurrences that the tagger missed: spelled like a name that it found elsewhere, and no common word. */
function missedOccurrences(tokens: readonly Token[], found: readonly Occurrence[]): Occurrence[] {
  const covered = new Set<number>();
  const searched = new Map<string, Occurrence[]>();
  const seen = new Set<string>();
  for (const occurrence of found) {
    for (let at = occurrence.first; at <= occurrence.last; at++) covered.add(at);
    const start = tokens[occurrence.first];
    const common = occurrence.first === occurrence.last && start?.known === true;
    if (!start || common || !/^\p{Lu}/u.test(start.text) || seen.has(occurrence.value)) continue;
    seen.add(occurrence.value);
    const sameStart = searched.get(start.text) ?? [];
    if (sameStart.length < SEARCHED_MAX) searched.set(start.text, [...sameStart, occurrence]);
  }
  return tokens.flatMap((token, at) => {
    if (covered.has(at)) return [];
    const model = searched.get(token.text)?.find((name) => isSpelledAt(tokens, name, at));
    return model ? [{ ...model, first: at, last: at + model.last - model.first }] : [];
  });
}

function isSpelledAt(tokens: readonly Token[], { first, last }: Occurrence, at: number): boolean {
  for (let step = 0; step <= last - first; step++) {
    if (tokens[at + step]?.text !== tokens[first + step]?.text) return false;
  }
  return true;
}

const LENGTH_MAX = 80;

/**
 * Punctuation, possessive endings, a lower-case `the` and post-specific tokens at the ends of a span belong to the
 * sentence.
 */
function trim(tokens: readonly Token[], entity: Entity): { first: number; last: number } | undefined {
  let { first, last } = entity;
  while (first <= last && isEdge(tokens[last])) last--;
  while (first <= last && (isEdge(tokens[first]) || tokens[first]?.text === "the")) first++;
  return first <= last ? { first, last } : undefined;
}

function isEdge(token: Token | undefined): boolean {
  if (!token || token.lower === "'s" || token.lower === "'") return true;
  return token.kind !== "word" && token.kind !== "number" && token.kind !== "hashtag" && !/^[!?+]$/.test(token.text);
}

/** Names contain letters, are longer than one character, and are no pronoun or abbreviation. */
function isName(value: string): boolean {
  if (value.length < 2 || value.length > LENGTH_MAX || !/\p{L}/u.test(value)) return false;
  if (/^\d+ ?(?:[kmgt]b|[kmg]?hz|mph|km|kg|lbs?|mm|cm|mp|hrs?|mins?)$/i.test(value)) return false;
  if (/https?:\/\/|^@/i.test(value) || NO_NAMES.has(value.toLowerCase())) return false;
  return !SLANG.has(value) && !FILLERS.has(value);
}
