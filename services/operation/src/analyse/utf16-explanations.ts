import { utf16Offsets } from "@hourglass/analysis";
import type { TextOutcome } from "../records/text-outcome.js";
import { changeExplanations } from "./change-explanations.js";

/** The outcome of a text with the offsets of its explanations in UTF-16; the analyses give them in code points. */
export function inUtf16(outcome: TextOutcome, text: string): TextOutcome {
  const toUtf16 = utf16Offsets(text);
  const move = <T extends { start: number; end: number }>(range: T): T => ({
    ...range,
    start: toUtf16(range.start),
    end: toUtf16(range.end),
  });
  return changeExplanations(outcome, {
    spans: (spans) => spans.map(move),
    topics: (topics) =>
      topics.map((topic) => ({ ...topic, ...(topic.offsets && { offsets: topic.offsets.map(move) }) })),
  });
}
