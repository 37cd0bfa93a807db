import { describe, expect, it } from "vitest";
import { pauseAfter } from "./retry-policy.js";

describe("a retry policy", () => {
  const failures = [1, 2, 3, 4, 60];

  it("doubles the pause up to the longest, however many failures there are", () => {
    const policy = { firstMs: 100, maxMs: 500, jitter: 0 };
    expect(failures.map((count) => pauseAfter(policy, count))).toEqual([100, 200, 400, 500, 500]);
  });

  it("multiplies it by another factor where one is given", () => {
    const policy = { firstMs: 5, factor: 3, maxMs: 60, jitter: 0 };
    expect(failures.map((count) => pauseAfter(policy, count))).toEqual([5, 15, 45, 60, 60]);
  });

  it("spreads pauses to both sides, by a quarter where nothing else is said", () => {
    const policy = { firstMs: 1000, maxMs: 1000 };
    expect([0, 0.5, 1].map((random) => pauseAfter(policy, 1, random))).toEqual([750, 1000, 1250]);
    expect([0, 1].map((random) => pauseAfter({ ...policy, jitter: 1 }, 1, random))).toEqual([0, 2000]);
  });
});
