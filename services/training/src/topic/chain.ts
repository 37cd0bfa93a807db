import { mayFollow, TAG_COUNT } from "@hourglass/analysis/topic";

/** Marginal probabilities of one sentence under a linear-chain model. */
export interface Marginals {
  /** One row of `TAG_COUNT` per token. */
  readonly tags: Float64Array;
  /** Expected number of times each pair of neighbouring tags occurs. */
  readonly pairs: Float64Array;
}

/** The possible tags of each token, as bits; all if omitted. */
export interface Chain {
  readonly count: number;
  /** exp of the score of each tag at each token, each row scaled to a maximum of 1. */
  readonly potentials: Float64Array;
  /** exp of the transition scores, zero for forbidden transitions. */
  readonly transitions: Float64Array;
  readonly allowed?: Uint16Array;
}

/** exp of transition scores, with zeros for forbidden transitions. */
export function transitionPotentials(transitions: Float64Array): Float64Array {
  return transitions.map((score, at) => (mayFollow(Math.floor(at / TAG_COUNT), at % TAG_COUNT) ? Math.exp(score) : 0));
}

/** Forward-backward with scaling; yields zeros for a sentence without any possible sequence. */
export function marginalsOf(chain: Chain): Marginals {
  const forward = forwards(chain);
  const backward = backwards(chain);
  const { count, potentials, transitions } = chain;
  const tags = new Float64Array(count * TAG_COUNT);
  const pairs = new Float64Array(TAG_COUNT * TAG_COUNT);
  for (let at = 0; at < count; at++) {
    const row = at * TAG_COUNT;
    let sum = 0;
    for (let tag = 0; tag < TAG_COUNT; tag++)
      sum += tags[row + tag] = (forward[row + tag] ?? 0) * (backward[row + tag] ?? 0);
    if (sum > 0) for (let tag = 0; tag < TAG_COUNT; tag++) tags[row + tag] = (tags[row + tag] ?? 0) / sum;
    if (at > 0)
      addPairs({ forward, backward, potentials, transitions, row, allowed: chain.allowed?.[at] ?? ALL }, pairs);
  }
  return { tags, pairs };
}

const ALL = (1 << TAG_COUNT) - 1;

interface PairStep {
  forward: Float64Array;
  backward: Float64Array;
  potentials: Float64Array;
  transitions: Float64Array;
  row: number;
  allowed: number;
}

function addPairs({ forward, backward, potentials, transitions, row, allowed }: PairStep, pairs: Float64Array): void {
  let sum = 0;
  for (let before = 0; before < TAG_COUNT; before++) {
    const from = forward[row - TAG_COUNT + before] ?? 0;
    for (let tag = 0; tag < TAG_COUNT; tag++) {
      const value = from * (transitions[before * TAG_COUNT + tag] ?? 0) * weightOf(tag, row, potentials, allowed);
      sum += SCRATCH[before * TAG_COUNT + tag] = value * (backward[row + tag] ?? 0);
    }
  }
  if (sum > 0)
    for (let pair = 0; pair < SCRATCH.length; pair++) pairs[pair] = (pairs[pair] ?? 0) + (SCRATCH[pair] ?? 0) / sum;
}

const SCRATCH = new Float64Array(TAG_COUNT * TAG_COUNT);

function weightOf(tag: number, row: number, potentials: Float64Array, allowed: number): number {
  return (allowed & (1 << tag)) === 0 ? 0 : (potentials[row + tag] ?? 0);
}

function forwards({ count, potentials, transitions, allowed }: Chain): Float64Array {
  const forward = new Float64Array(count * TAG_COUNT);
  for (let at = 0; at < count; at++) {
    const row = at * TAG_COUNT;
    let sum = 0;
    for (let tag = 0; tag < TAG_COUNT; tag++) {
      let before = at === 0 ? Number(mayFollow(-1, tag)) : 0;
      for (let from = 0; at > 0 && from < TAG_COUNT; from++) {
        before += (forward[row - TAG_COUNT + from] ?? 0) * (transitions[from * TAG_COUNT + tag] ?? 0);
      }
      sum += forward[row + tag] = before * weightOf(tag, row, potentials, allowed?.[at] ?? ALL);
    }
    scaleRow(forward, row, sum);
  }
  return forward;
}

function backwards({ count, potentials, transitions, allowed }: Chain): Float64Array {
  const backward = new Float64Array(count * TAG_COUNT).fill(1, (count - 1) * TAG_COUNT);
  for (let at = count - 2; at >= 0; at--) {
    const row = at * TAG_COUNT;
    let sum = 0;
    for (let tag = 0; tag < TAG_COUNT; tag++) {
      let after = 0;
      for (let to = 0; to < TAG_COUNT; to++) {
        const weight = weightOf(to, row + TAG_COUNT, potentials, allowed?.[at + 1] ?? ALL);
        after += (transitions[tag * TAG_COUNT + to] ?? 0) * weight * (backward[row + TAG_COUNT + to] ?? 0);
      }
      sum += backward[row + tag] = after;
    }
    scaleRow(backward, row, sum);
  }
  return backward;
}

function scaleRow(values: Float64Array, row: number, sum: number): void {
  if (sum === 0) return;
  for (let tag = 0; tag < TAG_COUNT; tag++) values[row + tag] = (values[row + tag] ?? 0) / sum;
}
