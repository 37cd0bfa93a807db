import { expect } from "vitest";

export interface Violations {
  lost: readonly (string | number)[];
  twice: readonly (string | number)[];
  broken: readonly string[];
}

/** Characters of each violation in the failure; the report on stdout has them in full. */
const SENTENCE_MAX = 2000;
const NAMED_MAX = 5;

/** Fails unless nothing was lost, nothing was done twice and nothing is broken. Its failure names what was. */
export function expectIntact({ lost, twice, broken }: Violations): void {
  const violations = [
    ...broken.map((sentence) => `broken: ${sentence}`),
    ...lost.map((what) => `lost: ${what}`),
    ...twice.map((what) => `twice: ${what}`),
  ];
  const named = violations
    .slice(0, NAMED_MAX)
    .map((sentence) => sentence.slice(0, SENTENCE_MAX).replaceAll("\n", " | "));
  expect(violations.length, `${violations.length} violations: ${named.join("; ")}`).toBe(0);
}
