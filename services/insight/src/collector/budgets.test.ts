import { NO_MEASUREMENTS } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { budgetWindow, paced } from "../platforms/budget.js";
import { type PageRequest, PlatformError } from "../platforms/connector.js";
import { Budgets, spendAs } from "./budgets.js";
import { CollectorWorld, drafts, PLATFORM } from "./testing/collector-world.js";
import { FakePlatform } from "./testing/fake-platform.js";

const DAY = 86_400_000;

describe("a budget", () => {
  let world: CollectorWorld;
  beforeEach(async () => {
    world = await CollectorWorld.open();
  });
  afterEach(() => world.close());

  const spendOf = (random = () => 0) =>
    new Budgets({ store: world.store, metrics: NO_MEASUREMENTS, now: world.now, random }).spend;

  /** A platform whose every request spends one of `limit` a day; each server has one. */
  const spending = (limit: number): FakePlatform => {
    const spend = spendOf();
    const answer = async ({ pageToken }: PageRequest) => {
      const day = budgetWindow("day", world.time);
      await spend({ name: "twitter requests", window: day.name, limit }, 1, day.to);
      return { postings: drafts(Number(pageToken ?? 0)), nextPage: Number(pageToken ?? 0) + 1 };
    };
    return new FakePlatform(...Array.from({ length: 100 }, () => answer));
  };

  it("is never overspent by several servers", async () => {
    const workers = [1, 2].map(() => {
      const platforms = new Map([[PLATFORM, { connector: spending(9) }]]);
      return { platforms, worker: world.worker({ platforms }) };
    });
    for (let each = 0; each < 4; each += 1) await world.insight();
    world.time += 1000;
    await Promise.all(workers.map(({ worker }) => worker.poll()));
    const spent = await world.store.spend({ name: "twitter requests", window: "2026-11-01", limit: 100 }, 0);
    expect(spent).toBe(9);
  });

  it("that is spent lets the search wait for the next window, and says so", async () => {
    world.platforms.set(PLATFORM, { connector: spending(2) });
    const insight = await world.insight();
    const worker = world.worker();
    await worker.pollNext();
    const search = await world.search(insight);
    expect(search).toMatchObject({ status: "budget_spent", failures: 0, poll: { pages: 2, page: 2 } });
    expect(search.dueAt).toBeGreaterThanOrEqual(Date.UTC(2026, 10, 2));
    expect(search.lastError).toContain("2026-11-02T00:00:00.000Z");
    await worker.pollNext();
    expect(await world.stored(insight)).toEqual(["s0", "s1", "s2", "s3"]);
  });

  it("keeps a share for previews", async () => {
    const spend = spendOf();
    const budget = { name: "searches", window: "2026-11-01", limit: 20 };
    await spend(budget, 18, world.time + DAY);
    await expect(spend(budget, 1, world.time + DAY)).rejects.toMatchObject({
      kind: "budget",
      retryAt: world.time + DAY,
    });
    await spendAs("preview", () => spend(budget, 2, world.time + DAY));
    const last = spendAs("preview", () => spend(budget, 1, world.time + DAY));
    await expect(last).rejects.toBeInstanceOf(PlatformError);
  });

  describe("with a window whose beginning is known", () => {
    const MINUTE = 60_000;
    const hour = { name: "requests", window: "1", limit: 200 };
    /** Spends one after the other until the budget says when it continues. */
    const spendAll = async (spend = spendOf()): Promise<{ spent: number; retryAt: number }> => {
      const from = Date.UTC(2026, 10, 1);
      for (let spent = 0; ; spent += 1) {
        try {
          await spend({ ...hour, from }, 1, from + 60 * MINUTE);
        } catch (error) {
          return { spent, retryAt: (error as PlatformError).retryAt ?? Number.NaN };
        }
      }
    };

    it("keeps the share for previews until the last tenth, then frees it evenly", async () => {
      const start = world.time;
      world.time = start + 53 * MINUTE;
      expect(await spendAll()).toEqual({ spent: 180, retryAt: start + 54 * MINUTE });
      world.time = start + 57 * MINUTE;
      expect((await spendAll()).spent).toBe(11);
      expect(await spendAs("preview", () => spendAll())).toEqual({ spent: 9, retryAt: start + 60 * MINUTE });
    });

    it("has all of it spent by the end of the window, by searches that come when it says", async () => {
      const end = world.time + 60 * MINUTE;
      let total = 0;
      while (world.time < end) {
        const { spent, retryAt } = await spendAll();
        total += spent;
        expect(retryAt).toBeGreaterThan(world.time);
        world.time = retryAt;
      }
      expect(total).toBe(200);
    });

    it("lets searches that wait for the same units come at different times", async () => {
      const start = world.time;
      await spendAll();
      const half = await spendAll(spendOf(() => 0.5));
      expect(half).toEqual({ spent: 0, retryAt: start + 57 * MINUTE });
    });
  });

  it("keeps a share for rechecks, and the rest from them", async () => {
    const spend = spendOf();
    const spendIn = (window: string, units: number) => spend({ name: "units", window, limit: 100 }, units, world.time);
    const recheckIn = (window: string, units: number) => spendAs("recheck", () => spendIn(window, units));
    await recheckIn("1", 22);
    await expect(recheckIn("1", 1)).rejects.toMatchObject({ kind: "budget" });
    await spendIn("1", 68);
    // However much searches spend of what they may: here it is spread over the window.
    const paced = { name: "paced", window: "1", limit: 100, allowed: 40 };
    await spend(paced, 40, world.time);
    await expect(spend(paced, 1, world.time)).rejects.toMatchObject({ kind: "budget" });
    await spendAs("recheck", () => spend(paced, 10, world.time));
    await expect(spendAs("recheck", () => spend(paced, 1, world.time))).rejects.toMatchObject({ kind: "budget" });
  });

  it("may be spent wholly by continuous searches if it is too small to share", async () => {
    const spend = spendOf();
    await expect(spend({ name: "a", window: "1", limit: 1 }, 1, world.time)).resolves.toBeUndefined();
  });

  it("reports what is left", async () => {
    let read: () => Promise<unknown> = () => Promise.resolve();
    const gauge = (_name: string, _help: string, reading: () => Promise<unknown>) => void (read = reading);
    const spend = new Budgets({ store: world.store, metrics: { gauge }, now: world.now }).spend;
    await spend({ name: "searches", window: "1", limit: 10 }, 3, world.time);
    expect(await read()).toEqual([{ labels: { budget: "searches" }, value: 7 }]);
  });
});

