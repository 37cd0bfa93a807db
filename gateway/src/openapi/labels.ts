import { enumeration, type Schema } from "./schema.js";

const REAL_SENTIMENTS = [
  "acceptance_self",
  "acceptance",
  "anger",
  "annoyance",
  "anxiety",
  "calmness",
  "contentment",
  "disgust_self",
  "disgust",
  "dislike_self",
  "dislike",
  "eagerness",
  "fear",
  "joy",
  "melancholy",
  "pleasantness_self",
  "pleasantness",
  "responsiveness",
  "sadness",
  "serenity",
];
const INTENTIONS = [
  "assertion",
  "valuation",
  "palinode",
  "contrition",
  "forecast",
  "wish",
  "proposal",
  "inducement",
  "none",
];

/** A classifier of texts: its analysis type, the name of the schema of its labels, and the labels. */
interface Classifier {
  readonly type: string;
  readonly label: string;
  readonly values: readonly string[];
}

/** Every classifier of texts; the schemas of its results are named after its label. */
export const CLASSIFIERS: readonly Classifier[] = [
  { type: "sentiment-simple", label: "SimpleSentiment", values: ["positive", "neutral", "negative"] },
  { type: "sentiment-real", label: "RealSentiment", values: REAL_SENTIMENTS },
  { type: "spam-detection", label: "Spam", values: ["spam", "ham"] },
  { type: "intention", label: "Intention", values: INTENTIONS },
];

/** Schemas of the labels, which results and postings share. */
export const LABEL_SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  CLASSIFIERS.map(({ type, label, values }) => [label, enumeration(values, `A label of ${type}.`)]),
);
