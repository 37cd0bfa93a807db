import * as proto from "@hourglass/proto/operation/v1/operation";
import { ResultForm } from "@hourglass/proto/options/v1/analyses";
import { Spelling } from "@hourglass/runtime/json";
import * as z from "zod";
import { ANALYSES, ANALYSIS_TYPE, labelOf, type AnalysisKind } from "./analyses.js";
import { writerOf } from "./conversion.js";
import * as s from "./schema.js";

export const AnalysisType = s.spelled(ANALYSIS_TYPE, "What to find out about a content.");
export const OPERATION_TYPE = new Spelling(proto.OperationTypeSchema);
export const OperationType = s.spelled(OPERATION_TYPE, "What the contents are.");
const DIMENSION = new Spelling(proto.DimensionSchema);
const Dimension = s.spelled(DIMENSION, "What a content offers to analyze.");
const SOURCE = new Spelling(proto.SourceSchema);
const UNSUPPORTED_REASON = new Spelling(proto.UnsupportedReasonSchema, "_");
const Source = s.spelled(SOURCE, "Where the analyzed words or pixels came from.");

/** A content as it was given. */
export const ContentJson = z
  .xor([z.string(), z.number().meta({ type: "integer", format: "int64" })])
  .meta({ id: "Content", description: "The text, file id or file URL." });

/** A content as given; null if only a newer server knows its kind. */
export function fromContent({ value }: proto.Content): string | number | null {
  if (value.case === undefined) return null;
  return value.case === "fileId" ? Number(value.value) : value.value;
}

const prob = s.number("Calibrated probability: of results with 0.8, about 8 in 10 are right.", {
  minimum: 0,
  maximum: 1,
});
const second = s.number("Seconds from the start, to a tenth.", { minimum: 0 });

/** Where something stands in the analyzed text. */
const RANGE = {
  start: s.integer(
    "Where it begins, from 0, in Unicode code points, or in UTF-16 units if `query.offsets` is `utf16`.",
    { minimum: 0 },
  ),
  end: s.integer("Where it ends: the offset after its last character, in the same unit.", { minimum: 1 }),
};

const Model = s.response(
  "Model",
  proto.ModelSchema,
  {
    id: s.text("Names the analysis and the kind of model; stable.", { examples: ["sentiment-simple-encoder"] }),
    version: s.text("Changes whenever results may change.", { examples: ["1"] }),
  },
  "What made the result. The operator of the server chooses the engine of each analysis: `fast` (linear models and " +
    "rules), `accurate` (a small neural network), `builtin` (of pictures) or `models` (a larger model of their choice).",
);

const Span = s.response("Span", proto.ExplainedSpanSchema, {
  ...RANGE,
  text: s.text(
    "What stands there; of a longer span, only the first 64 code points, whatever its offsets count. `start` and `end` " +
      "are those of the whole span.",
    { maxLength: 64 },
  ),
  weight: s.number("How much it speaks for the label, up to 1, or, below 0, against it, down to -1.", {
    minimum: -1,
    maximum: 1,
  }),
});

/** The result of a classifier: the label, its explanation, and the probability of each label. */
function classification({ type, name, labels }: AnalysisKind) {
  const probabilities = s.object(
    `${name}Probabilities`,
    Object.fromEntries(labels.map((value) => [value, prob])),
    "Of every label. That of `value` is its `prob`.",
  );
  const explanation = s.response(
    `${name}Explanation`,
    proto.ExplanationSchema,
    {
      probabilities,
      spans: s.list(Span, {
        maxItems: 10,
        description:
          "The parts of the text that carried the decision, strongest first. Empty when no single words decided. They show " +
          "what the model looked at, not whether it is right.",
      }),
    },
    "Why the text got its label. Only with `explain`.",
  );
  const result = s.object(`${name}Result`, { value: labelOf(type), prob, explanation: s.optional(explanation) });
  return { type, result, explanation };
}

const CLASSIFICATIONS = ANALYSES.filter(({ form }) => form === ResultForm.CLASSIFICATION).map(classification);

