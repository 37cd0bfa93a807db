import type { Analysis } from "../../data/postings.js";
import type { Mark } from "../../parts/marked-text/marked-text.js";
import { fromCodePoints } from "../../parts/marked-text/spans.js";
import { words } from "../../words/postings.js";

interface Explained {
  readonly value: string;
  readonly prob: number;
  readonly explanation?: {
    readonly probabilities: Readonly<Record<string, number>>;
    readonly spans: readonly { readonly start: number; readonly end: number; readonly weight: number }[];
  };
}

/** The label of an analysis that chooses one of several; undefined for those that do not. */
export function explainedOf(analysis: Analysis | undefined): Explained | undefined {
  switch (analysis?.type) {
    case "sentiment-simple":
    case "sentiment-real":
    case "intention":
    case "spam-detection": {
      return analysis.data;
    }
    default:
      return undefined;
  }
}

/** The marks of an analysis in the text of a posting: the words that decided, or where its topics stand. */
export function marksOf(text: string, analysis: Analysis | undefined): readonly Mark[] {
  if (analysis?.type === "topic") {
    const ranges = analysis.data.flatMap(({ value, offsets = [] }) =>
      offsets.map(({ start, end }) => ({ start, end, title: words.postings.topicMark(value) })),
    );
    return fromCodePoints(text, ranges).map((range) => ({ ...range, tone: "topic", strength: 1 }));
  }
  const explained = explainedOf(analysis);
  if (analysis === undefined || explained?.explanation === undefined) return [];
  const label = nameOfLabel(analysis.type, explained.value);
  return fromCodePoints(text, explained.explanation.spans).map(({ start, end, weight }) => ({
    start,
    end,
    tone: weight < 0 ? "against" : "for",
    strength: Math.abs(weight),
    title: weight < 0 ? words.postings.markAgainst(label, -weight) : words.postings.markFor(label, weight),
  }));
}

/** A label of an analysis as people say it. */
export function nameOfLabel(type: string, value: string): string {
  if (type === "sentiment-simple") return words.labels.polarity(value);
  if (type === "sentiment-real") return words.labels.emotion(value);
  if (type === "intention") return words.labels.intention(value);
  return words.postings.spamLabels[value] ?? value;
}
