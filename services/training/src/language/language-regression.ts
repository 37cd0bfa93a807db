import { clean, type LanguageWeights, NgramReader, packEntry } from "@hourglass/analysis/training";
import { createRandom, shuffle } from "../random.js";

/** A text and its language. */
export interface LanguageSample {
  text: string;
  /** ISO 639-1. */
  label: string;
  source: string;
}

/** Fits the weights of the shipped format to samples. */
export const fitLanguageWeights = (
  samples: readonly LanguageSample[],
  labels: readonly string[],
  settings: LanguageSettings,
): LanguageWeights => {
  const matrix = buildLanguageMatrix(samples, labels, settings.occurrencesMin);
  return packLanguages(matrix, fitLanguages(matrix, labels.length, settings), settings.weightMin);
};

/** A text as the columns of its sufficiently frequent n-grams, with the index of each word's first column. */
interface Line {
  readonly columns: Uint32Array;
  readonly wordStarts: Uint32Array;
  /** Index of its label. */
  readonly label: number;
}

interface LanguageMatrix {
  /** Bucket of each column, ascending. */
  readonly buckets: Uint32Array;
  readonly lines: readonly Line[];
}

const BUCKETS = 2 ** 24;

/** Reads samples into a matrix; n-grams in fewer than `occurrencesMin` texts are left out. */
const buildLanguageMatrix = (
  samples: readonly LanguageSample[],
  labels: readonly string[],
  occurrencesMin: number,
): LanguageMatrix => {
  const reader = new NgramReader();
  const raw = samples.map(({ text, label }): Line => {
    reader.read(clean(text));
    return {
      columns: reader.buckets.slice(0, reader.size),
      wordStarts: Uint32Array.from(reader.wordStarts),
      label: labels.indexOf(label),
    };
  });
  const { buckets, columnOf } = chooseColumns(raw, occurrencesMin);
  return { buckets, lines: raw.map((line) => renumber(line, columnOf)) };
};

/** `columnOf` contains the column of a bucket plus one, 0 if there is none. */
const chooseColumns = (lines: readonly Line[], occurrencesMin: number) => {
  const counts = new Uint32Array(BUCKETS);
  for (const { columns } of lines) for (const bucket of new Set(columns)) counts[bucket] = (counts[bucket] ?? 0) + 1;
  const chosen: number[] = [];
  counts.forEach((count, bucket) => {
    if (count >= occurrencesMin) chosen.push(bucket);
    counts[bucket] = count >= occurrencesMin ? chosen.length : 0;
  });
  return { buckets: Uint32Array.from(chosen), columnOf: counts };
};

const renumber = ({ columns, wordStarts, label }: Line, columnOf: Uint32Array): Line => {
  const kept: number[] = [];
  const starts: number[] = [];
  columns.forEach((bucket, i) => {
    if (wordStarts[starts.length] === i) starts.push(kept.length);
    const column = (columnOf[bucket] ?? 0) - 1;
    if (column >= 0) kept.push(column);
  });
  return { columns: Uint32Array.from(kept), wordStarts: Uint32Array.from(starts), label };
};

/** Hyperparameters of the model; every value was chosen on the development data. */
export interface LanguageSettings {
  /** N-grams in fewer training texts are ignored. */
  occurrencesMin: number;
  epochs: number;
  /** Initial learning rate; decreases linearly to 0. */
  rate: number;
  /** Share of the steps that show only a few words of the text, so that short texts are learned, too. */
  cropShare: number;
  /** Maximum number of words of such an excerpt. */
  cropWordsMax: number;
  /** Labels with a smaller error are not updated, which keeps the weights sparse. */
  errorMin: number;
  /** Smaller weights are dropped from the finished model. */
  weightMin: number;
}

/** The trained weights: one row per matrix column, one value per label. */
interface FittedLanguages {
  readonly columnWeights: Float32Array;
  readonly biases: Float32Array;
}

const SEED = 20240608;
/** Biases affect every text, so they are learned slowly. */
const BIAS_RATE = 0.01;

/** Multinomial logistic regression by AdaGrad, one text at a time. */
const fitLanguages = (matrix: LanguageMatrix, labelCount: number, settings: LanguageSettings): FittedLanguages => {
  const descent = new Descent(matrix.buckets.length, labelCount, settings);
  const order = Uint32Array.from(matrix.lines.keys());
  const random = createRandom(SEED);
  const total = settings.epochs * order.length;
  for (let done = 0; done < total;) {
    shuffle(order, random);
    for (const row of order) {
      const line = matrix.lines[row];
      if (line !== undefined) descent.learn(line, show(line, settings, random), 1 - done / total);
      done++;
    }
  }
  return { columnWeights: descent.weights, biases: descent.biases };
};

/** The range of a line's columns to learn from: all, or a few words. */
const show = ({ columns, wordStarts }: Line, settings: LanguageSettings, random: () => number): [number, number] => {
  const words = wordStarts.length;
  if (words < 2 || random() >= settings.cropShare) return [0, columns.length];
  const count = 1 + Math.floor(random() * Math.min(settings.cropWordsMax, words - 1));
  const first = Math.floor(random() * (words - count + 1));
  return [wordStarts[first] ?? 0, wordStarts[first + count] ?? columns.length];
};

/**
 * The weights during training. AdaGrad's sums are kept per column rather than per weight, which halves the memory
 * traffic.
 */
