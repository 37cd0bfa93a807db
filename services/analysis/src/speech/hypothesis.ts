/** The network's output for an utterance, token by token. */
export interface Hypothesis {
  tokens: number[];
  /** Natural logarithm for each token. */
  logProbs: number[];
}

/**
 * Fluent speech has about four words a second; tokens beyond this rate are invented. The number is from Moonshine's
 * authors.
 */
export const TOKENS_PER_SECOND = 6.5;

/** Maximum length of repeated token groups, and the number of consecutive repetitions that make a loop. */
const LOOP_TOKENS_MAX = 12;
const LOOP_TIMES = 4;

/**
 * Below this mean, a probability of one half per token, the network is guessing: of sentences spoken by espeak-ng in 14
 * other languages all but one lie below, of English ones none, with and without noise. It would invent English
 * sentences.
 */
const MEAN_LOG_PROB_MIN = Math.log(0.5);

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

/** Whether the network's confidence in its tokens suffices to report them. */
export function isCredible({ tokens, logProbs }: Hypothesis): boolean {
  if (tokens.length === 0) return false;
  return logProbs.reduce((sum, value) => sum + value, 0) / logProbs.length >= MEAN_LOG_PROB_MIN;
}
