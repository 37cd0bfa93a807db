import { ANALYSIS_TYPE, DIMENSION, OPERATION_TYPE, SOURCE } from "../json/spelling.js";
import {
  array,
  boolean,
  integer,
  nullable,
  number,
  object,
  oneOf,
  orNull,
  ref,
  string,
  type Schema,
} from "./schema.js";

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

const prob = number("Calibrated probability: of results with 0.8, about 8 in 10 are right.", {
  minimum: 0,
  maximum: 1,
});

const WHERE = {
  start: integer("Characters before it; a character is a Unicode code point, not a UTF-16 unit.", { minimum: 0 }),
  end: integer("Characters up to its end: the index of the first one after it.", { minimum: 1 }),
};

const SPAN = object({
  ...WHERE,
  text: string("What stands there; of a long span, the first 64 characters.", { maxLength: 64 }),
  weight: number("How much it speaks for the label, up to 1, or, below 0, against it, down to -1.", {
    minimum: -1,
    maximum: 1,
  }),
});

function explanation(values: readonly string[]): Schema {
  return object(
    {
      probabilities: object(Object.fromEntries(values.map((value) => [value, prob])), {
        description: "Of every label. That of `value` is its `prob`.",
      }),
      spans: array(SPAN, {
        maxItems: 10,
        description:
          "The parts of the text that carried the decision, strongest first. Empty when no part stands out. They show " +
          "what the model looked at, not whether it is right.",
      }),
    },
    { description: "Why the text got its label. Only with `explain`." },
  );
}

function classification(description: string, values: readonly string[]): Schema {
  return object(
    { value: oneOf(values), prob, explanation: explanation(values) },
    { description, optional: ["explanation"] },
  );
}

const SECONDS = {
  start: number("Seconds from the start, to a tenth.", { minimum: 0 }),
  end: number("Seconds from the start, to a tenth.", { minimum: 0 }),
};

const DETECTION = object(
  {
    value: string("A detected label. A face is `face`, or the name of a person whom the company has enrolled."),
    prob,
    moments: array(object(SECONDS), { minItems: 1, description: "When it was seen. Videos and animations only." }),
  },
  { optional: ["moments"] },
);

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

const TOPIC = object(
  {
    value: string("A word or phrase of the content."),
    topic_type: oneOf(["entity", "noun-chunk"]),
    sub_type: nullable(string("Tag of the entity, or part of speech of the chunk's head.")),
    offsets: array(object(WHERE), {
      minItems: 1,
      maxItems: 500,
      description:
        "Every place where it stands, in order. Only with `explain`. All topics of a content have 500 at most; where " +
        "there are more, the first ones of each topic.",
    }),
  },
  { optional: ["offsets"] },
);

const MODEL = object(
  {
    id: string("Names the analysis and the kind of model; stable.", { examples: ["sentiment-simple-encoder"] }),
    version: string("Changes whenever results may change.", { examples: ["1"] }),
  },
  {
    description:
      "What made the result. Whoever runs the server chooses the engine of each analysis: `fast` (linear models and " +
      "rules), `accurate` (a small neural network), `builtin` (of pictures) or `models` (a larger model of their choice).",
  },
);

/** What is said of the model of a result; results of an older release lack it. */
const MAKING = {
  model: MODEL,
  language: string(
    "Language that the analysed text was taken for, an ISO 639-1 code; `und` when it is too short or unsure to tell.",
    { pattern: "^[a-z]{2,3}$", examples: ["en"] },
  ),
  supported: boolean(
    "Whether the model is made for that language; `und` counts as if it were. Where it is `false`, expect little of the " +
      "result: it stays close to what most texts get, with a low `prob`.",
  ),
};

const CAPTION = object({
  description: nullable(string("What an image shows.")),
  duration: nullable(string("Length of a video, HH:MM:SS.")),
  descriptions: {
    type: ["array", "null"],
    items: object({ timestamp: string("HH:MM:SS from the start."), description: string() }),
  },
});

const TRANSCRIPT = object(
  {
    text: string("All that is said; empty when nobody speaks."),
    segments: array(object({ ...SECONDS, text: string("What is said in between.") })),
    model: MODEL,
  },
  { description: "What is said in it. Present when a textual analysis was asked for and it has sound." },
);

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
      transcript: TRANSCRIPT,
      ocr_text: string(
        "What is written in its pictures, a line each. Present when a textual analysis was asked for and it has pictures.",
      ),
      error: string("Why an analysis of this content has no result."),
    },
    { optional: ["transcript", "ocr_text", "error"] },
  ),
  Analysis: object(
    {
      source: oneOf(SOURCE.names, "Where the analysed words or pixels came from."),
      type: ref("AnalysisType"),
      dimension: oneOf(DIMENSION.names),
      group_index: nullable(integer("Index into `query.contents_groups`.", { minimum: 0 })),
      data: orNull(ref("AnalysisData")),
      ...MAKING,
    },
    { optional: Object.keys(MAKING) },
  ),
  AnalysisData: {
    description: "Its form depends on the type of the analysis.",
    anyOf: [
      classification("sentiment-simple", ["positive", "neutral", "negative"]),
      classification("sentiment-real", REAL_SENTIMENTS),
      classification("spam-detection", ["spam", "ham"]),
      classification("intention", INTENTIONS),
      PERSONALITY,
      array(TOPIC, { description: "topic" }),
      array(DETECTION, { description: "face-id, object-id, activity-id, logo-id" }),
      array(CAPTION, { description: "caption" }),
    ],
  },
};
