import type { ExplainedSpan } from "../../types.js";
import { codePointOffsets } from "../code-points.js";

/** The evidence of one word for or against a label. */
export interface WordEvidence {
  /** UTF-16 offsets into the text, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  /** For (+) or against (-) the label, in log-odds. */
  readonly evidence: number;
}

const SPANS_MAX = 10;
/** Less evidence is noise of the sampling. */
const FLOOR = 0.1;
/** Words below this share of the strongest one are not shown. */
const SHOWN_SHARE = 0.02;
/** Neighbors above this share of the strongest one are shown as one span. */
const JOINED_SHARE = 0.5;

/**
 * The spans of a text that contributed most to a decision, strongest first, at most 10; `words` is in text order. None
 * where no single words decided. `share` is the weight of a part of the text that is read at once: in a long text, a
 * word can do only so much.
 */
export const explainedSpans = (text: string, words: readonly WordEvidence[], share = 1): ExplainedSpan[] => {
  const strongest = words.reduce((most, { evidence }) => Math.max(most, Math.abs(evidence)), 0);
  const least = Math.max(FLOOR * share, strongest * SHOWN_SHARE);
  const shown = words.filter(({ start, end, evidence }) => end > start && Math.abs(evidence) >= least);
  const toCodePoints = codePointOffsets(text);
  return join(text, shown, strongest * JOINED_SHARE)
    .sort((a, b) => Math.abs(b.evidence) - Math.abs(a.evidence) || a.start - b.start)
    .slice(0, SPANS_MAX)
    .map(({ start, end, evidence }) => ({
      start: toCodePoints(start),
      end: toCodePoints(end),
      text: text.slice(start, end),
      weight: round(Math.tanh(evidence / 2)),
    }))
    .filter(({ weight }) => weight !== 0);
};

const join = (text: string, words: readonly WordEvidence[], strong: number): WordEvidence[] => {
  const spans: WordEvidence[] = [];
  let previous: WordEvidence | undefined;
  for (const word of words) {
    const last = spans.at(-1);
    if (last !== undefined && previous !== undefined && belongTogether(text, previous, word, strong)) {
      spans[spans.length - 1] = {
        start: last.start,
        end: Math.max(last.end, word.end),
        evidence: last.evidence + word.evidence,
      };
    } else {
      spans.push(word);
    }
    previous = word;
  }
  return spans;
};

/** Both are strong, of the same sign, and separated by white space only; or they are parts of the same written word. */
const belongTogether = (text: string, one: WordEvidence, next: WordEvidence, strong: number): boolean => {
  if (next.start < one.end) return true;
  const strongBoth = Math.abs(one.evidence) > strong && Math.abs(next.evidence) > strong;
  return strongBoth && one.evidence > 0 === next.evidence > 0 && text.slice(one.end, next.start).trim() === "";
};

const round = (weight: number): number => Math.min(1, Math.max(-1, Math.round(weight * 1e4) / 1e4));
