import type { TextRange, Topic } from "../../../analyzer.js";
import { codePointOffsets } from "../../../text/code-points.js";
import type { Token } from "../../../text/tokens.js";
import type { Annotation } from "../annotation.js";
import { chunkOccurrences } from "./chunk-occurrences.js";
import { entityOccurrences } from "./entity-occurrences.js";
import { bestSpelling, bestTag, groupTopics, type TopicGroup } from "./grouping.js";
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
  const named = entityOccurrences(annotation);
  const covered = new Set(named.map(({ first }) => first));
  const tags = hashtagOccurrences(tokens).filter(({ first }) => !covered.has(first));
  const entities = [...named, ...tags.filter(({ type }) => type === "entity")];
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
