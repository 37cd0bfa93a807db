import {
  CaptionSchema,
  ClassificationSchema,
  ContentErrorCode,
  ContentErrorCodeSchema,
  DimensionSchema,
  ExplainedSpanSchema,
  ExplanationSchema,
  ModelSchema,
  MomentSchema,
  OperationTypeSchema,
  PersonalitySchema,
  SourceSchema,
  SpokenSegmentSchema,
  TimeSpanSchema,
  TopicOffsetSchema,
  TranscriptSchema,
  type Analysis,
  type Content,
  type ContentResult,
  type Transcript,
} from "@hourglass/proto/operation/v1/operation";
import { ResultForm } from "@hourglass/proto/options/v1/analyses";
import { Spelling } from "@hourglass/runtime/json";
import * as z from "zod";
import { ANALYSES, ANALYSIS_TYPE, labelOf, type AnalysisKind } from "./analyses.js";
import { writerOf } from "./conversion.js";
import {
  boolean,
  choice,
  constant,
  enumeration,
  from,
  integer,
  list,
  nullable,
  number,
  object,
  optional,
  response,
  spelled,
  text,
  type Property,
} from "./schema.js";

export const AnalysisType = spelled(ANALYSIS_TYPE, "What to find out about a content.");
export const OPERATION_TYPE = new Spelling(OperationTypeSchema);
export const OperationType = spelled(OPERATION_TYPE, "What the contents are.");
const DIMENSION = new Spelling(DimensionSchema);
const Dimension = spelled(DIMENSION, "What a content offers to analyze.");
const SOURCE = new Spelling(SourceSchema);
const Source = spelled(SOURCE, "Where the analyzed words or pixels came from.");

/** A content as it was given. */
export const ContentJson = z
  .xor([z.string(), z.number().meta({ type: "integer", format: "int64" })])
  .meta({ id: "Content", description: "The text, file id or file URL." });

/** A content as given; null if only a newer server knows its kind. */
export function fromContent({ value }: Content): string | number | null {
  if (value.case === undefined) return null;
  return value.case === "fileId" ? Number(value.value) : value.value;
}

const prob = number("Calibrated probability: of results with 0.8, about 8 in 10 are right.", {
  minimum: 0,
  maximum: 1,
});
const second = number("Seconds from the start, to a tenth.", { minimum: 0 });

/** Where something stands in the analyzed text. */
const RANGE = {
  start: integer("Where it begins, from 0, in Unicode code points, or in UTF-16 units if `query.offsets` is `utf16`.", {
    minimum: 0,
  }),
  end: integer("Where it ends: the offset after its last character, in the same unit.", { minimum: 1 }),
};

const Model = response(
  "Model",
  ModelSchema,
  {
    id: text("Names the analysis and the kind of model; stable.", { examples: ["sentiment-simple-encoder"] }),
    version: text("Changes whenever results may change.", { examples: ["1"] }),
  },
  "What made the result. The operator of the server chooses the engine of each analysis: `fast` (linear models and " +
    "rules), `accurate` (a small neural network), `builtin` (of pictures) or `models` (a larger model of their choice).",
);

const Span = response("Span", ExplainedSpanSchema, {
  ...RANGE,
  text: text(
    "What stands there; of a longer span, only the first 64 code points, whatever its offsets count. `start` and `end` " +
      "are those of the whole span.",
    { maxLength: 64 },
  ),
  weight: number("How much it speaks for the label, up to 1, or, below 0, against it, down to -1.", {
    minimum: -1,
    maximum: 1,
  }),
});

/** The result of a classifier: the label, its explanation, and the probability of each label. */
function classification({ type, name, labels }: AnalysisKind) {
  const probabilities = object(
    `${name}Probabilities`,
    Object.fromEntries(labels.map((value) => [value, prob])),
    "Of every label. That of `value` is its `prob`.",
  );
  const explanation = response(
    `${name}Explanation`,
    ExplanationSchema,
    {
      probabilities,
      spans: list(Span, {
        maxItems: 10,
        description:
          "The parts of the text that carried the decision, strongest first. Empty when no part stands out. They show " +
          "what the model looked at, not whether it is right.",
      }),
    },
    "Why the text got its label. Only with `explain`.",
  );
  const result = object(`${name}Result`, { value: labelOf(type), prob, explanation: optional(explanation) });
  return { type, result, explanation };
}

