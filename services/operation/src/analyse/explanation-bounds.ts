import type { Classification, ExplainedSpan, Topic } from "@hourglass/analysis";
import type { TextOutcome } from "../records/text-outcome.js";

// What explanations may add to the outcome of one text: 34 probabilities, 40 spans of 64 code points and 500 offsets, less
// than 18 KiB on the wire. So the largest operation, a thousand contents of 20 MiB in all, which its answer holds twice,
// stays within the 64 MiB of a message, and a part of a hundred within the 16 MB of a document.

/** Spans of one classification. */
const SPANS_MAX = 10;
/** Of the text of a span, in code points. */
const SPAN_CHARACTERS_MAX = 64;
/** Of all topics of one text. */
const OFFSETS_MAX = 500;

const CLASSIFICATIONS = ["sentiment-simple", "sentiment-real", "spam-detection", "intention"] as const;

/** The outcome with what explains it cut down to its bounds. */
export function withinBounds(outcome: TextOutcome): TextOutcome {
  const results = { ...outcome.results };
  for (const type of CLASSIFICATIONS) {
    const result = results[type];
    if (result !== undefined) results[type] = boundSpans(result);
  }
  if (results.topic !== undefined) results.topic = boundOffsets(results.topic);
  return { ...outcome, results };
}

function boundSpans(classification: Classification): Classification {
  const { explanation } = classification;
  if (explanation === undefined) return classification;
  const spans = explanation.spans.slice(0, SPANS_MAX).map(boundText);
  return { ...classification, explanation: { ...explanation, spans } };
}

function boundText(span: ExplainedSpan): ExplainedSpan {
  if (span.text.length <= SPAN_CHARACTERS_MAX) return span;
  // A code point takes two UTF-16 units at most.
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

/** The largest number that each may have when all together may have `total`: who needs less leaves more to the others. */
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
