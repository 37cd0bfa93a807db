import { NO_MEASUREMENTS } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Budgets, spendAs } from "../collector/budgets.js";
import { CollectorWorld } from "../collector/testing/collector-world.js";
import { PacedBudget } from "./budget.js";

const DAY = 86_400_000;
const LIMIT = 3000;
const CONTINUOUS = { preview: false };
const PREVIEW = { preview: true };

let world: CollectorWorld;
let spent: () => Promise<number | undefined>;
beforeEach(async () => {
  world = await CollectorWorld.open();
  world.time = Date.UTC(2026, 10, 1);
  spent = () => world.store.spend({ name: "posts", window: "2026-11", limit: 1e9 }, 0);
});
afterEach(() => world.close());

/** The budget as one process sees it. */
function processOf(): PacedBudget {
  const spend = new Budgets({ store: world.store, metrics: NO_MEASUREMENTS, now: world.now }).spend;
  const deps = { store: world.store, spend, now: world.now, random: () => 0 };
  return new PacedBudget(deps, { name: "posts", limit: LIMIT, period: "month", units: "posts", setting: "POSTS" });
}

/** Reserves and uses as many units as one may, until the budget says when it continues. */
async function useAll(budget: PacedBudget, who = CONTINUOUS): Promise<{ used: number; retryAt: number }> {
  for (let used = 0; ; used += 10) {
    try {
      (await spendAs(who.preview ? "preview" : "search", () => budget.reserve(10, who))).commit(10);
    } catch (error) {
      return { used, retryAt: (error as { retryAt: number }).retryAt };
    }
  }
}

describe("a budget that is spread over a month", () => {
  it("gives a first request at once, and then as the month passes", async () => {
    const { used, retryAt } = await useAll(processOf());
    expect(used).toBe(10);
    expect(retryAt).toBeGreaterThan(world.time);
    world.time = retryAt;
    expect((await useAll(processOf())).used).toBe(10);
  });

  it("has nearly half of it used in the middle, and all at the end", async () => {
    world.time += 15 * DAY;
    expect((await useAll(processOf())).used).toBeCloseTo(LIMIT * 0.475, -2);
    world.time = Date.UTC(2026, 11) - 1;
    await useAll(processOf());
    expect(await spent()).toBe(LIMIT);
  });

  it("lets previews use all that is left, and continuous searches wait for that much longer", async () => {
    world.time += DAY;
    expect((await useAll(processOf(), PREVIEW)).used).toBe(LIMIT);
    expect((await useAll(processOf())).retryAt).toBe(Date.UTC(2026, 11));
  });

  it("is never overspent by several processes", async () => {
    world.time += 29 * DAY;
    await Promise.all([1, 2, 3, 4].map(() => useAll(processOf(), PREVIEW)));
    expect(await spent()).toBeLessThanOrEqual(LIMIT);
  });

  it("keeps what a request did not need for the next one of the process", async () => {
    const budget = processOf();
    world.time += 15 * DAY;
    for (let request = 0; request < 20; request += 1) (await budget.reserve(100, CONTINUOUS)).commit(1);
    expect(await spent()).toBe(100 + 19);
  });

  it("begins again with the next month, without what was left", async () => {
    const budget = processOf();
    world.time += 15 * DAY;
    (await budget.reserve(100, CONTINUOUS)).commit(0);
    world.time = Date.UTC(2026, 11, 2);
    await budget.reserve(100, CONTINUOUS);
    expect(await world.store.spend({ name: "posts", window: "2026-12", limit: 1e9 }, 0)).toBe(100);
  });

  it("says what it is, when it continues and how it is raised", async () => {
    world.time += DAY;
    await useAll(processOf());
    await expect(processOf().reserve(10, CONTINUOUS)).rejects.toThrow(
      /budget of 3000 posts a month is spread over it.*2026-11-0.*POSTS/,
    );
  });
});
