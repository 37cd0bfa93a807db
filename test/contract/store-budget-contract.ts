import { describe, expect, it } from "vitest";
import type { StoreBench } from "./store-world.js";
import { numbersBelow } from "./support.js";

/** spend. */
export function budgetContract(bench: () => StoreBench): void {
  describe("spending a budget", () => {
    const day = (window: string) => ({ name: "searches", window, limit: 10 });

    it("spends up to the limit, and nothing where that would be exceeded", async () => {
      const { store } = bench().world;
      expect(await store.spend(day("1"), 4)).toBe(4);
      expect(await store.spend(day("1"), 7)).toBeUndefined();
      expect(await store.spend(day("1"), 6)).toBe(10);
      expect(await store.spend(day("1"), 1)).toBeUndefined();
      expect(await store.spend({ ...day("1"), name: "others" }, 10)).toBe(10);
    });

    it("begins again with a later window, which a spender of an earlier one shares", async () => {
      const { store } = bench().world;
      await store.spend(day("2026-11-22"), 10);
      expect(await store.spend(day("2026-11-23"), 3)).toBe(3);
      expect(await store.spend(day("2026-11-22"), 3)).toBe(6);
      expect(await store.spend(day("2026-11-22"), 5)).toBeUndefined();
    });

    it("lets spenders that race in two instances spend no more than the limit", async () => {
      const { world } = bench();
      const other = await world.again();
      const spends = numbersBelow(24).map((n) => (n % 2 === 0 ? world.store : other).spend(day("1"), 1));
      const spent = (await Promise.all(spends)).filter((sum) => sum !== undefined);
      expect(spent.toSorted((a, b) => a - b)).toEqual(numbersBelow(10).map((n) => n + 1));
    });

    it("refuses units that are no whole number from 0 on", async () => {
      for (const units of [-1, 1.5, Number.NaN]) {
        await expect(async () => bench().world.store.spend(day("1"), units)).rejects.toThrow(RangeError);
      }
    });
  });
}
