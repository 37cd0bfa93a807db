import { ANALYSIS_TYPE, DIMENSION, SOURCE } from "../../json/spelling.js";
import { ResultForm } from "@hourglass/proto/options/v1/analyses";
import { ANALYSES, CLASSIFIERS } from "./analyses.js";
import {
  array,
  boolean,
  constant,
  enumeration,
  integer,
  nullable,
  number,
  object,
  ref,
  string,
  union,
  type Schema,
} from "../schema.js";

const prob = number("Calibrated probability: of results with 0.8, about 8 in 10 are right.", {
  minimum: 0,
  maximum: 1,
});

const second = number("Seconds from the start, to a tenth.", { minimum: 0 });

/** Where something stands in the analysed text. */
const RANGE = {
  start: integer("Where it begins, from 0, in Unicode code points, or in UTF-16 units if `query.offsets` is `utf16`.", {
    minimum: 0,
  }),
  end: integer("Where it ends: the offset after its last character, in the same unit.", { minimum: 1 }),
};

const TEXT_RANGE = object(RANGE);

const SPAN = object({
  ...RANGE,
  text: string(
    "What stands there; of a longer span, only the first 64 code points, whatever its offsets count. `start` and `end` " +
      "are those of the whole span.",
    { maxLength: 64 },
  ),
  weight: number("How much it speaks for the label, up to 1, or, below 0, against it, down to -1.", {
    minimum: -1,
    maximum: 1,
  }),
});

const DETECTION = object(
  {
    value: string("A detected label. A face is `face`, or the name of a person whom the company has enrolled."),
    prob,
    moments: array(ref("TimeSpan"), { minItems: 1, description: "When it was seen. Videos and animations only." }),
  },
  { optional: ["moments"] },
);

const PERSONALITY = object({
  value: string("Focus, information, decisions and lifestyle, a letter each.", { pattern: "^[EI][SN][TF][JP]$" }),
  prob1: prob,
  prob2: prob,
  prob3: prob,
  prob4: prob,
  group: boolean("Whether several contents were looked at together."),
});

const TOPIC = object(
  {
    value: string("A word or phrase of the content."),
    topic_type: ref("TopicType"),
    sub_type: nullable(string("Tag of the entity, or part of speech of the chunk's head.")),
    offsets: array(ref("TextRange"), {
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

/** Schemas of the model, language and support of a result; results of older releases lack them. */
const MAKING = {
  model: ref("Model"),
  language: string(
    "Language that the analysed text was taken for, an ISO 639-1 code; `und` when it is too short or unsure to tell, " +
      "`mul` when one part is surely in another language than the rest.",
    { pattern: "^[a-z]{2,3}$", examples: ["en"] },
  ),
  supported: boolean(
    "Whether the model is made for that language and finds something to go by in the text; `false` for `und` and `mul`, and of " +
      "`personality-mb` for fewer than five words of English. Where it is `false`, expect little of the result: in other " +
      "languages it stays close to what most texts get, with a low `prob`.",
  ),
};

const CAPTION = object({
  description: nullable(string("What an image shows.")),
  duration: nullable(string("Length of a video, HH:MM:SS.")),
  descriptions: nullable(array(ref("CaptionMoment"), { description: "What a video shows, from when on." })),
});

/** The schemas of a classifier's result: the label, its explanation, and the probability of each label. */
function classification(label: string, labels: readonly string[]): Record<string, Schema> {
  const explanation = object(
    {
      probabilities: ref(`${label}Probabilities`),
      spans: array(ref("Span"), {
        maxItems: 10,
        description:
          "The parts of the text that carried the decision, strongest first. Empty when no part stands out. They show " +
          "what the model looked at, not whether it is right.",
      }),
    },
    { description: "Why the text got its label. Only with `explain`." },
  );
  return {
    [`${label}Result`]: object(
      { value: ref(label), prob, explanation: ref(`${label}Explanation`) },
      { optional: ["explanation"] },
    ),
    [`${label}Explanation`]: explanation,
    [`${label}Probabilities`]: object(Object.fromEntries(labels.map((value) => [value, prob])), {
      description: "Of every label. That of `value` is its `prob`.",
    }),
  };
}

/** The schema of `data` for each form of results; fails for a form without one, so that a new one has to be described. */
function dataOf(name: string, form: ResultForm): Schema {
  switch (form) {
    case ResultForm.CLASSIFICATION:
      return ref(`${name}Result`);
    case ResultForm.TOPICS:
      return array(ref("Topic"));
    case ResultForm.PERSONALITY:
      return ref("Personality");
    case ResultForm.DETECTIONS:
      return array(ref("Detection"));
    case ResultForm.CAPTIONS:
      return array(ref("Caption"));
    case ResultForm.UNSPECIFIED:
      throw new Error(`proto/ says nothing of the form of the results ${name}`);
  }
}

/** Name of the schema of an analysis's entry. */
const nameOf = (name: string) => `${name}Analysis`;

function entry(type: string, data: Schema): Schema {
  return object(
    {
      source: ref("Source"),
      type: constant(type),
      dimension: ref("Dimension"),
      group_index: nullable(integer("Index into `query.contents_groups`.", { minimum: 0 })),
      data,
      ...MAKING,
    },
    { optional: Object.keys(MAKING), description: `A result of ${type}.` },
  );
}

/** Schemas of the entries of `analyses` and of what they hold. */
export const RESULT_SCHEMAS: Readonly<Record<string, Schema>> = {
  AnalysisType: enumeration(ANALYSIS_TYPE.names, "What to find out about a content."),
  Dimension: enumeration(DIMENSION.names, "What a content offers to analyse."),
  Source: enumeration(SOURCE.names, "Where the analysed words or pixels came from."),
  Analysis: union(
    "type",
    Object.fromEntries(ANALYSES.map(({ type, name }) => [type, nameOf(name)])),
    "A result; the form of its `data` depends on its `type`.",
  ),
  ...Object.fromEntries(ANALYSES.map(({ type, name, form }) => [nameOf(name), entry(type, dataOf(name, form))])),
  ...Object.fromEntries(CLASSIFIERS.flatMap(({ name, labels }) => Object.entries(classification(name, labels)))),
  Personality: PERSONALITY,
  Topic: TOPIC,
  TopicType: enumeration(["entity", "noun-chunk"]),
  Detection: DETECTION,
  Caption: CAPTION,
  CaptionMoment: object({ timestamp: string("HH:MM:SS from the start."), description: string() }),
  Model: MODEL,
  Span: SPAN,
  TextRange: TEXT_RANGE,
  TimeSpan: object({ start: second, end: second }),
};
