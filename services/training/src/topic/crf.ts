import {
  beginTag,
  ENTITY_CLASSES,
  type EntityClass,
  FEATURE_BUCKETS,
  featuresOf,
  mayFollow,
  TAG_COUNT,
  tagText,
  type Token,
  type TokenFeatures,
} from "@hourglass/analysis/training";
import type { EntityRow, Mention } from "../datasets.js";
import { createRandom, shuffle } from "../random.js";

/** A sentence prepared for training: features, and for each token the tags that its corpus allows, as bits. */
interface Sample {
  readonly features: readonly TokenFeatures[];
  readonly allowed: Uint16Array;
}

/** Prepares the rows for training; sentences without tokens are left out. */
export function samplesOf(rows: readonly EntityRow[]): Sample[] {
  return rows.map(sampleOf).filter((sample) => sample.features.length > 0);
}

function sampleOf(row: EntityRow): Sample {
  const tokens = tagText(row.text);
  return { features: featuresOf(tokens), allowed: allowedTags(row, tokens) };
}

/**
 * Outside a mention, a token may be "no entity" or of any class that its corpus does not mark; inside, it has the class
 * of the mention. Tokens belong to a mention by overlap, because corpora split words differently from the tokenizer.
 */
function allowedTags(row: EntityRow, tokens: readonly Token[]): Uint16Array {
  const allowed = new Uint16Array(tokens.length).fill(outsideMask(row.annotated));
  for (const mention of row.mentions) markMention(mention, tokens, allowed);
  return allowed;
}

function outsideMask(annotated: readonly string[]): number {
  let mask = 1;
  ENTITY_CLASSES.forEach((entityClass, index) => {
    const marked = entityClass === "PLACE" ? annotated.includes("GPE") : annotated.includes(entityClass);
    if (!marked) mask |= 3 << beginTag(index);
  });
  return mask;
}

function markMention({ start, end, types }: Mention, tokens: readonly Token[], allowed: Uint16Array): void {
  const index = ENTITY_CLASSES.indexOf(classOf(types));
  let begun = false;
  tokens.forEach((token, at) => {
    if (token.end <= start || token.start >= end) return;
    allowed[at] = 1 << (begun ? beginTag(index) + 1 : beginTag(index));
    begun = true;
  });
}

function classOf(types: readonly string[]): EntityClass {
  if (types.includes("GPE")) return "PLACE";
  const found = ENTITY_CLASSES.find((entityClass) => types.includes(entityClass));
  if (!found) throw new Error(`no class for an entity of the types ${types.join(", ")}`);
  return found;
}

/** Training settings of the tagger. */
export interface Settings {
  seed: number;
  epochs: number;
  learningRate: number;
  /** Weight decay per update. */
  decay: number;
  /**
   * How often the features of the word itself are left out, so that the tagger also learns from the context of new
   * names.
   */
  wordDropout: number;
}

/** Weights before rounding. */
export interface FittedWeights {
  readonly weights: Float32Array;
  readonly transitions: Float64Array;
}

/**
 * Fits a linear-chain conditional random field by AdaGrad. A token may have several possible tags (its corpus does not
 * mark all types): the likelihood is then that of all sequences that its corpus allows.
 */
export function fit(samples: readonly Sample[], settings: Settings, report: (line: string) => void): FittedWeights {
  const state = createState();
  const random = createRandom(settings.seed);
  const order = Uint32Array.from(samples, (_, index) => index);
  for (let epoch = 1; epoch <= settings.epochs; epoch++) {
    shuffle(order, random);
    const rate = settings.learningRate * (1 - (epoch - 1) / settings.epochs);
    for (const index of order) {
      const sample = samples[index];
      if (sample) learn(state, dropWords(sample, settings.wordDropout, random), { rate, decay: settings.decay });
    }
    report(`topic: epoch ${epoch} of ${settings.epochs}`);
  }
  return { weights: state.weights, transitions: state.transitions };
}

interface State {
  weights: Float32Array;
  squares: Float32Array;
  transitions: Float64Array;
  transitionSquares: Float64Array;
}

interface Pace {
  rate: number;
  decay: number;
}

function createState(): State {
  const size = FEATURE_BUCKETS * TAG_COUNT;
  return {
    weights: new Float32Array(size),
    squares: new Float32Array(size).fill(0.1),
    transitions: new Float64Array(TAG_COUNT * TAG_COUNT),
    transitionSquares: new Float64Array(TAG_COUNT * TAG_COUNT).fill(1),
  };
}

