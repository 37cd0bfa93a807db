/** A part of a text, in UTF-16 code units, the characters of JavaScript; `end` is exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A piece of the text that all the same spans cover. */
export interface Segment<S extends TextSpan> {
  readonly start: number;
  readonly text: string;
  /** The spans that cover it, in the order in which they were given; none: plain text. */
  readonly spans: readonly S[];
}

/**
 * Cuts a text where spans begin and end, so that overlapping ones can be drawn. Spans outside of the text are cut off, and no
 * character is cut in two.
 */
export function segmentsOf<S extends TextSpan>(text: string, spans: readonly S[]): Segment<S>[] {
  const placed = spans
    .map((span, order) => ({ span, order, ...within(text, span) }))
    .filter(({ start, end }) => start < end)
    .sort((a, b) => a.start - b.start);
  const cuts = [...new Set([0, ...placed.flatMap(({ start, end }) => [start, end]), text.length])].sort(
    (a, b) => a - b,
  );
  const segments: Segment<S>[] = [];
  let next = 0;
  let open: typeof placed = [];
  for (const [at, start] of cuts.entries()) {
    const end = cuts[at + 1];
    if (end === undefined) break;
    open = open.filter((entry) => entry.end > start);
    for (let entry = placed[next]; entry !== undefined && entry.start <= start; entry = placed[++next])
      open.push(entry);
    open.sort((a, b) => a.order - b.order);
    segments.push({ start, text: text.slice(start, end), spans: open.map(({ span }) => span) });
  }
  return segments;
}

/** A span inside of the text, widened where it would cut a character in two; one that covers nothing stays empty. */
function within(text: string, { start, end }: TextSpan): TextSpan {
  const from = Math.max(0, Math.min(text.length, Math.trunc(start)));
  const to = Math.max(0, Math.min(text.length, Math.trunc(end)));
  if (from >= to) return { start: from, end: from };
  return { start: isInside(text, from) ? from - 1 : from, end: isInside(text, to) ? to + 1 : to };
}

/** Whether the place is between the two halves of a character. */
function isInside(text: string, at: number): boolean {
  return isHalf(text.charCodeAt(at - 1), 0xd800) && isHalf(text.charCodeAt(at), 0xdc00);
}

function isHalf(unit: number, first: number): boolean {
  return unit >= first && unit < first + 0x400;
}

/** Spans that count Unicode code points, as the interface does unless it is asked for code units. */
export function fromCodePoints<S extends TextSpan>(text: string, spans: readonly S[]): S[] {
  const wanted = [...new Set(spans.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const units = new Map<number, number>();
  let unit = 0;
  let point = 0;
  for (const place of wanted) {
    for (; point < place && unit < text.length; point++) unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
    units.set(place, unit);
  }
  return spans.map((span) => ({ ...span, start: units.get(span.start) ?? 0, end: units.get(span.end) ?? 0 }));
}
