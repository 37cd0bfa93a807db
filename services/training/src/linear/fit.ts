import { softmax, TRIPLE_BIT } from "@hourglass/analysis/linear";
import { createRandom, shuffle } from "../random.js";
import { type Matrix, widthOf } from "./matrix.js";
import type { Sample } from "../sample.js";

/** Hyperparameters of a model; every value was chosen on the development data. */
export interface FitSettings {
  /** N-grams in fewer training texts are ignored. */
  occurrencesMin: number;
  epochs: number;
  rate: number;
  /** Weight decay per update. */
  decay: number;
  /** 0 keeps the class frequencies, 1 gives all classes the same total weight. */
  classPower: number;
  /** Label smoothing: share of the truth spread over all labels. */
  smoothing: number;
  /** Emphasis on rare n-grams: power of their inverse document frequency. */
  rarity: number;
  /** Learning rate of the dense features relative to the n-grams. */
  denseScale: number;
  /** Whether word triples are used; they capture set phrases, but mislead if there are few texts per phrase. */
  triples: boolean;
}

/** The trained weights: one row per matrix column, one value per label. */
export interface Fitted {
  readonly columnWeights: Float32Array;
  readonly labelCount: number;
}

interface Problem {
  readonly matrix: Matrix;
  readonly targets: Float32Array;
  readonly trust: Float32Array;
  readonly columnScale: Float32Array;
  readonly labelCount: number;
}

const SEED = 20240607;

/** Multinomial logistic regression by AdaGrad, one text at a time, averaged over the later half of the epochs. */
export const fit = (
  matrix: Matrix,
  samples: readonly Sample[],
  labels: readonly string[],
  settings: FitSettings,
): Fitted => {
  const problem = pose(matrix, samples, labels, settings);
  const state = new Descent(problem, settings);
  const order = Uint32Array.from(samples.keys());
  const random = createRandom(SEED);
  const average = new Float32Array(state.weights.length);
  const averagedFrom = Math.floor(settings.epochs / 2);
  for (let epoch = 0; epoch < settings.epochs; epoch++) {
    shuffle(order, random);
    for (const row of order) state.learn(row);
    if (epoch < averagedFrom) continue;
    const share = 1 / (settings.epochs - averagedFrom);
    for (let i = 0; i < average.length; i++) average[i] = (average[i] ?? 0) + (state.weights[i] ?? 0) * share;
  }
  return { columnWeights: unscale(average, problem), labelCount: labels.length };
};

const pose = (
  matrix: Matrix,
  samples: readonly Sample[],
  labels: readonly string[],
  settings: FitSettings,
): Problem => {
  const labelCount = labels.length;
  const targets = new Float32Array(samples.length * labelCount);
  const totals = new Float64Array(labelCount);
  samples.forEach((sample, row) => {
    labels.forEach((label, i) => {
      const share = sample.shares[label] ?? 0;
      totals[i] = (totals[i] ?? 0) + share * sample.weight;
      targets[row * labelCount + i] = share;
    });
  });
  const balance = classBalance(totals, settings.classPower);
  const trust = Float32Array.from(samples, (sample, row) => {
    let weight = 0;
    for (let i = 0; i < labelCount; i++) weight += (targets[row * labelCount + i] ?? 0) * (balance[i] ?? 1);
    return weight * sample.weight;
  });
  for (let i = 0; i < targets.length; i++) {
    targets[i] = (targets[i] ?? 0) * (1 - settings.smoothing) + settings.smoothing / labelCount;
  }
  return { matrix, targets, trust, columnScale: columnScale(matrix, samples.length, settings), labelCount };
};

const classBalance = (totals: Float64Array, power: number): Float64Array => {
  const sum = totals.reduce((a, b) => a + b, 0);
  const raw = totals.map((total) => (sum / (totals.length * Math.max(total, 1))) ** power);
  const mean = raw.reduce((a, weight, i) => a + weight * (totals[i] ?? 0), 0) / sum;
  return raw.map((weight) => weight / mean);
};

/**
 * Scaling columns during training acts as a prior on their weights; `unscale` folds it back, so that inference is
 * unaffected.
 */
const columnScale = (matrix: Matrix, texts: number, { rarity, denseScale, triples }: FitSettings): Float32Array => {
  const ngrams = matrix.buckets.length;
  return Float32Array.from({ length: widthOf(matrix) }, (_, column) => {
    if (column >= ngrams) return denseScale;
    if (!triples && (matrix.buckets[column] ?? 0) >= TRIPLE_BIT) return 0;
    return Math.log(1 + texts / (matrix.occurrences[column] ?? 1)) ** rarity;
  });
};

const unscale = (weights: Float32Array, { columnScale, labelCount }: Problem): Float32Array =>
  weights.map((weight, i) => weight * (columnScale[Math.floor(i / labelCount)] ?? 1));

/**
 * The weights during training. AdaGrad's sums are kept per column rather than per weight, which halves the memory
 * traffic.
 */
class Descent {
  readonly weights: Float32Array;
  readonly #sums: Float32Array;
  readonly #problem: Problem;
  readonly #settings: FitSettings;
  readonly #gradient: Float64Array;

  constructor(problem: Problem, settings: FitSettings) {
    this.#problem = problem;
    this.#settings = settings;
    this.weights = new Float32Array(widthOf(problem.matrix) * problem.labelCount);
    this.#sums = new Float32Array(widthOf(problem.matrix)).fill(1e-3);
    this.#gradient = new Float64Array(problem.labelCount);
  }

  learn(row: number): void {
    this.#predict(row);
    const { targets, trust, labelCount } = this.#problem;
    let squares = 0;
    for (let label = 0; label < labelCount; label++) {
      const error = ((this.#gradient[label] ?? 0) - (targets[row * labelCount + label] ?? 0)) * (trust[row] ?? 1);
      this.#gradient[label] = error;
      squares += error * error;
    }
    this.#update(row, squares);
  }

  /** Stores the probabilities of the labels in the gradient. */
  #predict(row: number): void {
    const { matrix, columnScale, labelCount } = this.#problem;
    const scores = this.#gradient.fill(0);
    const end = matrix.starts[row + 1] ?? 0;
    for (let i = matrix.starts[row] ?? 0; i < end; i++) {
      const column = matrix.columns[i] ?? 0;
      const value = (matrix.values[i] ?? 0) * (columnScale[column] ?? 1);
      const start = column * labelCount;
      for (let label = 0; label < labelCount; label++) {
        scores[label] = (scores[label] ?? 0) + (this.weights[start + label] ?? 0) * value;
      }
    }
    scores.set(softmax(scores));
  }

  #update(row: number, squares: number): void {
    const { matrix, columnScale, labelCount } = this.#problem;
    const { rate, decay } = this.#settings;
    const end = matrix.starts[row + 1] ?? 0;
    for (let i = matrix.starts[row] ?? 0; i < end; i++) {
      const column = matrix.columns[i] ?? 0;
      const value = (matrix.values[i] ?? 0) * (columnScale[column] ?? 1);
      const sum = (this.#sums[column] ?? 0) + squares * value * value;
      this.#sums[column] = sum;
      const stride = rate / Math.sqrt(sum);
      const start = column * labelCount;
      for (let label = 0; label < labelCount; label++) {
        const weight = this.weights[start + label] ?? 0;
        this.weights[start + label] = weight - stride * ((this.#gradient[label] ?? 0) * value + decay * weight);
      }
    }
  }
}
