import { describe, expect, it } from "vitest";
import { planRuns } from "./session.js";

const lengths = (of: readonly number[]): number[][] => planRuns(of).map((run) => run.map((index) => of[index] ?? 0));

describe("planRuns", () => {
  it("runs every window once", () => {
    const of = Array.from({ length: 500 }, (_, i) => 3 + ((i * 37) % 94));
    expect(
      planRuns(of)
        .flat()
        .sort((a, b) => a - b),
    ).toEqual(of.map((_, i) => i));
  });

  it("runs similar windows together and others apart", () => {
    expect(lengths([10, 90, 11, 92, 10])).toEqual([
      [92, 90],
      [11, 10, 10],
    ]);
  });

  it("bounds the pieces of a run, padding included", () => {
    for (const run of lengths(Array.from({ length: 300 }, (_, i) => 20 + (i % 77)))) {
      expect(Math.max(...run) * run.length).toBeLessThanOrEqual(256);
    }
  });

  it("plans nothing for nothing", () => {
    expect(planRuns([])).toEqual([]);
  });
});
