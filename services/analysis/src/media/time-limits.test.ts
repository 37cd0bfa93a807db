import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Overrun, watchTime } from "./time-limits.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Watches work that uses this share of the time that passes. */
function watched(share: number) {
  const found: Overrun[] = [];
  const begun = performance.now();
  const limits = { processorMaxMs: 60_000, clockMaxMs: 600_000 };
  const measure = () => Promise.resolve(share * (performance.now() - begun));
  const end = watchTime(1, limits, (overrun) => found.push(overrun), measure);
  return { found, end };
}

it("reports work that has used up its processor time, once", async () => {
  const { found } = watched(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(found).toEqual([]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(found).toEqual(["spent"]);
});

it("gives work on a busy machine more time, and then says that it is late", async () => {
  const { found } = watched(0.05);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(found).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(found).toEqual(["late"]);
});

it("reports nothing once it has ended", async () => {
  const { found, end } = watched(1);
  await vi.advanceTimersByTimeAsync(30_000);
  end();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(found).toEqual([]);
});