const CLASSIFICATIONS = ANALYSES.filter(({ form }) => form === ResultForm.CLASSIFICATION).map(classification);

const TextRange = response("TextRange", TopicOffsetSchema, RANGE);
const TopicJson = object("Topic", {
  value: text("A word or phrase of the content."),
  topic_type: enumeration("TopicType", ["entity", "noun-chunk"]),
  sub_type: nullable(text("Tag of the entity, or part of speech of the chunk's head.")),
  offsets: optional(
    list(TextRange, {
      minItems: 1,
      maxItems: 500,
      description:
        "Every place where it stands, in order. Only with `explain`. All topics of a content have 500 at most; where " +
        "there are more, the first ones of each topic.",
    }),
  ),
});

const Personality = response("Personality", PersonalitySchema, {
  value: text("Focus, information, decisions and lifestyle, a letter each.", { pattern: "^[EI][SN][TF][JP]$" }),
  prob1: prob,
  prob2: prob,
  prob3: prob,
  prob4: prob,
  group: boolean("Whether several contents were looked at together."),
});

const Detection = response("Detection", ClassificationSchema, {
  value: text("A detected label. A face is `face`, or the name of a person whom the company has enrolled."),
  prob,
  moments: optional(
    list(response("TimeSpan", TimeSpanSchema, { start: second, end: second }), {
      minItems: 1,
      description: "When it was seen. Videos and animations only.",
    }),
  ),
});

const CaptionMoment = response("CaptionMoment", MomentSchema, {
  timestamp: text("HH:MM:SS from the start."),
  description: text(),
});
const Caption = response("Caption", CaptionSchema, {
  description: nullable(text("What an image shows.")),
  duration: nullable(text("Length of a video, HH:MM:SS.")),
  descriptions: nullable(list(CaptionMoment, { description: "What a video shows, from when on." })),
});

const writeRange = writerOf(TextRange);
const writePersonality = writerOf(Personality);
const writeDetection = writerOf(Detection);
const writeCaption = writerOf(Caption);
/** Those of all classifiers are written alike. */
const [writeExplanation = () => ({})] = CLASSIFICATIONS.map(({ explanation }) => writerOf(explanation));

/** Large operations have thousands of results of texts, and literals are several times as fast as writers. */
function writeData({ data }: Analysis): unknown {
  switch (data.case) {
    case "classification": {
      const { value, prob, explanation } = data.value;
      return { value, prob, explanation: explanation && writeExplanation(explanation) };
    }
    case "topics":
      return data.value.topics.map(({ value, topicType, subType, offsets }) => ({
        value,
        topic_type: topicType,
        sub_type: subType ?? null,
        offsets: offsets.length === 0 ? undefined : offsets.map(writeRange),
      }));
    case "personality":
      return writePersonality(data.value);
    case "detections":
      return data.value.detections.map(writeDetection);
    case "captions":
      return data.value.captions.map(writeCaption);
    default:
      return null;
  }
}

function writeAnalysis(analysis: Analysis): unknown {
  const { source, type, dimension, groupIndex = null, model, language, supported } = analysis;
  return {
    source: SOURCE.of(source),
    type: ANALYSIS_TYPE.of(type),
    dimension: DIMENSION.of(dimension),
    group_index: groupIndex,
    data: writeData(analysis),
    model: model && { id: model.id, version: model.version },
    language: language === "" ? undefined : language,
    supported,
  };
}

/** The schema of the data of an analysis; fails for a form without one, so that a new one has to be described. */
function dataOf(type: string, form: ResultForm): Property {
  switch (form) {
    case ResultForm.CLASSIFICATION:
      return CLASSIFICATIONS.find((found) => found.type === type)?.result ?? z.never();
    case ResultForm.TOPICS:
      return list(TopicJson);
    case ResultForm.PERSONALITY:
      return Personality;
    case ResultForm.DETECTIONS:
      return list(Detection);
    case ResultForm.CAPTIONS:
      return list(Caption);
    case ResultForm.UNSPECIFIED:
      throw new Error(`proto/ says nothing of the form of the results of ${type}`);
  }
}

