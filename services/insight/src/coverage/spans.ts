import type { GapReason } from "../platforms/connector.js";
import type { CoverageSpan } from "../records/coverage-span.js";

/** More spans are joined, oldest first, so that the record of a search stays small. */
const SPANS_MAX = 64;

interface Range {
  from: number;
  to: number;
}

/** Marks a range as collected, whatever was known of it. */
export function markComplete(spans: readonly CoverageSpan[], range: Range): CoverageSpan[] {
  return overlay(spans, [{ ...range, completeness: "complete", reasons: [] }]);
}

/** Marks a range as possibly incomplete, except where it is complete. */
export function markThin(spans: readonly CoverageSpan[], range: Range, reason: GapReason): CoverageSpan[] {
  return markExceptComplete(spans, range, { completeness: "thin", reasons: [reason] });
}

/** Marks a range as not collected, except where it is complete. */
export function markUnread(spans: readonly CoverageSpan[], range: Range, reason: GapReason): CoverageSpan[] {
  return markExceptComplete(spans, range, { completeness: "unknown", reasons: [reason] });
}

function markExceptComplete(
  spans: readonly CoverageSpan[],
  range: Range,
  mark: Pick<CoverageSpan, "completeness" | "reasons">,
): CoverageSpan[] {
  const pieces = without(range, spans.filter(isComplete));
  return overlay(
    spans,
    pieces.map((piece) => ({ ...piece, ...mark })),
  );
}

/** Extends the spans until a time before which nothing was collected; `from` is where they start if there are none. */
export function markMissed(spans: readonly CoverageSpan[], { from, to }: Range, reason: GapReason): CoverageSpan[] {
  const start = spans.at(-1)?.to ?? from;
  return overlay(spans, [{ from: start, to, completeness: "unknown", reasons: [reason] }]);
}

/** What remains of a range without others, in order of time. */
export function without({ from, to }: Range, others: readonly Range[]): Range[] {
  const rest: Range[] = [];
  let start = from;
  for (const other of [...others].sort((a, b) => a.from - b.from)) {
    if (other.from > start) rest.push({ from: start, to: Math.min(other.from, to) });
    start = Math.max(start, other.to);
    if (start >= to) break;
  }
  if (start < to) rest.push({ from: start, to });
  return rest.filter((range) => range.from < range.to);
}

export function isComplete({ completeness }: CoverageSpan): boolean {
  return completeness === "complete";
}

/** Puts spans over others. What lies between two spans is unknown. */
function overlay(spans: readonly CoverageSpan[], above: readonly CoverageSpan[]): CoverageSpan[] {
  const seen = above.filter(({ from, to }) => from < to);
  const below = spans.flatMap((span) => without(span, seen).map((rest) => ({ ...span, ...rest })));
  const all = [...below, ...seen].sort((a, b) => a.from - b.from);
  return bounded(joined(withoutHoles(all)));
}

function withoutHoles(spans: readonly CoverageSpan[]): CoverageSpan[] {
  return spans.flatMap((span, index) => {
    const end = spans[index - 1]?.to ?? span.from;
    if (end >= span.from) return [span];
    return [{ from: end, to: span.from, completeness: "unknown", reasons: ["pending"] }, span];
  });
}

/** Joins neighbours that differ only in time. */
export function joined(spans: readonly CoverageSpan[]): CoverageSpan[] {
  const result: CoverageSpan[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last !== undefined && isAlike(last, span)) last.to = span.to;
    else result.push({ ...span });
  }
  return result;
}

function isAlike(a: CoverageSpan, b: CoverageSpan): boolean {
  return a.completeness === b.completeness && a.reasons.join() === b.reasons.join();
}

function bounded(spans: readonly CoverageSpan[]): CoverageSpan[] {
  let rest = [...spans];
  while (rest.length > SPANS_MAX) {
    const [first, second, ...others] = rest as [CoverageSpan, CoverageSpan, ...CoverageSpan[]];
    const completeness = first.completeness === second.completeness ? first.completeness : "thin";
    const reasons = [...new Set([...first.reasons, ...second.reasons])];
    rest = joined([{ from: first.from, to: second.to, completeness, reasons }, ...others]);
  }
  return rest;
}