const NOTHING = new Uint32Array(0);

function dropWords(sample: Sample, share: number, random: () => number): Sample {
  const features = sample.features.map((token) => (random() < share ? { ...token, lexical: NOTHING } : token));
  return { ...sample, features };
}

function learn(state: State, { features, allowed }: Sample, pace: Pace): void {
  const count = features.length;
  const potentials = potentialsOf(state.weights, features);
  const transitions = transitionPotentials(state.transitions);
  const found = marginalsOf({ count, potentials, transitions });
  const wanted = marginalsOf({ count, potentials, transitions, allowed });
  features.forEach((token, at) => updateToken(state, token, slope(wanted, found, at), pace));
  for (let pair = 0; pair < state.transitions.length; pair++) {
    const gradient = (wanted.pairs[pair] ?? 0) - (found.pairs[pair] ?? 0);
    if (gradient === 0) continue;
    const squares = (state.transitionSquares[pair] ?? 0) + gradient * gradient;
    state.transitionSquares[pair] = squares;
    state.transitions[pair] = (state.transitions[pair] ?? 0) + (pace.rate * gradient) / Math.sqrt(squares);
  }
}

function potentialsOf(weights: Float32Array, features: readonly TokenFeatures[]): Float64Array {
  const potentials = new Float64Array(features.length * TAG_COUNT);
  features.forEach((token, at) => {
    const row = potentials.subarray(at * TAG_COUNT, (at + 1) * TAG_COUNT);
    for (const part of [token.lexical, token.general]) {
      for (const feature of part) addRow(row, weights, feature * TAG_COUNT);
    }
    const top = Math.max(...row);
    for (let tag = 0; tag < TAG_COUNT; tag++) row[tag] = Math.exp((row[tag] ?? 0) - top);
  });
  return potentials;
}

function addRow(row: Float64Array, weights: Float32Array, from: number): void {
  for (let tag = 0; tag < TAG_COUNT; tag++) row[tag] = (row[tag] ?? 0) + (weights[from + tag] ?? 0);
}

function slope(wanted: Marginals, found: Marginals, at: number): Float64Array {
  const from = at * TAG_COUNT;
  return wanted.tags.subarray(from, from + TAG_COUNT).map((value, tag) => value - (found.tags[from + tag] ?? 0));
}

/** Updates with a smaller slope are lost in rounding. */
const SLOPE_MIN = 1e-4;

function updateToken(state: State, token: TokenFeatures, gradient: Float64Array, { rate, decay }: Pace): void {
  const { weights, squares } = state;
  for (let tag = 0; tag < TAG_COUNT; tag++) {
    const slopeOfTag = gradient[tag] ?? 0;
    if (Math.abs(slopeOfTag) < SLOPE_MIN) continue;
    for (const part of [token.lexical, token.general]) {
      for (const feature of part) {
        const at = feature * TAG_COUNT + tag;
        const sum = (squares[at] ?? 0) + slopeOfTag * slopeOfTag;
        squares[at] = sum;
        weights[at] = (weights[at] ?? 0) * (1 - decay) + (rate * slopeOfTag) / Math.sqrt(sum);
      }
    }
  }
}

/** Marginal probabilities of one sentence under a linear-chain model. */
interface Marginals {
  /** One row of `TAG_COUNT` per token. */
  readonly tags: Float64Array;
  /** Expected number of times each pair of neighboring tags occurs. */
  readonly pairs: Float64Array;
}

/** A sentence under a linear-chain model. */
interface Chain {
  readonly count: number;
  /** exp of the score of each tag at each token, each row scaled to a maximum of 1. */
  readonly potentials: Float64Array;
  /** exp of the transition scores, zero for forbidden transitions. */
  readonly transitions: Float64Array;
  /** The possible tags of each token, as bits; all if omitted. */
  readonly allowed?: Uint16Array;
}

/** exp of transition scores, with zeros for forbidden transitions. */
function transitionPotentials(transitions: Float64Array): Float64Array {
  return transitions.map((score, at) => (mayFollow(Math.floor(at / TAG_COUNT), at % TAG_COUNT) ? Math.exp(score) : 0));
}

/** Forward-backward with scaling; yields zeros for a sentence without any possible sequence. */
function marginalsOf(chain: Chain): Marginals {
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
