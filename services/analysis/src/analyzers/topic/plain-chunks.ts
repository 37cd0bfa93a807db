import type { Token } from "../../text/tokens.js";
import { type Annotation, type Occurrence, spelling } from "./annotation.js";
import { cutsEntity, entityAt, outermost } from "./chunk-topics.js";
import type { NounChunk } from "./noun-chunks.js";

/**
 * The noun chunks of a text in another language than English as topics. Without word lists of the language, they stay
 * as the encoder found them, which leaves out articles and particles; those without a word that says something and
 * those that are names already are no topics.
 */
export function plainChunkOccurrences({ text, tokens, entities, chunks }: Annotation): Occurrence[] {
  const named = entityAt(tokens.length, entities);
  const within = chunks.flatMap((chunk) => withinMarks(tokens, chunk));
  return outermost(within.filter((chunk) => !cutsEntity(chunk, named))).flatMap(
    ({ first, last, head }): Occurrence[] => {
      const value = spelling(text, tokens, first, last);
      if (!isTopic(tokens.slice(first, last + 1), value)) return [];
      return [{ value, type: "noun-chunk", tag: head, first, last, hashtag: false }];
    },
  );
}

type Bounds = NounChunk & { readonly at: number };

/** The chunk without marks at its ends, and without what stands on the other side of an address, a handle or an emoji. */
function withinMarks(tokens: readonly Token[], { first, last, head, at = last }: NounChunk): Bounds[] {
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
  return tokens[at] !== undefined && isPart(tokens[at]) ? [{ first: from, last: to, head, at }] : [];
}

const WORDS_MAX = 8;
const LENGTH_MAX = 80;

/** No single letters, numbers, or sentences that were taken for one chunk. */
function isTopic(tokens: readonly Token[], value: string): boolean {
  if (tokens.length > WORDS_MAX || value.length > LENGTH_MAX || !/\p{L}/u.test(value)) return false;
  return value.length > 1 || /\p{Script=Han}/u.test(value);
}
