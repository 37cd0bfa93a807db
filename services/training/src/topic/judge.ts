import { type Interval, middleOf, onResamples } from "../intervals.js";

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