const ENTRIES = ANALYSES.map(({ type, name, form }) =>
  object(
    `${name}Analysis`,
    {
      source: Source,
      type: constant(type),
      dimension: Dimension,
      group_index: nullable(integer("Index into `query.contents_groups`.", { minimum: 0 })),
      data: dataOf(type, form),
      // Results of older releases lack the rest.
      model: optional(Model),
      language: optional(
        text(
          "Language that the analyzed text was taken for, an ISO 639-1 code; `und` when it is too short or unsure to tell, " +
            "`mul` when one part is surely in another language than the rest.",
          { pattern: "^[a-z]{2,3}$", examples: ["en"] },
        ),
      ),
      supported: optional(
        boolean(
          "Whether the model is made for that language and finds something to go by in the text; `false` for `und` and `mul`, and of " +
            "`personality-mb` for fewer than five words of English. Where it is `false`, expect little of the result: in other " +
            "languages it stays close to what most texts get, with a low `prob`.",
        ),
      ),
    },
    `A result of ${type}.`,
  ),
);

const AnalysisJson = choice("Analysis", "type", ENTRIES, "A result; the form of its `data` depends on its `type`.");

const Segment = response("TranscriptSegment", SpokenSegmentSchema, {
  start: from("span.start", second),
  end: from("span.end", second),
  text: text("What is said in between."),
});

const writeModel = writerOf(Model);

const TranscriptJson = response(
  "Transcript",
  TranscriptSchema,
  {
    text: text("All that is said; empty when nobody speaks."),
    segments: list(Segment),
    model: from(({ model }: Transcript) => model && writeModel(model), Model),
  },
  "What is said in it. Present when a textual analysis was asked for and it has sound.",
);

const writeTranscript = writerOf(TranscriptJson);
const CONTENT_ERROR_CODE = new Spelling(ContentErrorCodeSchema, "_");

/** A content of an operation, with what was found in it. */
export const ContentResultJson = object("ContentResult", {
  type: OperationType,
  content: ContentJson,
  dimensions: list(Dimension, { description: "What the content offers to analyze." }),
  // The interface has both spellings.
  analysis_type: list(AnalysisType, { description: "The same as `analysis_types`." }),
  analysis_types: list(AnalysisType, { description: "The analyses that apply to this content." }),
  analyses: list(AnalysisJson),
  transcript: optional(TranscriptJson),
  ocr_text: optional(
    text(
      "What is written in its pictures, a line each. Present when a textual analysis was asked for and it has pictures.",
    ),
  ),
  error: optional(text("Why an analysis of this content has no result.")),
  error_code: optional(
    spelled(
      CONTENT_ERROR_CODE,
      "The gravest of the reasons in `error`. `unreadable`: it could not be fetched, is damaged or of another kind. " +
        "`analysis_failed`: an analysis could not be made. `unknown_analysis`: a newer release made a result. " +
        "`speech_unclear`: somebody speaks, but cannot be understood, or not always. `not_applicable`: there is nothing in " +
        "it that the analysis is about, such as pictures or words.",
    ),
  ),
});

/** The content object of the interface. */
export function writeContentResult(result: ContentResult): unknown {
  const { content, transcript, ocrText, error, errorCode } = result;
  const analysisTypes = ANALYSIS_TYPE.all(result.analysisTypes);
  return {
    type: OPERATION_TYPE.of(result.type),
    content: content === undefined ? null : fromContent(content),
    dimensions: DIMENSION.all(result.dimensions),
    analysis_type: analysisTypes,
    analysis_types: analysisTypes,
    analyses: result.analyses.map(writeAnalysis),
    transcript: transcript && writeTranscript(transcript),
    ocr_text: ocrText,
    error: error === "" ? undefined : error,
    // Absent if a service of an older release made the result.
    error_code: errorCode === ContentErrorCode.UNSPECIFIED ? undefined : CONTENT_ERROR_CODE.of(errorCode),
  };
}
