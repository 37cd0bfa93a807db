import { describe, expect, it } from "vitest";
import { BUCKETS, bucketOf, seed, stepAll } from "./buckets.js";

describe("hash", () => {
  // Committed weights are indexed by these numbers: a change here makes every model useless without a loading error.
  it("gives the buckets the committed models were trained with", () => {
    expect([
      bucketOf(stepAll(seed(1), "love")),
      bucketOf(stepAll(seed(3), "love")),
      bucketOf(stepAll(seed(1), "😡")),
    ]).toEqual([KNOWN.word, KNOWN.characters, KNOWN.emoji]);
  });

  it("stays within the buckets for any code unit", () => {
    for (const text of ["", "\ud800", "\uffff\u0000", "x".repeat(1000)]) {
      const bucket = bucketOf(stepAll(seed(2), text));
      expect(bucket).toBeGreaterThanOrEqual(0);
      expect(bucket).toBeLessThan(BUCKETS);
    }
  });
});

const KNOWN = { word: 4883372, characters: 4258980, emoji: 132357 };
