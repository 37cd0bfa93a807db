/** A network's output for an utterance, token by token. */
export interface Hypothesis {
  tokens: number[];
  /** Natural logarithm of the probability of each token. */
  logProbs: number[];
}

/** Maximum length of repeated token groups, and the number of consecutive repetitions that make a loop. */
const LOOP_TOKENS_MAX = 12;
const LOOP_TIMES = 4;

/** Cuts off a loop at the end of a hypothesis. */
export function dropLoop({ tokens, logProbs }: Hypothesis): boolean {
  const length = loopStart(tokens);
  if (length === undefined) return false;
  tokens.length = length;
  logProbs.length = length;
  return true;
}

/**
 * The number of tokens to keep if a hypothesis ends in a loop: one repetition is kept, because it may have been said.
 * Undefined if there is no loop.
 */
export function loopStart(tokens: readonly number[]): number | undefined {
  for (let length = 1; length <= LOOP_TOKENS_MAX; length++) {
    const from = tokens.length - length * LOOP_TIMES;
    if (from < 0) return undefined;
    const repeats = tokens.slice(from + length).every((token, i) => token === tokens[from + i]);
    if (repeats) return from + length;
  }
  return undefined;
}

/** In texts of this many tokens and more, this share of different pairs of tokens is expected: less is a refrain. */
const REPETITIVE_FROM = 16;
const DIFFERENT_MIN = 0.5;

/** Whether the same is said again and again, as of a melody. */
export function isRepetitive(tokens: readonly number[]): boolean {
  if (tokens.length < REPETITIVE_FROM) return false;
  const pairs = tokens.slice(1).map((token, i) => `${tokens[i]} ${token}`);
  return new Set(pairs).size < DIFFERENT_MIN * pairs.length;
}

/** The mean (geometric) probability of a token; 0 if there are none. */
export function certaintyOf({ logProbs }: Hypothesis): number {
  if (logProbs.length === 0) return 0;
  return Math.exp(logProbs.reduce((sum, value) => sum + value, 0) / logProbs.length);
}

/** The likeliest token that is not forbidden, and the logarithm of its probability among all. */
export function likeliest(
  logits: Float32Array,
  forbidden?: (token: number) => boolean,
): { token: number; logProb: number } {
  let token = -1;
  let top = -Infinity;
  for (let i = 0; i < logits.length; i++) {
    if (logits[i]! <= top || forbidden?.(i) === true) continue;
    token = i;
    top = logits[i]!;
  }
  let sum = 0;
  for (const value of logits) sum += Math.exp(value - top);
  return { token, logProb: -Math.log(sum) };
}