class Descent {
  readonly weights: Float32Array;
  readonly biases: Float32Array;
  readonly #sums: Float32Array;
  readonly #labelCount: number;
  readonly #settings: LanguageSettings;
  readonly #errors: Float64Array;
  /** Labels with an error that is large enough for a step, and their number. */
  readonly #wrong: Uint32Array;
  #wrongCount = 0;

  constructor(columnCount: number, labelCount: number, settings: LanguageSettings) {
    this.weights = new Float32Array(columnCount * labelCount);
    this.biases = new Float32Array(labelCount);
    this.#sums = new Float32Array(columnCount).fill(1e-3);
    this.#labelCount = labelCount;
    this.#settings = settings;
    this.#errors = new Float64Array(labelCount);
    this.#wrong = new Uint32Array(labelCount);
  }

  /** `share`: of the initial learning rate. */
  learn({ columns, label }: Line, [from, to]: [number, number], share: number): void {
    if (to <= from) return;
    const value = 1 / Math.sqrt(to - from);
    const shown = columns.subarray(from, to);
    this.#predict(shown, value);
    const squares = this.#findErrors(label);
    if (this.#wrongCount > 0) this.#update(shown, value, { squares, rate: this.#settings.rate * share });
  }

  /** Stores the probabilities of the labels in the errors. */
  #predict(columns: Uint32Array, value: number): void {
    const errors = this.#errors;
    const weights = this.weights;
    const labelCount = this.#labelCount;
    errors.fill(0);
    for (const column of columns) {
      const start = column * labelCount;
      for (let label = 0; label < labelCount; label++) {
        errors[label] = (errors[label] ?? 0) + (weights[start + label] ?? 0);
      }
    }
    let highest = -Infinity;
    for (let label = 0; label < labelCount; label++) {
      const score = (errors[label] ?? 0) * value + (this.biases[label] ?? 0);
      errors[label] = score;
      if (score > highest) highest = score;
    }
    let sum = 0;
    for (let label = 0; label < labelCount; label++) {
      const share = Math.exp((errors[label] ?? 0) - highest);
      errors[label] = share;
      sum += share;
    }
    for (let label = 0; label < labelCount; label++) errors[label] = (errors[label] ?? 0) / sum;
  }

  /** Turns probabilities into errors and collects the labels with large ones; returns the sum of their squares. */
  #findErrors(truth: number): number {
    this.#errors[truth] = (this.#errors[truth] ?? 0) - 1;
    this.#wrongCount = 0;
    let squares = 0;
    for (let label = 0; label < this.#labelCount; label++) {
      const error = this.#errors[label] ?? 0;
      if (Math.abs(error) <= this.#settings.errorMin) continue;
      this.#wrong[this.#wrongCount++] = label;
      squares += error * error;
    }
    return squares;
  }

  #update(columns: Uint32Array, value: number, { squares, rate }: { squares: number; rate: number }): void {
    const weights = this.weights;
    const wrong = this.#wrong.subarray(0, this.#wrongCount);
    const gain = squares * value * value;
    for (const column of columns) {
      const sum = (this.#sums[column] ?? 0) + gain;
      this.#sums[column] = sum;
      const stride = (rate * value) / Math.sqrt(sum);
      const start = column * this.#labelCount;
      for (const label of wrong) {
        weights[start + label] = (weights[start + label] ?? 0) - stride * (this.#errors[label] ?? 0);
      }
    }
    for (const label of wrong) {
      this.biases[label] = (this.biases[label] ?? 0) - BIAS_RATE * rate * (this.#errors[label] ?? 0);
    }
  }
}

/**
 * A few huge weights would waste the range of int8, so the scale is set by this quantile and larger weights are
 * clipped.
 */
const RANGE_QUANTILE = 0.9998;

/**
 * Rounds weights to int8 and drops those below `weightMin`, and n-grams without any left: small weights cost time and
 * space without changing decisions.
 */
const packLanguages = (
  { buckets }: LanguageMatrix,
  { columnWeights, biases }: FittedLanguages,
  weightMin: number,
): LanguageWeights => {
  const labels = biases.length;
  const rows = Array.from(buckets, (_, column) =>
    prune(columnWeights.slice(column * labels, (column + 1) * labels), weightMin),
  );
  const scale = scaleOf(rows);
  const kept: number[] = [];
  const starts: number[] = [0];
  const entries: number[] = [];
  rows.forEach((row, column) => {
    if (row.every((weight) => weight === 0)) return;
    row.forEach((weight, label) => {
      if (weight === 0) return;
      entries.push(packEntry(label, Math.max(-127, Math.min(127, Math.round(weight / scale)))));
    });
    kept.push(buckets[column] ?? 0);
    starts.push(entries.length);
  });
  return {
    buckets: Uint32Array.from(kept),
    starts: Uint32Array.from(starts),
    entries: Uint16Array.from(entries),
    scale,
    biases,
  };
};

const prune = (row: Float32Array, weightMin: number): Float32Array =>
  row.map((weight) => (Math.abs(weight) < weightMin ? 0 : weight));

const scaleOf = (rows: readonly Float32Array[]): number => {
  const sizes = Float32Array.from(
    rows.flatMap((row) => [...row.filter((weight) => weight !== 0)]),
    Math.abs,
  ).sort();
  return (sizes[Math.floor((sizes.length - 1) * RANGE_QUANTILE)] ?? 127) / 127;
};
