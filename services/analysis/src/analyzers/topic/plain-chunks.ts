import type { Entity } from "../../text/gazetteers.js";
import type { Token } from "../../text/tokens.js";
import { type Annotation, type Occurrence, spelling } from "./annotation.js";
import type { NounChunk } from "./noun-chunks.js";

/**
 * The noun chunks of a text in another language than English as topics. Without word lists of the language, they stay
 * as the encoder found them, which leaves out articles and particles; those without a word that says something and
 * those that are names already are no topics.
 */
export function plainChunkOccurrences({ text, tokens, entities, chunks }: Annotation): Occurrence[] {
  const named = nameAt(tokens.length, entities);
  return chunks.flatMap((chunk): Occurrence[] => {
    const bounds = withinMarks(tokens, chunk);
    if (bounds === undefined || cutsName(bounds, named)) return [];
    const { first, last } = bounds;
    const value = spelling(text, tokens, first, last);
    if (!isTopic(tokens.slice(first, last + 1), value)) return [];
    return [{ value, type: "noun-chunk", tag: chunk.head, first, last, hashtag: false }];
  });
}

interface Bounds {
  readonly first: number;
  readonly last: number;
  readonly at: number;
}

/** The chunk without marks at its ends, and without what stands on the other side of an address, a handle or an emoji. */
function withinMarks(tokens: readonly Token[], { first, last, at = last }: NounChunk): Bounds | undefined {
  const isPart = ({ kind }: Token): boolean => kind === "word" || kind === "number";
  let [from, to] = [at, at];
  const isBridge = ({ text }: Token): boolean => /^[-–'’/&.,·・]$/u.test(text);
  for (let i = at; i >= first && tokens[i] !== undefined; i--) {
    if (isPart(tokens[i]!)) from = i;
    else if (!isBridge(tokens[i]!)) break;
  }
  for (let i = at; i <= last && tokens[i] !== undefined; i++) {
    if (isPart(tokens[i]!)) to = i;
    else if (!isBridge(tokens[i]!)) break;
  }
  return tokens[at] !== undefined && isPart(tokens[at]) ? { first: from, last: to, at } : undefined;
}

function nameAt(length: number, entities: readonly Entity[]): readonly (Entity | undefined)[] {
  const named = new Array<Entity | undefined>(length).fill(undefined);
  for (const entity of entities) for (let at = entity.first; at <= entity.last; at++) named[at] = entity;
  return named;
}

/** A chunk with the same head as a name only adds words to it, and one that cuts a name in two misleads. */
function cutsName({ first, last, at }: Bounds, named: readonly (Entity | undefined)[]): boolean {
  if (named[at] !== undefined) return true;
  return (named[first]?.first ?? first) < first || (named[last]?.last ?? last) > last;
}

const WORDS_MAX = 8;
const LENGTH_MAX = 80;

/** No single letters, numbers, or sentences that were taken for one chunk. */
function isTopic(tokens: readonly Token[], value: string): boolean {
  if (tokens.length > WORDS_MAX || value.length > LENGTH_MAX || !/\p{L}/u.test(value)) return false;
  return value.length > 1 || /\p{Script=Han}/u.test(value);
}
