import type { TextRange, Topic } from "../../../types.js";
import { codePointOffsets } from "../../../text/code-points.js";
import type { Token } from "../../../text/tokens.js";
import type { Annotation } from "../annotation.js";
import { chunkOccurrences } from "./chunk-occurrences.js";
import { entityOccurrences } from "./entity-occurrences.js";
import { bestSpelling, bestTag, groupTopics, type TopicGroup } from "./grouping.js";
import { handleOccurrences } from "./handle-occurrences.js";
import { hashtagOccurrences } from "./hashtag-occurrences.js";
import type { Occurrence } from "./occurrence.js";
import { createSalience } from "./salience.js";

/** Maximum number of topics per text. */
export const TOPICS_MAX = 50;

/** Options for the topics of a text. */
export interface TopicOptions {
  /** Includes the offsets of each topic. */
  readonly explain: boolean;
  /** Whether noun chunks can be trusted: in other languages, English taggers take any word for a noun. */
  readonly chunks: boolean;
}

/** The topics of a text, the most salient first, each once. Linear in the text. */
export function topicsOf(annotation: Annotation, { explain, chunks }: TopicOptions): Topic[] {
  const { text, tokens } = annotation;
  const { named, tags } = namesAndHashtags(annotation);
  const entities = [...named, ...handleOccurrences(tokens), ...tags.filter(({ type }) => type === "entity")];
  const others = chunks ? [...chunkOccurrences(annotation), ...tags.filter(({ type }) => type !== "entity")] : [];
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

/** The engine's names and the hashtags: it judges whole hashtags better, but takes all their words for a name. */
function namesAndHashtags(annotation: Annotation): { named: Occurrence[]; tags: Occurrence[] } {
  const all = hashtagOccurrences(annotation.tokens);
  const parts = new Map(all.flatMap(({ type, first, value }) => (type === "entity" ? [[first, value] as const] : [])));
  const named = entityOccurrences(annotation).filter(({ first, value, hashtag }) => {
    const part = hashtag ? parts.get(first) : undefined;
    return part === undefined || part.length === value.length;
  });
  const covered = new Set(named.map(({ first }) => first));
  return { named, tags: all.filter(({ first }) => !covered.has(first)) };
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
