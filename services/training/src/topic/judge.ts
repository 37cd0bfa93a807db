import type { Interval } from "../intervals.js";
import { createRandom } from "../random.js";

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

const RESAMPLES = 1_000;
const SEED = 1;

/** The 95 % bootstrap interval of F1 over texts, of which `tallies` has one each (percentiles of seeded resamples). */
export const f1Interval = (tallies: readonly Tally[]): Interval => {
  const random = createRandom(SEED);
  const drawn = (): Tally => tallies[Math.floor(random() * tallies.length)] ?? createTally();
  const values = Array.from({ length: RESAMPLES }, () => f1(sumOf(tallies.map(drawn)))).sort((a, b) => a - b);
  const at = (share: number): number => values[Math.round(share * (values.length - 1))] ?? 0;
  return [at(0.025), at(0.975)];
};
