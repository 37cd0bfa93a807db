import { argmax } from "../../text/argmax.js";
import type { Entity } from "../../text/gazetteers.js";
import type { Token } from "../../text/tokens.js";
import { ENCODER_ENTITIES, ENCODER_TAG_COUNT, type TokenScores } from "./encoder-tags.js";
import { addEvidence } from "./entity-evidence.js";
import type { NounChunk } from "./noun-chunks.js";
import { isNoun } from "./word-shapes.js";

/**
 * The entities by the encoder's scores and the word lists together: the best sequence of tags in which an inside tag
 * continues only its own type (Viterbi). In order, without overlap; linear in the tokens.
 */
export function decodeEntities(tokens: readonly Token[], scores: readonly Float32Array[]): Entity[] {
  if (tokens.length === 0) return [];
  const opinion = logProbabilities(tokens, scores);
  const together = opinion.slice();
  addEvidence(tokens, together);
  return spansOf(bestPath(together, tokens.length), opinion).flatMap((entity) => {
    const trimmed = trim(tokens, entity);
    return trimmed ? [trimmed] : [];
  });
}

const IMPOSSIBLE = -1e6;
const WORDLIKE: ReadonlySet<Token["kind"]> = new Set(["word", "number", "hashtag", "punctuation", "symbol"]);

/** Log-softmax of each row; handles, addresses and emoji are never entities. */
function logProbabilities(tokens: readonly Token[], scores: readonly Float32Array[]): Float64Array {
  const rows = new Float64Array(tokens.length * ENCODER_TAG_COUNT);
  tokens.forEach(({ kind }, at) => {
    const row = scores[at] ?? new Float32Array(ENCODER_TAG_COUNT);
    const own = rows.subarray(at * ENCODER_TAG_COUNT, (at + 1) * ENCODER_TAG_COUNT);
    if (!WORDLIKE.has(kind)) {
      own.fill(IMPOSSIBLE, 1);
      return;
    }
    const top = row.reduce((most, score) => Math.max(most, score), -Infinity);
    const total = top + Math.log(row.reduce((sum, score) => sum + Math.exp(score - top), 0));
    for (let tag = 0; tag < ENCODER_TAG_COUNT; tag++) own[tag] = (row[tag] ?? IMPOSSIBLE) - total;
  });
  return rows;
}

/** An inside tag follows its own begin or inside tag; every other tag may follow any. */
function bestPath(scores: Float64Array, count: number): Uint8Array {
  const back = new Uint8Array(count * ENCODER_TAG_COUNT);
  let best = new Float64Array(ENCODER_TAG_COUNT);
  let next = new Float64Array(ENCODER_TAG_COUNT);
  for (let tag = 0; tag < ENCODER_TAG_COUNT; tag++) best[tag] = isInside(tag) ? IMPOSSIBLE * 2 : (scores[tag] ?? 0);
  for (let at = 1; at < count; at++) {
    const top = indexOfMax(best);
    for (let tag = 0; tag < ENCODER_TAG_COUNT; tag++) {
      const begin = tag - 1;
      const from = isInside(tag) ? ((best[begin] ?? 0) > (best[tag] ?? 0) ? begin : tag) : top;
      next[tag] = (best[from] ?? 0) + (scores[at * ENCODER_TAG_COUNT + tag] ?? 0);
      back[at * ENCODER_TAG_COUNT + tag] = from;
    }
    [best, next] = [next, best];
  }
  const path = new Uint8Array(count);
  path[count - 1] = indexOfMax(best);
  for (let at = count - 1; at > 0; at--) path[at - 1] = back[at * ENCODER_TAG_COUNT + (path[at] ?? 0)] ?? 0;
  return path;
}

function isInside(tag: number): boolean {
  return tag > 0 && tag % 2 === 0;
}

function indexOfMax(values: Float64Array): number {
  let index = 0;
  for (let at = 1; at < values.length; at++) if ((values[at] ?? 0) > (values[index] ?? 0)) index = at;
  return index;
}

/** The spans of a path with the encoder's own geometric mean probability of their tags. */
function spansOf(path: Uint8Array, opinion: Float64Array): Entity[] {
  const spans: Entity[] = [];
  for (let at = 0; at < path.length; at++) {
    const begin = path[at] ?? 0;
    const type = ENCODER_ENTITIES[(begin - 1) / 2];
    if (type === undefined) continue;
    let last = at;
    while (path[last + 1] === begin + 1) last++;
    let sum = 0;
    for (let index = at; index <= last; index++) sum += opinion[index * ENCODER_TAG_COUNT + (path[index] ?? 0)] ?? 0;
    spans.push({ first: at, last, type, prob: Math.exp(sum / (last - at + 1)) });
    at = last;
  }
  return spans;
}

/** Full stops, quotes and possessive endings at the ends of a span belong to the sentence. */
function trim(tokens: readonly Token[], entity: Entity): Entity | undefined {
  let { first, last } = entity;
  while (first <= last && isEdge(tokens[last])) last--;
  while (first <= last && isEdge(tokens[first])) first++;
  return first <= last ? { ...entity, first, last } : undefined;
}

function isEdge(token: Token | undefined): boolean {
  return /^(?:[."“”,:;()]+|['’]s?)$/.test(token?.lower ?? "");
}

/**
 * The noun chunks that the encoder predicts. Every noun has the reach of the smallest chunk around it; a noun with
 * another noun to its right in that chunk predicts the other noun's chunk, so only the last noun of each reach makes a
 * chunk.
 */
export function decodeChunks(tokens: readonly Token[], { left, right }: TokenScores): NounChunk[] {
  const found = new Set<number>();
  return tokens.flatMap((token, at): NounChunk[] => {
    if (!isNoun(token)) return [];
    const after = reach(tokens, at, argmax(right[at] ?? []));
    for (let next = at + 1; next <= at + after; next++) if (isNoun(tokens[next])) return [];
    const first = at - reach(tokens, at, -argmax(left[at] ?? []));
    const key = first * (tokens.length + 1) + at + after;
    if (found.has(key)) return [];
    found.add(key);
    return [{ first, last: at + after, head: token.pos, at }];
  });
}

/** Limits `steps` (negative to the left) to the text and the line. */
function reach(tokens: readonly Token[], at: number, steps: number): number {
  const direction = Math.sign(steps);
  let taken = 0;
  while (taken < Math.abs(steps)) {
    const next = at + direction * (taken + 1);
    const crossed = tokens[direction < 0 ? next + 1 : next];
    if (tokens[next] === undefined || crossed?.newLine === true) break;
    taken++;
  }
  return taken;
}
