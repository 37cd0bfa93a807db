/**
 * Shapley values of the units of a text, by Kernel SHAP with paired sampling (Lundberg and Lee 2017, Covert and Lee
 * 2021). Leaving out one word of a text that is certain of its label says nothing; what words say in much other company
 * does. In texts of few units, half of a credit is what the text loses without the unit alone, so that the strongest is
 * also one that the label needs.
 */

/** For every unit whether it is kept. */
export type Coalition = readonly boolean[];

/** What to compute for the credits of units. */
export interface CoalitionPlan {
  /** What must be judged: first nothing at all, then each unit alone, then the two halves of each pair, at last `rests`. */
  readonly coalitions: readonly Coalition[];
  readonly units: number;
  /** Of each pair, how much it counts. */
  readonly weights: readonly number[];
  /** Whether the pairs are all there are, and the credits so exact. */
  readonly isExact: boolean;
  /** The number of coalitions of all units but one, in the order of the units: one for each unit, or none. */
  readonly rests: number;
}

/** The cost of judging a text: that of each unit, and what every text costs besides. */
export interface Costs {
  readonly units: readonly number[];
  readonly besides: number;
  /** What all coalitions may cost together; a few are judged at any cost. */
  readonly budget: number;
  /** Up to this number of units, it is also judged what the text loses without each of them, even beyond the budget. */
  readonly restsMax?: number;
}

/** At most 64 samples. */
const PAIRS_MAX = 32;
const PAIRS_MIN = 4;
/** Draws of a pair that was drawn before; short texts have few. */
const REPEATS_MAX = 40;

/** Plans what to judge; the same costs always give the same plan. */
export const planCoalitions = ({ units, besides, budget, restsMax = 0 }: Costs): CoalitionPlan => {
  const count = units.length;
  const costOf = (coalition: Coalition): number =>
    coalition.reduce((sum, isKept, i) => sum + (isKept ? (units[i] ?? 0) : 0), besides);
  const none = units.map(() => false);
  const alone = count < 2 ? [] : units.map((_, unit) => none.with(unit, true));
  const pairCost = costOf(none.map(() => true)) + besides;
  const rests = count > restsMax ? [] : alone.map(othersThan);
  const spent = [none, ...alone, ...rests].reduce((sum, coalition) => sum + costOf(coalition), 0);
  const least = rests.length > 0 ? 0 : PAIRS_MIN;
  const most = Math.min(PAIRS_MAX, Math.max(least, Math.floor((budget - spent) / pairCost)));
  const isExact = count < 2 || 2 ** (count - 1) - 1 <= most;
  const halves = isExact ? allHalves(count) : drawnHalves(count, most, rests.length > 0 ? 2 : 1);
  return {
    coalitions: [none, ...alone, ...halves.flatMap((half) => [half, othersThan(half)]), ...rests],
    units: count,
    weights: halves.map((half) => (isExact ? kernel(half) : 1)),
    isExact,
    rests: rests.length,
  };
};

const othersThan = (coalition: Coalition): Coalition => coalition.map((isKept) => !isKept);

/** One half of each way to part the units in two. */
const allHalves = (count: number): Coalition[] =>
  Array.from({ length: Math.max(0, 2 ** (count - 1) - 1) }, (_, bits) =>
    Array.from({ length: count }, (_, unit) => unit > 0 && (((bits + 1) >> (unit - 1)) & 1) === 1),
  );

/** The weight of a coalition in the regression whose solution are the Shapley values. */
const kernel = (half: Coalition): number => {
  const size = half.filter(Boolean).length;
  let ways = 1;
  for (let i = 1; i <= size; i++) ways = (ways * (half.length - size + i)) / i;
  return (half.length - 1) / (ways * size * (half.length - size));
};

/** Random halves, of at least so many units each. */
const drawnHalves = (count: number, most: number, least: number): Coalition[] => {
  const random = createRandom(count);
  const sizes = Array.from(
    { length: Math.max(0, count + 1 - 2 * least) },
    (_, i) => 1 / ((least + i) * (count - least - i)),
  );
  const total = sizes.reduce((sum, share) => sum + share, 0);
  const drawSize = (): number => {
    let left = random() * total;
    const at = sizes.findIndex((share) => (left -= share) < 0);
    return least + Math.max(0, at);
  };
  if (sizes.length === 0) return [];
  const drawn = new Map<string, Coalition>();
  for (let repeats = 0; drawn.size < most && repeats < REPEATS_MAX;) {
    const size = drawSize();
    const order = Array.from({ length: count }, (_, unit) => ({ unit, at: random() })).sort((a, b) => a.at - b.at);
    const half = new Array<boolean>(count).fill(false);
    for (const { unit } of order.slice(0, size)) half[unit] = true;
    // A pair has two names; the half without the first unit gives it.
    const named = half[0] === true ? othersThan(half) : half;
    const key = named.map(Number).join("");
    if (drawn.has(key)) repeats++;
    else drawn.set(key, named);
  }
  return [...drawn.values()];
};

