import { describe, expect, test } from "vitest";
import { countTicks, timeTicks } from "./scales.js";

describe("an axis of counts", () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [67, [0, 20, 40, 60, 80]],
    [1_000_000, [0, 500_000, 1_000_000]],
  ])("up to %i has the lines %j", (most, expected) => {
    expect(countTicks(most)).toEqual(expected);
  });

  test("never ends below the largest value", () => {
    for (let most = 0; most < 3_000; most += 7) expect(countTicks(most).at(-1)).toBeGreaterThanOrEqual(most);
  });
});

describe("an axis of time", () => {
  const days = (first: string, count: number): number[] =>
    Array.from({ length: count }, (_, at) => Date.parse(first) + at * 86_400_000);
  const hours = (first: string, count: number): number[] =>
    Array.from({ length: count }, (_, at) => Date.parse(first) + at * 3_600_000);

  test("marks every day if there is room", () => {
    expect(timeTicks(days("2026-11-24", 3), "day", 5)).toEqual([0, 1, 2]);
  });

  test("marks Mondays if there is less", () => {
    const starts = days("2026-11-01", 30);
    const marked = timeTicks(starts, "day", 6).map((at) => new Date(starts[at] ?? 0).getUTCDay());
    expect(marked).toEqual([1, 1, 1, 1, 1]);
  });

  test("marks midnight among hours", () => {
    const starts = hours("2026-11-24T05:00Z", 96);
    const marked = timeTicks(starts, "hour", 5).map((at) => new Date(starts[at] ?? 0).getUTCHours());
    expect(marked).toEqual([0, 0, 0, 0]);
  });

  test("marks quarters among months", () => {
    const starts = Array.from({ length: 24 }, (_, at) => Date.UTC(2025, at, 1));
    expect(timeTicks(starts, "month", 8).map((at) => at % 12)).toEqual([0, 3, 6, 9, 0, 3, 6, 9]);
  });

  test("has one mark at least", () => {
    expect(timeTicks(days("2026-11-24", 2), "day", 0)).toHaveLength(1);
    expect(timeTicks(days("2026-11-25", 3), "day", 0)).toEqual([0]);
  });

  test("has no more marks than there is room for", () => {
    for (const room of [2, 5, 9, 20]) {
      for (const count of [10, 30, 92, 366]) {
        expect(timeTicks(days("2026-01-01", count), "day", room).length).toBeLessThanOrEqual(room + 1);
      }
    }
  });
});
