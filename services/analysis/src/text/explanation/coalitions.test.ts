import { describe, expect, it } from "vitest";
import { type Coalition, creditsOf, planCoalitions } from "./coalitions.js";

/** The credits in a game that is judged by a function of the units that are kept. */
const creditsIn = (units: number, judge: (kept: Coalition) => number, budget = 20 * units): number[] => {
  const plan = planCoalitions({ units: new Array<number>(units).fill(1), besides: 1, budget });
  return creditsOf(plan, plan.coalitions.map(judge), judge(new Array<boolean>(units).fill(true)));
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const additive =
  (weights: readonly number[]) =>
  (kept: Coalition): number =>
    sum(weights.filter((_, unit) => kept[unit]));

describe("the credits of units", () => {
  it.each([1, 2, 3, 5, 12, 32])("of %i that act alone are what each adds", (units) => {
    const weights = Array.from({ length: units }, (_, unit) => (unit % 3) - 0.5);
    const credits = creditsIn(units, additive(weights));
    credits.forEach((credit, unit) => expect(credit).toBeCloseTo(weights[unit] ?? 0, 1));
  });

  it("are exact for few units: two of which either suffices share the credit", () => {
    const credits = creditsIn(3, ([first, second]) => (first === true || second === true ? 1 : 0));
    expect(credits.map((credit) => Math.round(credit * 1e3) / 1e3)).toEqual([0.5, 0.5, 0]);
  });

  it("find every good word of a text that any of them makes good", () => {
    const good = new Set([1, 4, 7]);
    const credits = creditsIn(
      10,
      (kept) => 3 * Math.tanh(kept.filter((isKept, unit) => isKept && good.has(unit)).length),
    );
    const [least, most] = [
      Math.min(...[...good].map((unit) => credits[unit] ?? 0)),
      Math.max(...credits.filter((_, unit) => !good.has(unit))),
    ];
    expect(least).toBeGreaterThan(0.5);
    expect(most).toBeLessThan(least / 2);
    expect(sum(credits)).toBeCloseTo(3 * Math.tanh(3), 1);
  });

  it("are drawn the same each time, within what they may cost", () => {
    const costs = { units: Array.from({ length: 20 }, (_, unit) => 1 + (unit % 3)), besides: 2, budget: 500 };
    const plan = planCoalitions(costs);
    expect(planCoalitions(costs)).toEqual(plan);
    const costOf = (kept: Coalition): number => 2 + sum(costs.units.filter((_, unit) => kept[unit]));
    expect(sum(plan.coalitions.map(costOf))).toBeLessThanOrEqual(500);
    expect(plan.coalitions.length).toBeGreaterThan(30);
  });

  it("count in half what the text loses without each, where that is judged", () => {
    const costs = { units: [1, 1, 1], besides: 1, budget: 60, restsMax: 3 };
    const plan = planCoalitions(costs);
    const judge = ([first, second, third]: Coalition): number =>
      (first === true || second === true ? 1 : 0) + (third === true ? 1 : 0);
    const credits = creditsOf(plan, plan.coalitions.map(judge), 2);
    expect(credits.map((credit) => Math.round(credit * 1e3) / 1e3)).toEqual([0.25, 0.25, 1]);
    expect(planCoalitions({ ...costs, restsMax: 2 }).rests).toBe(0);
  });

  it("of texts whose units are only left out one by one are near what each adds", () => {
    const weights = [2, -1, 0.5, 0, 1, -0.5];
    const plan = planCoalitions({ units: weights.map(() => 1), besides: 1, budget: 0, restsMax: 6 });
    expect(plan.weights).toEqual([]);
    creditsOf(plan, plan.coalitions.map(additive(weights)), sum(weights)).forEach((credit, unit) => {
      expect(credit).toBeCloseTo(weights[unit] ?? 0, 1);
    });
  });

  it("of nothing are none", () => {
    expect(creditsIn(0, () => 1)).toEqual([]);
  });
});
