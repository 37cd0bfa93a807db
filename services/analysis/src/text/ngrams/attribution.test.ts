import { describe, expect, it } from "vitest";
import { createDocument } from "../document.js";
import { attribute, type Weigh } from "./attribution.js";
import { featurize } from "./features.js";
import { BUCKETS } from "./buckets.js";

/** Arbitrary weights; these differ between buckets and exclude the dense features. */
const weigh: Weigh = (bucket) => (bucket < BUCKETS ? Math.sin(bucket) : 0);

const TEXTS = [
  ["a post", "not good, not good at all &amp; never again!!! 😀 don't"],
  ["an odd post", "ＧＯＯＤ ﬁne day <br/> @bob http://x.co 12:30"],
  ["a long text", "This is a sentence of some length, and it comes again. ".repeat(30)],
] as const;

describe("attribute", () => {
  it.each(TEXTS)("shares the whole score of the n-grams among the words of %s", (_, text) => {
    const { buckets, values } = featurize(text);
    const score = buckets.reduce((sum, bucket, i) => sum + weigh(bucket) * (values[i] ?? 0), 0);
    const shares = attribute(createDocument(text), weigh).reduce((sum, { evidence }) => sum + evidence, 0);
    expect(shares).toBeCloseTo(score, 4);
  });

  it.each(TEXTS)("says in order which parts of %s it speaks of", (_, text) => {
    let before = 0;
    for (const { start, end } of attribute(createDocument(text), weigh)) {
      expect(start).toBeGreaterThanOrEqual(before);
      expect(end).toBeGreaterThan(start);
      expect(text.slice(start, end)).toMatch(/^\S+$/);
      before = start;
    }
  });

  it("gives a word what the dense features lose without it", () => {
    const dense: Weigh = (bucket) => (bucket >= BUCKETS ? 1 : 0);
    const [day, , awful] = attribute(createDocument("day was awful"), dense);
    expect(Math.abs(awful?.evidence ?? 0)).toBeGreaterThan(Math.abs(day?.evidence ?? 0));
  });
});
