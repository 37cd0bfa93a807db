import type { Topic } from "@hourglass/analysis";

const TOPICS_MAX = 8;
/** URLs, tags and mentions: topics that occur nowhere else are none. */
const NO_TOPIC = /\b(?:https?:\/\/|www\.)\S+|(?<![\p{L}\p{N}])[#＃@＠][\p{L}\p{M}\p{N}_.-]+/giu;
const LETTER = /[\p{L}\p{M}\p{N}]/u;

/**
 * The topics of a posting: entities before noun chunks, then those mentioned more often, then earlier ones; each once
 * whatever its case, at most eight.
 */
export function topicsOfPosting(topics: readonly Topic[], text: string): string[] {
  const [all, prose] = [text, text.replace(NO_TOPIC, " ")].map(normal);
  const found = new Map<string, RatedTopic>();
  for (const { value, topic_type: type } of topics) {
    const key = normal(value);
    const places = placesOf(key, prose ?? "");
    const isNoProse = places.count === 0 && (all ?? "").includes(key);
    if (key === "" || isNoProse || NO_TOPIC_ALONE.test(value)) continue;
    const rank = type === "entity" ? 0 : 1;
    const earlier = found.get(key);
    if (earlier === undefined || rank < earlier.rank) found.set(key, { value, rank, ...places });
  }
  return [...found.values()]
    .sort(byRelevance)
    .slice(0, TOPICS_MAX)
    .map(({ value }) => value);
}

const NO_TOPIC_ALONE = /^(?:[#＃@＠]|https?:\/\/|www\.)/iu;

interface RatedTopic {
  value: string;
  rank: number;
  /** Mentions in the text, and the place of the first one. */
  count: number;
  first: number;
}

function byRelevance(one: RatedTopic, other: RatedTopic): number {
  return one.rank - other.rank || other.count - one.count || one.first - other.first;
}

function normal(text: string): string {
  return text.toLowerCase().replace(/\s+/gu, " ").trim();
}

/** Mentions as whole words. */
function placesOf(word: string, text: string): { count: number; first: number } {
  let count = 0;
  let first = Infinity;
  if (word === "") return { count, first };
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    if (LETTER.test(text.charAt(at - 1)) || LETTER.test(text.charAt(at + word.length))) continue;
    count += 1;
    first = Math.min(first, at);
  }
  return { count, first };
}