const TextRange = s.response("TextRange", proto.TopicOffsetSchema, RANGE);
const TopicJson = s.object("Topic", {
  value: s.text("A word or phrase of the content."),
  topic_type: s.enumeration("TopicType", ["entity", "noun-chunk"]),
  sub_type: s.nullable(s.text("Tag of the entity, or part of speech of the chunk's head.")),
  offsets: s.optional(
    s.list(TextRange, {
      minItems: 1,
      maxItems: 500,
      description:
        "Every place where it stands, in order. Only with `explain`. All topics of a content have 500 at most; where " +
        "there are more, the first ones of each topic.",
    }),
  ),
});

const Personality = s.response("Personality", proto.PersonalitySchema, {
  value: s.text("Focus, information, decisions and lifestyle, a letter each.", { pattern: "^[EI][SN][TF][JP]$" }),
  prob1: prob,
  prob2: prob,
  prob3: prob,
  prob4: prob,
  group: s.boolean("Whether several contents were looked at together."),
});

const Box = z.array(z.number().meta({ format: "double", minimum: 0, maximum: 1 })).meta({
  id: "DetectedBox",
  minItems: 5,
  maxItems: 5,
  description:
    "`[x, y, width, height, prob]`: the left and upper edge, width and height as fractions of the width and height of the " +
    "picture as it is shown, turned by its Exif orientation, and the probability of what is seen there.",
});

/** How many a picture shows, and where; `which` picture completes both descriptions. */
function places(desc: typeof proto.ClassificationSchema | typeof proto.TimeSpanSchema, which: string) {
  const without = "Absent where the engine does not find places.";
  const count = `How many there are ${which}: as many as \`boxes\`, or more if these are too many to list. ${without}`;
  const boxes = s.list(Box, {
    minItems: 1,
    ...s.limitsOf(s.fieldOf(desc, "boxes")).own,
    description: `Where they are ${which}, surest first. ${without}`,
  });
  return {
    count: s.optional(s.integer(count, { minimum: 1 })),
    boxes: s.from(writeBoxes, s.optional(boxes)),
  };
}

function writeBoxes({ boxes }: proto.Classification | proto.TimeSpan): number[][] | undefined {
  return boxes.length === 0 ? undefined : boxes.map(writeBox);
}

function writeBox({ x, y, width, height, prob }: proto.DetectedBox): number[] {
  return [x, y, width, height, prob];
}

const Moment = s.response("TimeSpan", proto.TimeSpanSchema, {
  start: second,
  end: second,
  at: s.optional(
    s.number(
      "Time of the picture that `count` and `boxes` are of, in seconds from the start, to a thousandth: of those in this span " +
        "the one that shows most of them.",
      { minimum: 0 },
    ),
  ),
  ...places(proto.TimeSpanSchema, "at `at`"),
});

const Detection = s.response("Detection", proto.ClassificationSchema, {
  value: s.text("A detected label. A face is `face`, or the name of a person whom the company has enrolled."),
  prob,
  ...places(proto.ClassificationSchema, "in a picture"),
  moments: s.optional(
    s.list(Moment, {
      minItems: 1,
      description: "When it was seen, and where. Videos and animations only.",
    }),
  ),
});

const CaptionMoment = s.response("CaptionMoment", proto.MomentSchema, {
  timestamp: s.text("HH:MM:SS from the start."),
  description: s.text(),
});
const Caption = s.response("Caption", proto.CaptionSchema, {
  description: s.nullable(s.text("What an image shows.")),
  duration: s.nullable(s.text("Length of a video, HH:MM:SS.")),
  descriptions: s.nullable(s.list(CaptionMoment, { description: "What a video shows, from when on." })),
});

const writeRange = writerOf(TextRange);
const writePersonality = writerOf(Personality);
const writeDetection = writerOf(Detection);
const writeCaption = writerOf(Caption);
/** Those of all classifiers are written alike. */
const [writeExplanation = () => ({})] = CLASSIFICATIONS.map(({ explanation }) => writerOf(explanation));

