import { FEATURE_BUCKETS, TAG_COUNT, type TokenFeatures } from "@hourglass/analysis/topic";
import { createRandom, shuffle } from "../random.js";
import { marginalsOf, transitionPotentials, type Marginals } from "./chain.js";
import type { Sample } from "./samples.js";

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
