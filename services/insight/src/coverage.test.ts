import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markComplete, markMissed, markThin, without } from "./coverage.js";
import type { CoverageSpan } from "./store/records.js";

const range = fc
  .tuple(fc.nat(1000), fc.integer({ min: 1, max: 100 }))
  .map(([from, length]) => ({ from, to: from + length }));
const change = fc.tuple(fc.constantFrom("complete", "thin", "missed"), range);

type Change = readonly [kind: string, range: { from: number; to: number }];

function apply(spans: readonly CoverageSpan[], [kind, { from, to }]: Change): CoverageSpan[] {
  if (kind === "complete") return markComplete(spans, { from, to });
  if (kind === "thin") return markThin(spans, { from, to }, "page_limit");
  return markMissed(spans, { from, to: Math.max(to, spans.at(-1)?.to ?? to) }, "outage");
}

function isCompleteAt(spans: readonly CoverageSpan[], time: number): boolean {
  return spans.some(({ from, to, completeness }) => from <= time && time < to && completeness === "complete");
}

describe("spans of coverage", () => {
  it("follow each other without gaps, overlaps or needless borders, whatever happens", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const spans = changes.reduce<CoverageSpan[]>(apply, []);
        for (const [index, span] of spans.entries()) {
          expect(span.from).toBeLessThan(span.to);
          const next = spans[index + 1];
          if (next === undefined) continue;
          expect(next.from).toBe(span.to);
          expect([next.completeness, ...next.reasons]).not.toEqual([span.completeness, ...span.reasons]);
        }
      }),
    );
  });

  it("stay complete where they were once, as long as they are few", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 15 }), change, fc.nat(1100), (changes, last, time) => {
        const before = changes.reduce<CoverageSpan[]>(apply, []);
        if (isCompleteAt(before, time)) expect(isCompleteAt(apply(before, last), time)).toBe(true);
      }),
    );
  });

  it("are joined when there are many, the oldest first, without becoming complete", () => {
    let spans: CoverageSpan[] = [];
    for (let each = 0; each < 500; each += 1) {
      spans = markComplete(spans, { from: each * 20, to: each * 20 + 10 });
      spans = markMissed(spans, { from: 0, to: each * 20 + 20 }, "outage");
    }
    expect(spans.length).toBeLessThanOrEqual(64);
    expect(spans[0]).toMatchObject({ from: 0, completeness: "thin", reasons: ["outage"] });
    expect(spans.at(-1)).toEqual({ from: 9990, to: 10_000, completeness: "unknown", reasons: ["outage"] });
  });

  it("leave out what others cover", () => {
    const others = [
      { from: 5, to: 8 },
      { from: 0, to: 2 },
      { from: 7, to: 9 },
    ];
    expect(without({ from: 1, to: 12 }, others)).toEqual([
      { from: 2, to: 5 },
      { from: 9, to: 12 },
    ]);
  });
});
