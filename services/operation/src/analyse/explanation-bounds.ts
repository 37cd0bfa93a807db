import type { ExplainedSpan, Topic } from "@hourglass/analysis";
import type { TextOutcome } from "../records/text-outcome.js";
import { changeExplanations } from "./change-explanations.js";

// Bounds of what explanations add to the outcome of one text: 34 probabilities, 40 spans of 64 code points and 500
// offsets, less than 18 KiB on the wire. The largest operation, a thousand contents of 20 MiB in all, which its answer
// holds twice, therefore fits into the 64 MiB of a message, and a part of a hundred into the 16 MB of a document.

/** Spans per classification. */
const SPANS_MAX = 10;
/** Length of the text of a span, in code points. */
const SPAN_CHARACTERS_MAX = 64;
/** Offsets of all topics of one text together. */
const OFFSETS_MAX = 500;

/** The outcome with its explanations cut to the bounds. */
export function withinBounds(outcome: TextOutcome): TextOutcome {
  return changeExplanations(outcome, {
    spans: (spans) => spans.slice(0, SPANS_MAX).map(boundText),
    topics: boundOffsets,
  });
}

function boundText(span: ExplainedSpan): ExplainedSpan {
  if (span.text.length <= SPAN_CHARACTERS_MAX) return span;
  // A code point takes at most two UTF-16 units.
  const text = [...span.text.slice(0, 2 * SPAN_CHARACTERS_MAX)].slice(0, SPAN_CHARACTERS_MAX).join("");
  return { ...span, text };
}

function boundOffsets(topics: Topic[]): Topic[] {
  const max = fairShare(
    topics.map(({ offsets }) => offsets?.length ?? 0),
    OFFSETS_MAX,
  );
  return topics.map((topic) => {
    const { offsets } = topic;
    return offsets === undefined || offsets.length <= max ? topic : { ...topic, offsets: offsets.slice(0, max) };
  });
}

/** The largest number that each may have if all together may have `total`; unused shares go to the others. */
function fairShare(needs: readonly number[], total: number): number {
  let left = total;
  const ascending = [...needs].sort((a, b) => a - b);
  for (const [index, need] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (need > share) return share;
    left -= need;
  }
  return Infinity;
}
