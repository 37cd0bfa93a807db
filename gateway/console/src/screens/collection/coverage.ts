/** A span of time with what is known of it. */
interface CoveredSpan {
  readonly start: string;
  readonly end: string;
  readonly completeness: string;
}

interface Bounds {
  readonly start: number;
  readonly end: number;
}

/** From the beginning of the first to the end of the last; undefined without any. */
export function boundsOf(spans: readonly Pick<CoveredSpan, "start" | "end">[]): Bounds | undefined {
  if (spans.length === 0) return undefined;
  return {
    start: Math.min(...spans.map(({ start }) => Date.parse(start))),
    end: Math.max(...spans.map(({ end }) => Date.parse(end))),
  };
}

/** Where a span stands in a band, in parts of its length. */
export function placedIn(
  bounds: Bounds,
  span: Pick<CoveredSpan, "start" | "end">,
): { readonly from: number; readonly width: number } {
  const length = Math.max(1, bounds.end - bounds.start);
  return {
    from: (Date.parse(span.start) - bounds.start) / length,
    width: (Date.parse(span.end) - Date.parse(span.start)) / length,
  };
}

/** How much of the time is complete, from 0 to 1. */
export function shareOfComplete(spans: readonly CoveredSpan[]): number {
  const lengthOf = ({ start, end }: CoveredSpan): number => Date.parse(end) - Date.parse(start);
  const sum = (some: readonly CoveredSpan[]): number => some.reduce((total, span) => total + lengthOf(span), 0);
  const all = sum(spans);
  return all === 0 ? 0 : sum(spans.filter(({ completeness }) => completeness === "complete")) / all;
}
