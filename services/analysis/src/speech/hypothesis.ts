/** What the network takes an utterance for, token by token. */
export interface Hypothesis {
  tokens: number[];
  /** Of each token, natural logarithm. */
  logProbs: number[];
}

/** People speak up to some four words a second; tokens beyond this are invented. Moonshine's authors give the number. */
export const TOKENS_PER_SECOND = 6.5;

/** Lengths of repeated groups of tokens that are looked for, and how often in a row one must come to be a loop. */
const LOOP_TOKENS_MAX = 12;
const LOOP_TIMES = 4;

/**
 * Below this mean, a probability of a half a token, the network does not know what it hears: of sentences spoken by espeak-ng in 14
 * other languages all but one lie below, of English ones none, with and without noise. It would make up English sentences.
 */
const MEAN_LOG_PROB_MIN = Math.log(0.5);

/**
 * The number of tokens that are left when the end of a hypothesis goes in circles: one round of the circle is kept, since it may have been
 * said. Undefined when it does not.
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

/** Whether the network was sure enough of its tokens for them to be shown. */
export function isCredible({ tokens, logProbs }: Hypothesis): boolean {
  if (tokens.length === 0) return false;
  return logProbs.reduce((sum, value) => sum + value, 0) / logProbs.length >= MEAN_LOG_PROB_MIN;
}
