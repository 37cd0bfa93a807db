import {
  ADDRESS_FIRST,
  BUCKETS,
  BUCKETS_END,
  DENSE_FEATURES,
  type Features,
  featurize,
  isDense,
  softmax,
  TRIPLE_BIT,
  type Weights,
} from "@hourglass/analysis/training";
import type { Sample } from "../datasets.js";
import { createRandom, shuffle } from "../random.js";
import type { FitSettings, Recipe } from "./recipes.js";

/** Fits the weights of the shipped format to samples. */
export const fitWeights = ({ settings, labels, rowsMax }: Recipe, samples: readonly Sample[]): Weights => {
  const matrix = buildMatrix(
    samples.map(({ text }) => featurize(text)),
    settings.occurrencesMin,
  );
  return quantize(matrix, fit(matrix, samples, labels, settings), rowsMax);
};

/**
 * Texts as rows of a sparse matrix whose columns are the sufficiently frequent n-grams, followed by the dense features.
 */
interface Matrix {
  /** Bucket of each n-gram column, ascending; dense features follow as separate columns. */
  readonly buckets: Uint32Array;
  /** Number of texts that contain each column. */
  readonly occurrences: Uint32Array;
  /** Row `i` consists of `starts[i]` to `starts[i + 1]` of `columns` and `values`. */
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
}

/** Number of columns of a matrix, n-grams and dense features. */
const widthOf = ({ buckets }: Matrix): number => buckets.length + DENSE_FEATURES.length;

/** Builds the matrix of texts; n-grams in fewer than `occurrencesMin` texts are left out. */
const buildMatrix = (texts: readonly Features[], occurrencesMin: number): Matrix => {
  const { buckets, columnOf } = chooseColumns(texts, occurrencesMin);
  const size = texts.reduce((sum, text) => sum + text.buckets.length, 0);
  const starts = new Uint32Array(texts.length + 1);
  const columns = new Uint32Array(size);
  const values = new Float32Array(size);
  const occurrences = new Uint32Array(buckets.length + DENSE_FEATURES.length);
  let at = 0;
  texts.forEach((text, row) => {
    text.buckets.forEach((bucket, i) => {
      const column = isDense(bucket) ? buckets.length + bucket - BUCKETS : (columnOf[bucket] ?? 0) - 1;
      if (column < 0) return;
      columns[at] = column;
      values[at++] = text.values[i] ?? 0;
      occurrences[column] = (occurrences[column] ?? 0) + 1;
    });
    starts[row + 1] = at;
  });
  return { buckets, occurrences, starts, columns: columns.subarray(0, at), values: values.subarray(0, at) };
};

const chooseColumns = (texts: readonly Features[], occurrencesMin: number) => {
  const counts = new Uint32Array(BUCKETS_END);
  for (const text of texts) {
    for (const bucket of text.buckets) if (!isDense(bucket)) counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  let width = 0;
  for (const count of counts) if (count >= occurrencesMin) width++;
  const buckets = new Uint32Array(width);
  let column = 0;
  for (let bucket = 0; bucket < BUCKETS_END; bucket++) {
    if ((counts[bucket] ?? 0) >= occurrencesMin) {
      buckets[column++] = bucket;
      counts[bucket] = column;
    } else {
      counts[bucket] = 0;
    }
  }
  return { buckets, columnOf: counts };
};

/** The trained weights: one row per matrix column, one value per label. */
interface Fitted {
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
const fit = (matrix: Matrix, samples: readonly Sample[], labels: readonly string[], settings: FitSettings): Fitted => {
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
const columnScale = (matrix: Matrix, texts: number, { rarity, triples, addresses }: FitSettings): Float32Array => {
  const ngrams = matrix.buckets.length;
  return Float32Array.from({ length: widthOf(matrix) }, (_, column) => {
    if (column >= ngrams) return 1;
    const bucket = matrix.buckets[column] ?? 0;
    if (bucket >= ADDRESS_FIRST) return addresses ? 1 : 0;
    if (!triples && bucket >= TRIPLE_BIT) return 0;
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

/**
 * A few huge weights would waste the range of int8, so the scale is set by this quantile and larger weights are
 * clipped.
 */
const RANGE_QUANTILE = 0.9998;

/** Rounds weights to int8 and drops rows without information about any label. `rowsMax` limits the size of the file. */
const quantize = (matrix: Matrix, { columnWeights, labelCount }: Fitted, rowsMax: number): Weights => {
  const ngrams = matrix.buckets.length;
  center(columnWeights, labelCount);
  const kept = strongest(columnWeights, ngrams, labelCount, rowsMax);
  const scales = Float32Array.from({ length: labelCount }, (_, label) => {
    const sizes = Float32Array.from(kept, (column) => Math.abs(columnWeights[column * labelCount + label] ?? 0)).sort();
    const largest = sizes[Math.floor((sizes.length - 1) * RANGE_QUANTILE)] ?? 0;
    return largest > 0 ? largest / 127 : 1;
  });
  const rows = new Int8Array(kept.length * labelCount);
  kept.forEach((column, row) => {
    for (let label = 0; label < labelCount; label++) {
      const step = Math.round((columnWeights[column * labelCount + label] ?? 0) / (scales[label] ?? 1));
      rows[row * labelCount + label] = Math.max(-127, Math.min(127, step));
    }
  });
  return {
    buckets: Uint32Array.from(kept, (column) => matrix.buckets[column] ?? 0),
    rows,
    scales,
    dense: columnWeights.slice(ngrams * labelCount),
  };
};

/** Adding a constant to a row changes no probability; rows with mean zero have the smallest values to round. */
const center = (weights: Float32Array, labelCount: number): void => {
  for (let start = 0; start < weights.length; start += labelCount) {
    const row = weights.subarray(start, start + labelCount);
    const mean = row.reduce((a, b) => a + b, 0) / labelCount;
    for (let i = 0; i < labelCount; i++) row[i] = (row[i] ?? 0) - mean;
  }
};

/** Columns with the largest weights, in ascending order. */
const strongest = (weights: Float32Array, ngrams: number, labelCount: number, rowsMax: number): Uint32Array => {
  const strength = Float32Array.from({ length: ngrams }, (_, column) =>
    weights
      .subarray(column * labelCount, (column + 1) * labelCount)
      .reduce((most, w) => Math.max(most, Math.abs(w)), 0),
  );
  const columns = Uint32Array.from(strength.keys());
  columns.sort((a, b) => (strength[b] ?? 0) - (strength[a] ?? 0));
  return columns.subarray(0, rowsMax).sort();
};
