import { createRandom, shuffle } from "../random.js";
import type { LanguageMatrix, Line } from "./matrix.js";

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
export interface FittedLanguages {
  readonly columnWeights: Float32Array;
  readonly biases: Float32Array;
}

const SEED = 20240608;
/** Biases affect every text, so they are learned slowly. */
const BIAS_RATE = 0.01;

/** Multinomial logistic regression by AdaGrad, one text at a time. */
export const fitLanguages = (
  matrix: LanguageMatrix,
  labelCount: number,
  settings: LanguageSettings,
): FittedLanguages => {
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
