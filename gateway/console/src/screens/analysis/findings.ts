import type { Mark } from "../../parts/marked-text/marked-text.js";
import { fromCodePoints } from "../../parts/marked-text/spans.js";
import type { Moment, Track } from "../../parts/media-player/moments.js";
import type { NumberedBox } from "../../parts/picture-with-boxes/boxes.js";
import type { ContentResult, Found } from "../../data/analyses.js";
import { formOf, type LabelingAnalysis } from "../../data/analysis-types.js";
import { strengthOf } from "../../data/hourglass.js";
import type { LabelTone } from "../../parts/label-bars.js";
import { probability } from "../../words/numbers.js";
import { analysisWords } from "../../words/analyses.js";
import { words } from "../../words/words.js";

/** A part of a text that spoke for a label, or against it. */
export interface DecidingSpan {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly weight: number;
}

/** A label of a text, with what decided it if that was asked for. */
export interface Classified {
  readonly value: string;
  readonly prob: number;
  readonly explanation?: {
    readonly probabilities: Readonly<Record<string, number>>;
    readonly spans: readonly DecidingSpan[];
  };
}

/** Something that was seen, and where. */
export interface Detection {
  readonly value: string;
  readonly prob: number;
  readonly count?: number;
  readonly boxes?: readonly (readonly number[])[];
  readonly moments?: readonly Moment[];
}

const LABEL_WORDS = {
  "sentiment-simple": words.labels.polarity,
  "sentiment-real": words.labels.emotion,
  intention: words.labels.intention,
  "spam-detection": (value) => analysisWords.result.spamLabels[value] ?? value,
} satisfies Record<LabelingAnalysis, (value: string) => string>;

/** The label that an analysis gave; undefined if it is of another kind. */
export function classified({ type, data }: Found): Classified | undefined {
  return formOf(type) === "label" && !Array.isArray(data) && "value" in data && "prob" in data ? data : undefined;
}

/** What an analysis has seen; undefined if it is of another kind. */
export function detections({ type, data }: Found): readonly Detection[] | undefined {
  return formOf(type) === "detections" && Array.isArray(data) ? (data as readonly Detection[]) : undefined;
}

/** A label of an analysis as people say it. */
export function labelOf(type: string, value: string): string {
  return Object.hasOwn(LABEL_WORDS, type) ? LABEL_WORDS[type as LabelingAnalysis](value) : value;
}

/** The color of a label, which its words and form say too. */
export function toneOf(type: string, value: string): LabelTone {
  if (type === "sentiment-simple")
    return value === "positive" || value === "negative" || value === "neutral" ? value : "usual";
  const strength = type === "sentiment-real" ? strengthOf(value) : undefined;
  if (strength === undefined) return "usual";
  return strength.endsWith("positive") ? "positive" : "negative";
}

/** The words of a text that decided a label, or that name its topics. Places count code units if `isUtf16`, else code points. */
export function marksOf(found: Found, text: string, isUtf16: boolean): Mark[] {
  const marks = found.type === "topic" ? topicMarks(found) : decidingMarks(found);
  return isUtf16 ? marks : fromCodePoints(text, marks);
}

function topicMarks({ data }: Extract<Found, { type: "topic" }>): Mark[] {
  return data.flatMap(({ value, offsets = [] }) => {
    const title = analysisWords.result.topicTitle(value);
    return offsets.map(({ start, end }): Mark => ({ start, end, tone: "topic", strength: 0, title }));
  });
}

function decidingMarks(found: Found): Mark[] {
  const result = classified(found);
  if (result?.explanation === undefined) return [];
  const label = labelOf(found.type, result.value);
  return result.explanation.spans.map(({ start, end, weight }): Mark => {
    const strength = Math.abs(weight);
    const title = analysisWords.result.markTitle(weight > 0, label, probability(strength));
    return { start, end, tone: weight > 0 ? "for" : "against", strength, title };
  });
}

/** How likely it shows naked people or sex, or why that is not known; undefined if the server does not rate it. */
export function nsfwSentence(found: Found): string | undefined {
  if (found.type !== "object-id" || found.nsfw === undefined) return undefined;
  const { score, at, error } = found.nsfw;
  const w = analysisWords.result;
  if (score !== undefined) return w.nsfw(score, at);
  return error === undefined ? undefined : w.noNsfw(error);
}

/** The boxes of a picture, numbered through all that was seen in it. */
export function numberedBoxes(analyses: readonly Found[]): NumberedBox[] {
  const all = analyses.flatMap((found) =>
    (detections(found) ?? []).flatMap(({ value, boxes = [] }) => boxes.map((box) => ({ label: value, box }))),
  );
  return all.map((one, at) => ({ number: at + 1, ...one }));
}

/** When what was seen in a film was seen. */
export function tracksOf(analyses: readonly Found[]): Track[] {
  return analyses.flatMap((found) =>
    (detections(found) ?? []).flatMap(({ value, prob, moments = [] }) =>
      moments.length === 0 ? [] : [{ key: `${found.type} ${value}`, label: value, probability: prob, moments }],
    ),
  );
}

/** What a content says at first glance: its sentiment, its emotion, or what is seen in it. */
export function glance({ analyses }: Pick<ContentResult, "analyses">): readonly string[] {
  return analyses.flatMap((found): string[] => {
    const result = classified(found);
    if (result !== undefined) {
      if (found.type === "sentiment-simple") {
        return [`${words.labels.polaritySign(result.value)} ${words.labels.polarity(result.value)}`];
      }
      return found.type === "sentiment-real" ? [words.labels.emotion(result.value)] : [];
    }
    if (found.type === "caption")
      return found.data.flatMap(({ description }) => (description === null ? [] : [description]));
    return found.type === "object-id" ? found.data.slice(0, 2).map(({ value }) => value) : [];
  });
}
