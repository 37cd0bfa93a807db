import type { TextDocument } from "../../types.js";
import type { WordEvidence } from "../explained-spans.js";
import { align } from "./normalize.js";
import { type AddressFact, addressFacts } from "../addresses/addresses.js";
import { addressValue, chunks, type CoveringBlock, coveringBlocks, DENSE_FEATURES, fillDense } from "./features.js";
import { addressBucketOf, BUCKETS } from "./buckets.js";
import { type Word, wordsOf } from "./words.js";

/** The score of a feature of value 1; features are numbered as by `featurize`. */
export type Weigh = (bucket: number) => number;

const PARTS = Symbol("parts of n-gram features");

/**
 * The contribution of each word of a text to a linear score. An n-gram is shared among the words that it covers, so
 * that these shares sum to the score of all n-grams; for the dense features a word gets what they would lose without
 * it.
 */
export const attribute = (document: TextDocument, weigh: Weigh): WordEvidence[] => {
  const parts = document.once(PARTS, partsOf);
  const dense = DENSE_FEATURES.map((_, i) => weigh(BUCKETS + i));
  return parts.flatMap(({ words, blocks, losses, facts }) => {
    const evidence = losses.map((loss) => loss.reduce((sum, value, i) => sum + value * (dense[i] ?? 0), 0));
    for (const block of blocks) shareBlock(block, weigh, evidence);
    for (const fact of facts) shareFact(fact, words, weigh, evidence);
    return words.map(({ start, end }, i) => ({ start, end, evidence: (evidence[i] ?? 0) / parts.length }));
  });
};

/** A piece of a text with its words and features. */
interface Part {
  /** Ranges of its words in the text. */
  readonly words: readonly { start: number; end: number }[];
  readonly blocks: readonly CoveringBlock[];
  /** For each word, the loss of every dense feature without it. */
  readonly losses: readonly Float32Array[];
  /** What its addresses show; ranges in the text. */
  readonly facts: readonly AddressFact[];
}

const partsOf = (text: string): Part[] =>
  chunks(text).map((chunk) => {
    const { plain, rangeOf } = align(chunk.text);
    const found = wordsOf(plain);
    const words = found.map((word) => {
      const { start, end } = rangeOf(word.start, word.end);
      return { start: chunk.start + start, end: chunk.start + end };
    });
    const facts = addressFacts(chunk.text).map(({ name, start, end }) => ({
      name,
      start: chunk.start + start,
      end: chunk.start + end,
    }));
    return { words, blocks: coveringBlocks(found), losses: lossesOf(found), facts };
  });

const lossesOf = (found: readonly Word[]): Float32Array[] => {
  const denseOf = (some: readonly Word[]): Float32Array => {
    const dense = new Float32Array(DENSE_FEATURES.length);
    fillDense(some, dense);
    return dense;
  };
  const whole = denseOf(found);
  return found.map((_, i) => {
    const rest = denseOf(found.toSpliced(i, 1));
    return whole.map((value, feature) => value - (rest[feature] ?? 0));
  });
};

const shareBlock = ({ buckets, covers, length }: CoveringBlock, weigh: Weigh, evidence: number[]): void => {
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

/** What an address shows is shared among its words. */
const shareFact = (fact: AddressFact, words: Part["words"], weigh: Weigh, evidence: number[]): void => {
  const covered = words.flatMap(({ start, end }, i) => (start < fact.end && end > fact.start ? [i] : []));
  const share = (weigh(addressBucketOf(fact.name)) * addressValue(fact)) / covered.length;
  for (const word of covered) evidence[word] = (evidence[word] ?? 0) + share;
};

/** The value of an n-gram that occurs this often; see `featurize`. */
const valueOf = (count: number): number => 1 + Math.log(count);
