import type { WordEvidence } from "../../explained-spans.js";
import { align } from "./aligned.js";
import { chunks } from "./chunks.js";
import { coveringBlocks, type CoveringBlock, DENSE_FEATURES, fillDense } from "./features.js";
import { BUCKETS } from "./hash.js";
import { type Word, wordsOf } from "./words.js";

/** What a feature of value 1 says; features are numbered as by `featurize`. */
export type Weigh = (bucket: number) => number;

/**
 * What each word of a text adds to a linear score. An n-gram is shared among the words it covers, so that these shares sum
 * up to the score of all n-grams; of the dense features a word gets what they would lose without it.
 */
export const attribute = (text: string, weigh: Weigh): WordEvidence[] => {
  const pieces = chunks(text);
  return pieces.flatMap((piece) => {
    const { plain, rangeOf } = align(piece.text);
    const found = wordsOf(plain);
    const evidence = new Float64Array(found.length);
    for (const block of coveringBlocks(found)) shareBlock(block, weigh, evidence);
    shareDense(found, weigh, evidence);
    return found.map((word, i) => {
      const { start, end } = rangeOf(word.start, word.end);
      return { start: piece.start + start, end: piece.start + end, evidence: (evidence[i] ?? 0) / pieces.length };
    });
  });
};

const shareBlock = ({ buckets, covers, length }: CoveringBlock, weigh: Weigh, evidence: Float64Array): void => {
  const counts = new Map<number, number>();
  for (const bucket of buckets) counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  let squares = 0;
  for (const count of counts.values()) squares += valueOf(count) ** 2;
  const scale = length / Math.sqrt(squares || 1);
  buckets.forEach((bucket, i) => {
    const [first, end] = covers[i] ?? [0, 0];
    const count = counts.get(bucket) ?? 1;
    const share = (weigh(bucket) * valueOf(count) * scale) / count / (end - first);
    for (let word = first; word < end; word++) evidence[word] = (evidence[word] ?? 0) + share;
  });
};

/** What an n-gram that occurs so often is worth; see `featurize`. */
const valueOf = (count: number): number => 1 + Math.log(count);

const shareDense = (found: readonly Word[], weigh: Weigh, evidence: Float64Array): void => {
  const weights = DENSE_FEATURES.map((_, i) => weigh(BUCKETS + i));
  const dense = new Float32Array(DENSE_FEATURES.length);
  const scoreOf = (some: readonly Word[]): number => {
    fillDense(some, dense);
    return dense.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0);
  };
  const whole = scoreOf(found);
  found.forEach((_, i) => {
    evidence[i] = (evidence[i] ?? 0) + whole - scoreOf(found.filter((_, other) => other !== i));
  });
};
