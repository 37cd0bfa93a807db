/** A time, in milliseconds since 1970. */
export interface Bounds {
  readonly start: number;
  readonly end: number;
}

/** From the beginning of the first to the end of the last; undefined without any. */
export function boundsOf(spans: readonly { readonly start: string; readonly end: string }[]): Bounds | undefined {
  if (spans.length === 0) return undefined;
  return {
    start: Math.min(...spans.map(({ start }) => Date.parse(start))),
    end: Math.max(...spans.map(({ end }) => Date.parse(end))),
  };
}

/** The spans until now: what is to come is no gap. */
export function pastOf<T extends { readonly start: string; readonly end: string }>(
  spans: readonly T[],
  now: number,
): T[] {
  return spans
    .filter(({ start }) => Date.parse(start) < now)
    .map((span) => (Date.parse(span.end) > now ? { ...span, end: new Date(now).toISOString() } : span));
}

/** Where a span stands in a band, in parts of its length. */
export function placedIn({ start, end }: Bounds, span: Bounds): { readonly from: number; readonly to: number } {
  const length = Math.max(1, end - start);
  return { from: (span.start - start) / length, to: (span.end - start) / length };
}

/** How much of the time of spans is complete, from 0 to 1. */
export function shareOfComplete(spans: readonly (Bounds & { readonly completeness: string })[]): number {
  const sum = (some: readonly Bounds[]): number => some.reduce((total, { start, end }) => total + end - start, 0);
  const all = sum(spans);
  return all === 0 ? 0 : sum(spans.filter(({ completeness }) => completeness === "complete")) / all;
}
