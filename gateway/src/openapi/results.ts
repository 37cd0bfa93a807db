import { ANALYSIS_TYPE, DIMENSION, OPERATION_TYPE, SOURCE } from "../json/spelling.js";
import { array, boolean, integer, nullable, object, oneOf, orNull, ref, string, type Schema } from "./schema.js";

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

/** Labels of postings, named by the interface for results as well. */
export const LABELS = { realSentiments: REAL_SENTIMENTS, intentions: INTENTIONS };

const prob = { type: "number", minimum: 0, maximum: 1, description: "Calibrated probability." };

function classification(description: string, values?: readonly string[]): Schema {
  const value = values === undefined ? string() : oneOf(values);
  return object({ value, prob }, { description });
}

const PERSONALITY = object(
  {
    value: string("Focus, information, decisions and lifestyle, a letter each.", { pattern: "^[EI][SN][TF][JP]$" }),
    prob1: prob,
    prob2: prob,
    prob3: prob,
    prob4: prob,
    group: boolean("Whether several contents were looked at together."),
  },
  { description: "personality-mb" },
);

const TOPIC = object({
  value: string("A word or phrase of the content."),
  topic_type: oneOf(["entity", "noun-chunk"]),
  sub_type: nullable(string("Tag of the entity, or part of speech of the chunk's head.")),
});

const CAPTION = object({
  description: nullable(string("What an image shows.")),
  duration: nullable(string("Length of a video, HH:MM:SS.")),
  descriptions: {
    type: ["array", "null"],
    items: object({ timestamp: string("HH:MM:SS from the start."), description: string() }),
  },
});

/** Schemas of what an operation found. */
export const RESULT_SCHEMAS: Readonly<Record<string, Schema>> = {
  AnalysisType: oneOf(ANALYSIS_TYPE.names, "What to find out about a content."),
  ContentResult: object(
    {
      type: oneOf(OPERATION_TYPE.names),
      content: { type: ["string", "integer"], description: "The text, file id or file URL." },
      dimensions: array(oneOf(DIMENSION.names), { description: "What the content offers to analyse." }),
      analysis_type: array(ref("AnalysisType"), { description: "The same as `analysis_types`." }),
      analysis_types: array(ref("AnalysisType"), { description: "The analyses that apply to this content." }),
      analyses: array(ref("Analysis")),
      error: string("Why an analysis of this content has no result."),
    },
    { optional: ["error"] },
  ),
  Analysis: object({
    source: oneOf(SOURCE.names, "Where the analysed words or pixels came from."),
    type: ref("AnalysisType"),
    dimension: oneOf(DIMENSION.names),
    group_index: nullable(integer("Index into `query.contents_groups`.", { minimum: 0 })),
    data: orNull(ref("AnalysisData")),
  }),
  AnalysisData: {
    description: "Its form depends on the type of the analysis.",
    anyOf: [
      classification("sentiment-simple", ["positive", "neutral", "negative"]),
      classification("sentiment-real", REAL_SENTIMENTS),
      classification("spam-detection", ["spam", "ham"]),
      classification("intention", INTENTIONS),
      PERSONALITY,
      array(TOPIC, { description: "topic" }),
      array(classification("A detected label."), { description: "face-id, object-id, activity-id, logo-id" }),
      array(CAPTION, { description: "caption" }),
    ],
  },
};
