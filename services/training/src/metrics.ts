import { createRandom } from "./random.js";

/** One judgment of a classifier: the predicted label, its probability, and the true label. */
export interface Judgment {
  predicted: string;
  prob: number;
  truth: string;
  source: string;
}

/** Share of judgments that were right. */
export const accuracy = (judgments: readonly Judgment[]): number =>
  judgments.filter(({ predicted, truth }) => predicted === truth).length / (judgments.length || 1);

/** Mean of the F1 of every label that occurs as truth. */
export const macroF1 = (judgments: readonly Judgment[]): number => {
  const labels = [...new Set(judgments.map(({ truth }) => truth))];
  return labels.reduce((sum, label) => sum + labelF1(judgments, label), 0) / (labels.length || 1);
};

const labelF1 = (judgments: readonly Judgment[], label: string): number => {
  let hits = 0;
  let said = 0;
  let meant = 0;
  for (const { predicted, truth } of judgments) {
    if (predicted === label) said++;
    if (truth === label) meant++;
    if (predicted === label && truth === label) hits++;
  }
  return f1({ right: hits, found: said, wanted: meant });
};

const BINS = 15;

/** Expected calibration error: the difference between confidence and accuracy, over 15 bins of equal width. */
export const calibrationError = (judgments: readonly Judgment[]): number => {
  const bins = Array.from({ length: BINS }, () => ({ certainty: 0, right: 0 }));
  for (const { prob, predicted, truth } of judgments) {
    const bin = bins[Math.min(BINS - 1, Math.floor(prob * BINS))];
    if (bin === undefined) continue;
    bin.certainty += prob;
    bin.right += predicted === truth ? 1 : 0;
  }
  const gap = bins.reduce((sum, { certainty, right }) => sum + Math.abs(certainty - right), 0);
  return gap / (judgments.length || 1);
};

/** Counts behind precision, recall and F1. */
export interface Tally {
  right: number;
  found: number;
  wanted: number;
}

/** An empty tally. */
export const createTally = (): Tally => ({ right: 0, found: 0, wanted: 0 });

/** Share of found items that are correct. */
export const precision = ({ right, found }: Tally): number => (found === 0 ? 0 : right / found);

/** Share of wanted items that were found. */
export const recall = ({ right, wanted }: Tally): number => (wanted === 0 ? 0 : right / wanted);

/** Harmonic mean of precision and recall. */
export const f1 = (tally: Tally): number => {
  const sum = tally.found + tally.wanted;
  return sum === 0 ? 0 : (2 * tally.right) / sum;
};

/** Returns the tally of a key, which is created if missing. */
export const tallyOf = (tallies: Map<string, Tally>, key: string): Tally => {
  const known = tallies.get(key);
  if (known) return known;
  const created = createTally();
  tallies.set(key, created);
  return created;
};

/** The sum of tallies. */
export const sumOf = (tallies: readonly Tally[]): Tally =>
  tallies.reduce(
    (sum, { right, found, wanted }) => ({
      right: sum.right + right,
      found: sum.found + found,
      wanted: sum.wanted + wanted,
    }),
    createTally(),
  );

/** Precision, recall and F1. */
export const figuresOf = (tally: Tally): Record<Measure, number> => ({
  precision: precision(tally),
  recall: recall(tally),
  F1: f1(tally),
});

export type Measure = "precision" | "recall" | "F1";

/** The 95 % bootstrap intervals over texts, of which `tallies` has one each (percentiles of seeded resamples). */
export const intervalsOf = (tallies: readonly Tally[]): Record<Measure, Interval> => {
  const figures = onResamples(tallies, (drawn) => figuresOf(sumOf(drawn)));
  const interval = (measure: Measure): Interval => middleOf(figures.map((own) => own[measure]));
  return { precision: interval("precision"), recall: interval("recall"), F1: interval("F1") };
};

/** The 95 % confidence interval of a figure. */
export type Interval = readonly [low: number, high: number];

const RESAMPLES = 1_000;
const SEED = 1;
/** The 97.5 % quantile of the normal distribution. */
const Z = 1.959964;

/** Wilson's 95 % interval of a share; unlike the normal approximation, it is sound for few rows and shares near 0 or 1. */
export const wilson = (hits: number, rows: number): Interval => {
  if (rows === 0) return [0, 1];
  const share = hits / rows;
  const middle = share + (Z * Z) / (2 * rows);
  const reach = Z * Math.sqrt((share * (1 - share)) / rows + (Z * Z) / (4 * rows * rows));
  const scale = 1 + (Z * Z) / rows;
  return [Math.max(0, (middle - reach) / scale), Math.min(1, (middle + reach) / scale)];
};

/** Wilson's interval of the accuracy. */
export const accuracyInterval = (judgments: readonly Judgment[]): Interval =>
  wilson(judgments.filter(({ predicted, truth }) => predicted === truth).length, judgments.length);

/** What a figure is on 1,000 resamples that it draws itself, with the given random numbers. */
const resampled = <T>(figure: (random: () => number) => T): T[] => {
  const random = createRandom(SEED);
  return Array.from({ length: RESAMPLES }, () => figure(random));
};