describe("windows of budgets", () => {
  const now = Date.UTC(2026, 10, 22, 9, 37, 21);

  it.each([
    ["minute", "2026-11-22T09:37", Date.UTC(2026, 10, 22, 9, 38)],
    ["quarter-hour", "2026-11-22T09:30", Date.UTC(2026, 10, 22, 9, 45)],
    ["day", "2026-11-22", Date.UTC(2026, 10, 23)],
    ["Pacific day", "2026-11-22", Date.UTC(2026, 10, 23, 8)],
    ["month", "2026-11", Date.UTC(2026, 11)],
  ] as const)("of a %s have names that sort, and end when the next one starts", (period, name, to) => {
    const window = budgetWindow(period, now);
    expect(window).toMatchObject({ name, to });
    const next = budgetWindow(period, window.to);
    expect(next.from).toBe(window.to);
    expect(next.name > name).toBe(true);
    expect(budgetWindow(period, window.from)).toEqual(window);
  });

  it.each([
    ["2026-07-01", Date.UTC(2026, 6, 2, 7), 24],
    ["2026-03-08", Date.UTC(2026, 2, 9, 7), 23],
    ["2026-11-01", Date.UTC(2026, 10, 2, 8), 25],
  ])("of the Pacific day %s, whose clocks may change, have its hours", (name, to, hours) => {
    const from = to - (hours * DAY) / 24;
    for (const time of [from, to - 1]) expect(budgetWindow("Pacific day", time)).toEqual({ name, from, to });
  });

  it("can be spent evenly", () => {
    const window = budgetWindow("day", now);
    expect(paced(24, window, window.from)).toEqual({ limit: 1, resetAt: window.from + DAY / 24 });
    expect(paced(24, window, window.from + DAY / 2)).toEqual({ limit: 13, resetAt: window.from + (DAY / 24) * 13 });
    expect(paced(24, window, window.to - 1)).toEqual({ limit: 24, resetAt: window.to });
  });
});
