import { type Classification, CLASSIFYING_ANALYSES, type ExplainedSpan, type Topic } from "@hourglass/analysis";
import type { TextOutcome } from "../records/text-outcome.js";

/** What becomes of the parts of explanations that stand in a text. */
export interface ExplanationChange {
  spans: (spans: ExplainedSpan[]) => ExplainedSpan[];
  topics: (topics: Topic[]) => Topic[];
}

/** The outcome with its explanations changed. */
export function changeExplanations(outcome: TextOutcome, change: ExplanationChange): TextOutcome {
  const results = { ...outcome.results };
  for (const type of CLASSIFYING_ANALYSES) {
    const result = results[type];
    if (result !== undefined) results[type] = changeSpans(result, change);
  }
  if (results.topic !== undefined) results.topic = change.topics(results.topic);
  return { ...outcome, results };
}

function changeSpans(classification: Classification, { spans }: ExplanationChange): Classification {
  const { explanation } = classification;
  if (explanation === undefined) return classification;
  return { ...classification, explanation: { ...explanation, spans: spans(explanation.spans) } };
}