/** Large operations have thousands of results of texts, and literals are several times as fast as writers. */
function writeData({ data }: proto.Analysis): unknown {
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

/** The analysis object of the interface. */
export function writeAnalysis(analysis: proto.Analysis): unknown {
  const { source, type, dimension, groupIndex = null, model, language, supported, unsupportedReason, nsfw } = analysis;
  return {
    source: SOURCE.of(source),
    type: ANALYSIS_TYPE.of(type),
    dimension: DIMENSION.of(dimension),
    group_index: groupIndex,
    data: writeData(analysis),
    model: model && { id: model.id, version: model.version },
    language: language === "" ? undefined : language,
    supported,
    unsupported_reason:
      unsupportedReason === proto.UnsupportedReason.UNSPECIFIED ? undefined : UNSUPPORTED_REASON.of(unsupportedReason),
    nsfw: nsfw && {
      score: nsfw.score,
      at: nsfw.at,
      model: nsfw.model && writeModel(nsfw.model),
      error: nsfw.error === "" ? undefined : nsfw.error,
    },
  };
}

/** The schema of the data of an analysis; fails for a form without one, so that a new one has to be described. */
function dataOf(type: string, form: ResultForm): s.Property {
  switch (form) {
    case ResultForm.CLASSIFICATION:
      return CLASSIFICATIONS.find((found) => found.type === type)?.result ?? z.never();
    case ResultForm.TOPICS:
      return s.list(TopicJson);
    case ResultForm.PERSONALITY:
      return Personality;
    case ResultForm.DETECTIONS:
      return s.list(Detection);
    case ResultForm.CAPTIONS:
      return s.list(Caption);
    case ResultForm.UNSPECIFIED:
      throw new Error(`proto/ says nothing of the form of the results of ${type}`);
  }
}

const NsfwRating = s.object(
  "NsfwRating",
  {
    score: s.optional(
      s.number("Not calibrated; of a video or animation the highest of its pictures. Absent if there is an `error`.", {
        minimum: 0,
        maximum: 1,
      }),
    ),
    at: s.optional(
      s.number("When that picture is shown, in seconds from the start; videos and animations only.", { minimum: 0 }),
    ),
    model: s.optional(Model),
    error: s.optional(s.text("Why there is no score.")),
  },
  "How likely the picture shows naked people or sex, for moderators: look at it yourself before you decide.",
);

const UnsupportedReason = s.spelled(
  UNSUPPORTED_REASON,
  "Why `supported` is `false`; absent where it is not. `language`: the model was not " +
    "measured, or is not good enough, in that language. `undetermined`: the text is too short, or its language unsure. " +
    "`several_languages`: parts of it are surely in different ones. `no_spaces`: most of it lacks the spaces that its " +
    "language has, so that its words cannot be found. `little_evidence`: the model finds too little to go by.",
);

const ENTRIES = ANALYSES.map(({ type, name, form }) =>
  s.object(
    `${name}Analysis`,
    {
      source: Source,
      type: s.constant(type),
      dimension: Dimension,
      group_index: s.nullable(s.integer("Index into `query.contents_groups`.", { minimum: 0 })),
      data: dataOf(type, form),
      model: s.optional(Model),
      // Results of pictures have no language.
      language: s.optional(
        s.text(
          "Language that the analyzed text was taken for, an ISO 639-1 code; `und` when it is too short or unsure to tell, " +
            "`mul` when one part is surely in another language than the rest.",
          { pattern: "^[a-z]{2,3}$", examples: ["en"] },
        ),
      ),
      supported: s.optional(
        s.boolean(
          "Whether the model is made for that language and finds something to go by in the text; `false` for `und` and `mul`, and of " +
            "`personality-mb` for fewer than five words of English. Where it is `false`, expect little of the result: in other " +
            "languages it stays close to what most texts get, with a low `prob`.",
        ),
      ),
      unsupported_reason: s.optional(UnsupportedReason),
      ...(type === "object-id" ? { nsfw: s.optional(NsfwRating) } : {}),
    },
    `A result of ${type}.`,
  ),
);

export const AnalysisJson = s.choice(
  "Analysis",
  "type",
  ENTRIES,
  "A result; the form of its `data` depends on its `type`.",
);

const Segment = s.response("TranscriptSegment", proto.SpokenSegmentSchema, {
  start: s.from("span.start", second),
  end: s.from("span.end", second),
  text: s.text("What is said in between."),
  language: s.optional(s.text("The language spoken, ISO 639-1.")),
});

const writeModel = writerOf(Model);

const TranscriptJson = s.response(
  "Transcript",
  proto.TranscriptSchema,
  {
    text: s.text("All that is said; empty when nobody speaks."),
    segments: s.list(Segment),
    language: s.optional(s.text("ISO 639-1: the language in which most is said; absent if nothing is understood.")),
    supported: s.optional(s.boolean("Whether transcripts in that language were measured; absent without a language.")),
    model: s.from(({ model }: proto.Transcript) => model && writeModel(model), Model),
  },
  "What is said in it. Present when a textual analysis was asked for and it has sound.",
);

const writeTranscript = writerOf(TranscriptJson);
const CONTENT_ERROR_CODE = new Spelling(proto.ContentErrorCodeSchema, "_");

const UnreadWritingJson = s.object("UnreadWriting", {
  script: s.text("English name of the script, such as `Cyrillic`."),
  box: Box,
  at: s.optional(
    s.number("Only in videos and animations: the time of the picture with it, in seconds from the start.", {
      minimum: 0,
    }),
  ),
});

/** A content of an operation, with what was found in it. */
export const ContentResultJson = s.object("ContentResult", {
  type: OperationType,
  content: ContentJson,
  dimensions: s.list(Dimension, { description: "What the content offers to analyze." }),
  // The interface has both spellings.
  analysis_type: s.list(AnalysisType, { description: "The same as `analysis_types`." }),
  analysis_types: s.list(AnalysisType, { description: "The analyses that apply to this content." }),
  analyses: s.list(AnalysisJson),
  transcript: s.optional(TranscriptJson),
  ocr_text: s.optional(
    s.text(
      "What is written in its pictures, a line each. Present when a textual analysis was asked for and it has pictures.",
    ),
  ),
  unread_writing: s.optional(
    s.list(UnreadWritingJson, {
      minItems: 1,
      ...s.limitsOf(s.fieldOf(proto.ContentResultSchema, "unread_writing")).own,
      description:
        "Lines in its pictures in scripts that cannot be read, the largest first; of a video, the surest line of each " +
        "script. Absent if there are none.",
    }),
  ),
  error: s.optional(s.text("Why an analysis of this content has no result.")),
  error_code: s.optional(
    s.spelled(
      CONTENT_ERROR_CODE,
      "The gravest of the reasons in `error`. `unreadable`: it could not be fetched, is damaged or of another kind. " +
        "`analysis_failed`: an analysis could not be made. `unknown_analysis`: a newer release made a result. " +
        "`speech_unclear`: somebody speaks, but cannot be understood, or not always. `unsupported_script`: there is writing " +
        "in it that cannot be read. `not_applicable`: there is nothing in it that the analysis is about, such as pictures or words.",
    ),
  ),
});

function writeUnreadWriting({ script, box, at }: proto.UnreadWriting): object {
  return { script, box: box === undefined ? [] : writeBox(box), at };
}

/** The content object of the interface. */
export function writeContentResult(result: proto.ContentResult): object {
  const { content, transcript, ocrText, unreadWriting, error, errorCode } = result;
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
    unread_writing: unreadWriting.length === 0 ? undefined : unreadWriting.map(writeUnreadWriting),
    error: error === "" ? undefined : error,
    error_code: errorCode === proto.ContentErrorCode.UNSPECIFIED ? undefined : CONTENT_ERROR_CODE.of(errorCode),
  };
}