/** How strongly the credits are drawn to what units say alone, in pairs. */
const TRUST_IN_ALONE = 8;
/** The weight of the whole text against nothing: the credits sum to their difference. */
const WHOLE = 1e3;

/** The share of what a text loses without a unit, where that is judged, in the unit's credit. */
const SHARE_OF_LOSS = 0.5;

/**
 * The credit of each unit, in the unit of the values, of which there is one for each coalition; `whole` is that of the
 * text. Where the pairs are too few for the units, what these say alone decides.
 */
export const creditsOf = (plan: CoalitionPlan, values: readonly number[], whole: number): number[] => {
  const { units, coalitions, rests } = plan;
  const nothing = values[0] ?? 0;
  if (units < 2) return coalitions[0]!.map(() => whole - nothing);
  const shapley = shapleyValues(plan, values, whole);
  if (rests === 0) return shapley;
  const losses = values.slice(coalitions.length - rests).map((value) => whole - value);
  return shapley.map((credit, unit) => credit + SHARE_OF_LOSS * (losses[unit]! - credit));
};

const shapleyValues = (
  { units, coalitions, weights, isExact, rests }: CoalitionPlan,
  values: readonly number[],
  whole: number,
): number[] => {
  const nothing = values[0] ?? 0;
  const alone = values.slice(1, units + 1).map((value) => value - nothing);
  const pairs = weights.map((weight, pair): Row => {
    const at = 1 + units + 2 * pair;
    return {
      signs: coalitions[at]!.map((isKept) => (isKept ? 1 : -1)),
      difference: (values[at] ?? 0) - (values[at + 1] ?? 0),
      weight,
    };
  });
  if (!isExact && rests > 0) {
    const first = coalitions.length - rests;
    pairs.push(
      ...alone.map((_, unit) => ({
        signs: alone.map((_, other) => (other === unit ? 1 : -1)),
        difference: (values[1 + unit] ?? 0) - (values[first + unit] ?? 0),
        weight: 1,
      })),
    );
  }
  const rows = [...pairs, { signs: alone.map(() => 1), difference: whole - nothing, weight: WHOLE }];
  const pull: number = isExact ? 1e-9 : TRUST_IN_ALONE;
  const scale = isExact ? 0 : scaleOf(pairs, alone);
  const matrix = alone.map((_, i) => alone.map((_, j) => (i === j ? pull : 0)));
  const right = alone.map((own) => pull * scale * own);
  for (const { signs, difference, weight } of rows) {
    signs.forEach((sign, i) => {
      right[i] = right[i]! + weight * sign * difference;
      const row = matrix[i]!;
      signs.forEach((other, j) => (row[j] = row[j]! + weight * sign * other));
    });
  }
  return solve(matrix, right);
};

interface Row {
  readonly signs: readonly number[];
  readonly difference: number;
  readonly weight: number;
}

/** The factor by which what units say alone fits the pairs best, in a saturated text below 1. */
const scaleOf = (rows: readonly Row[], alone: readonly number[]): number => {
  let product = 0;
  let squares = 1e-9;
  for (const { signs, difference } of rows) {
    const expected = signs.reduce((sum, sign, i) => sum + sign * (alone[i] ?? 0), 0);
    product += expected * difference;
    squares += expected * expected;
  }
  return Math.min(1, Math.max(0, product / squares));
};

/** Solves a symmetric, positive definite system by Gaussian elimination, in place. */
const solve = (matrix: number[][], right: number[]): number[] => {
  const count = right.length;
  for (let k = 0; k < count; k++) {
    for (let i = k + 1; i < count; i++) {
      const factor = matrix[i]![k]! / matrix[k]![k]!;
      if (factor === 0) continue;
      for (let j = k; j < count; j++) matrix[i]![j] = matrix[i]![j]! - factor * matrix[k]![j]!;
      right[i] = right[i]! - factor * right[k]!;
    }
  }
  const solution = new Array<number>(count).fill(0);
  for (let i = count - 1; i >= 0; i--) {
    let rest = right[i]!;
    for (let j = i + 1; j < count; j++) rest -= matrix[i]![j]! * solution[j]!;
    solution[i] = rest / matrix[i]![i]!;
  }
  return solution;
};

/** A seeded generator of numbers in [0, 1) (mulberry32): the same text always has the same explanation. */
const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