/** What a figure is on 1,000 resamples of the items, drawn with replacement. */
const onResamples = <T, F>(items: readonly T[], figure: (drawn: readonly T[]) => F): F[] =>
  resampled((random) => figure(items.map((own) => items[Math.floor(random() * items.length)] ?? own)));

/** The 95 % bootstrap intervals of accuracy and macro-F1 (percentiles of 1,000 seeded resamples). */
export const bootstrap = (judgments: readonly Judgment[]): { accuracy: Interval; macroF1: Interval } => {
  const figures = resamplesOf(judgments);
  return {
    accuracy: middleOf(figures.map(({ accuracy }) => accuracy)),
    macroF1: middleOf(figures.map(({ macroF1 }) => macroF1)),
  };
};

/** The 95 % bootstrap interval of the mean of the groups' macro-F1, each group being resampled by itself. */
export const meanMacroF1Interval = (groups: readonly (readonly Judgment[])[]): Interval => {
  const figures = groups.map(resamplesOf);
  return middleOf(
    Array.from(
      { length: RESAMPLES },
      (_, at) => figures.reduce((sum, own) => sum + (own[at]?.macroF1 ?? 0), 0) / (groups.length || 1),
    ),
  );
};

/** The number of errors in a text, and its length, both in characters or both in words. */
export interface Errors {
  errors: number;
  length: number;
}

/** The errors of all texts divided by their length, with its 95 % bootstrap interval over the texts. */
export const errorRateOf = (texts: readonly Errors[]): { value: number; interval: Interval } => {
  const rate = (drawn: readonly Errors[]): number => totalOf(drawn, "errors") / (totalOf(drawn, "length") || 1);
  return { value: rate(texts), interval: middleOf(onResamples(texts, rate)) };
};

const totalOf = (texts: readonly Errors[], figure: keyof Errors): number =>
  texts.reduce((sum, text) => sum + text[figure], 0);

/**
 * The 95 % bootstrap interval of the calibration error. Resamples have a greater error than the data, so the basic
 * interval is taken, which mirrors their percentiles at the data's value.
 */
export const calibrationInterval = (judgments: readonly Judgment[]): Interval => {
  const [low, high] = middleOf(onResamples(judgments, calibrationError));
  const value = calibrationError(judgments);
  return [Math.max(0, 2 * value - high), Math.max(0, 2 * value - low)];
};

/**
 * The calibration error of as many judgments with these probabilities if each was right exactly as often as it says:
 * what chance alone makes of few judgments. The mean and the 95 % interval over seeded draws.
 */
export const calibrationErrorByChance = (judgments: readonly Judgment[]): { value: number; interval: Interval } => {
  const errors = resampled((random) =>
    calibrationError(judgments.map((own) => ({ ...own, truth: random() < own.prob ? own.predicted : "" }))),
  );
  return { value: errors.reduce((sum, error) => sum + error, 0) / errors.length, interval: middleOf(errors) };
};

const resamplesOf = (judgments: readonly Judgment[]): { accuracy: number; macroF1: number }[] => {
  const labels = [...new Set(judgments.flatMap(({ truth, predicted }) => [truth, predicted]))];
  const places = new Map(labels.map((label, place) => [label, place]));
  const placesOf = (pick: (judgment: Judgment) => string): Uint16Array =>
    Uint16Array.from(judgments, (judgment) => places.get(pick(judgment)) ?? 0);
  const truths = placesOf(({ truth }) => truth);
  const predictions = placesOf(({ predicted }) => predicted);
  return resampled((random) => resample(truths, predictions, labels.length, random));
};

/** Both figures of as many judgments, drawn with replacement. Counts, since `macroF1` takes too long for thousands. */
const resample = (
  truths: Uint16Array,
  predictions: Uint16Array,
  labels: number,
  random: () => number,
): { accuracy: number; macroF1: number } => {
  const meant = new Uint32Array(labels);
  const said = new Uint32Array(labels);
  const hits = new Uint32Array(labels);
  for (let left = truths.length; left > 0; left--) {
    const drawn = Math.floor(random() * truths.length);
    const truth = truths[drawn] ?? 0;
    const predicted = predictions[drawn] ?? 0;
    meant[truth] = (meant[truth] ?? 0) + 1;
    said[predicted] = (said[predicted] ?? 0) + 1;
    if (truth === predicted) hits[truth] = (hits[truth] ?? 0) + 1;
  }
  let right = 0;
  let sumF1 = 0;
  let occurring = 0;
  meant.forEach((wanted, label) => {
    if (wanted === 0) return;
    occurring++;
    right += hits[label] ?? 0;
    sumF1 += (2 * (hits[label] ?? 0)) / (wanted + (said[label] ?? 0));
  });
  return { accuracy: right / (truths.length || 1), macroF1: sumF1 / (occurring || 1) };
};

/** Between the 2.5 % and the 97.5 % percentile. */
const middleOf = (values: readonly number[]): Interval => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return [at(0.025), at(0.975)];
};
