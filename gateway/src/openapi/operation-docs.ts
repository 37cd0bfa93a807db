import { getOption } from "@bufbuild/protobuf";
import { AnalysisTypeSchema, ContentSchema } from "@hourglass/proto/operation/v1/operation";
import { CreateOperationRequestSchema } from "@hourglass/proto/operation/v1/operation_service";
import { analysis_result as analysisResult, ResultForm } from "@hourglass/proto/options/v1/analyses";
import { enumSpellings } from "@hourglass/runtime";
import {
  ANALYSIS_TYPE,
  CONTENT_ERROR_CODE,
  DIMENSION,
  OFFSET_UNIT,
  OPERATION_STATUS,
  OPERATION_TYPE,
  SOURCE,
} from "../json/fields.js";
import { OPERATIONS } from "../routes/operations.js";
import { created, deleteRoute, json, jsonWith, listRoute, parameter, waitRoute, type RouteDoc } from "./describe.js";
import { RECORD_EXAMPLES, REQUEST_EXAMPLES } from "./examples.js";
import {
  array,
  boolean,
  constant,
  enumeration,
  integer,
  itemLimitsOf,
  limitsOf,
  moment,
  nullable,
  number,
  object,
  page,
  recordId,
  ref,
  string,
  union,
  type Schema,
} from "./schema.js";

/** What the contract says of the results of an analysis. */
interface AnalysisDoc {
  readonly type: string;
  /** Name of the result; the schemas of the analysis are named after it. */
  readonly name: string;
  readonly form: ResultForm;
  /** Every label of a classifier. */
  readonly labels: readonly string[];
}

const SPELLINGS = enumSpellings(AnalysisTypeSchema);

/** Every analysis, in the order of the contract. */
const ANALYSES: readonly AnalysisDoc[] = AnalysisTypeSchema.values.flatMap((value) => {
  const type = SPELLINGS.get(value.number);
  if (type === undefined) return [];
  const { name, form, labels } = getOption(value, analysisResult);
  return [{ type, name, form, labels }];
});

/** Every classifier of texts. */
const CLASSIFIERS = ANALYSES.filter(({ form }) => form === ResultForm.CLASSIFICATION);

/** Schemas of the labels, which results and postings share. */
export const LABEL_SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  CLASSIFIERS.map(({ type, name, labels }) => [name, enumeration(labels, `A label of ${type}.`)]),
);

const TAG = "Operations";

const GROUPS_TEXT =
  "Each entry lists indexes into `contents`, from 0, separated by commas: `0,1,2`. Absent: all contents form one group. " +
  "Has effect for personality-mb only.";

const GROUP = "^ *[0-9]{1,4} *(, *[0-9]{1,4} *)*$";

const groups = nullable(
  array(string(undefined, { ...itemLimitsOf(CreateOperationRequestSchema, "contents_groups"), pattern: GROUP }), {
    ...limitsOf(CreateOperationRequestSchema, "contents_groups"),
    description: GROUPS_TEXT,
  }),
);

const CLASSIFIER_NAMES = CLASSIFIERS.map(({ type }) => `\`${type}\``)
  .join(", ")
  .replace(/, ([^,]*)$/, " and $1");

const EXPLAIN_TEXT =
  `Whether results say why they are so: ${CLASSIFIER_NAMES} get the ` +
  "probabilities of all labels and the spans that carried the decision, `topic` the places of every topic. Takes more " +
  "time and larger answers; has no effect on other analyses. False when absent.";

const OFFSETS_TEXT =
  "What the offsets of `explanation.spans` and of topics count: `code_points`, also when absent, or `utf16`, with which " +
  "JavaScript, Java and C# can slice the text directly. Has no effect without `explain`.";

function request(type: string, contents: Schema): Schema {
  return object(
    {
      type: constant(type),
      analyses: array(ref("AnalysisType"), {
        ...limitsOf(CreateOperationRequestSchema, "analyses"),
        maxItems: ANALYSIS_TYPE.names.length,
      }),
      contents,
      contents_groups: groups,
      explain: nullable(boolean(EXPLAIN_TEXT)),
      offsets: nullable({ ...ref("OffsetUnit"), description: OFFSETS_TEXT }),
    },
    { optional: ["contents_groups", "explain", "offsets"] },
  );
}

const many = limitsOf(CreateOperationRequestSchema, "contents");
const text = string("A text to analyze.", limitsOf(ContentSchema, "text"));
const fileId = integer("Id of an uploaded file; usable in one operation only.", {
  ...limitsOf(ContentSchema, "file_id"),
  format: "int64",
});
const url = string("A publicly reachable file.", {
  ...limitsOf(ContentSchema, "url"),
  format: "uri",
  pattern: "^https?://",
});

/** The part of its request that a record repeats. */
function query(contents: Record<string, Schema>): Schema {
  return object(
    {
      type: ref("OperationType"),
      analyses: array(ref("AnalysisType")),
      ...contents,
      contents_groups: nullable(array(string())),
      explain: boolean("Whether results say why they are so. Absent when it was not asked for."),
      offsets: ref("OffsetUnit"),
    },
    {
      optional: ["explain", "offsets"],
      description: "What was asked for. Without `offsets`, those of the results count code points.",
    },
  );
}

const state = {
  error: string("Why it ended failed or invalid."),
  progress: ref("Progress"),
  failed_contents: nullable(
    integer(
      "Contents whose `error_code` is `unreadable` or `analysis_failed`. Null unless `status` is done, and where an older " +
        "release carried the operation out.",
      { minimum: 0 },
    ),
  ),
  created_at: moment("When it was accepted."),
  finished_at: nullable(moment("When it came to its end.")),
};

/** Schemas of operations. */
export const OPERATION_SCHEMAS: Readonly<Record<string, Schema>> = {
  NewOperation: union(
    "type",
    { text: "TextOperation", file: "FileOperation" },
    "At least one textual analysis when type is text.",
  ),
  TextOperation: request("text", array(text, many)),
  FileOperation: request("file", ref("FileContents")),
  FileContents: { description: "File ids or URLs, not both.", oneOf: [ref("FileIds"), ref("FileUrls")] },
  FileIds: array(fileId, { ...many, uniqueItems: true }),
  FileUrls: array(url, { ...many, uniqueItems: true }),
  OffsetUnit: enumeration(
    OFFSET_UNIT.names,
    "What offsets count. `code_points`: Unicode code points, the characters of Python. `utf16`: UTF-16 code units, the " +
      "characters of JavaScript, Java and C#; a character beyond U+FFFF, such as an emoji, counts as two. In " +
      "`\u{1f600} fine`, the word `fine` has the offsets 2 to 6 in code points and 3 to 7 in UTF-16.",
  ),
  OperationStatus: enumeration(
    OPERATION_STATUS.names,
    "`ready`: stored. `pending`: in the queue. `running`. `done`: `data` holds the results. `failed`: given up after " +
      "retries, through no fault of the contents. `invalid`: the contents cannot be analyzed.",
  ),
  OperationQuery: query({ contents: array(ref("Content")) }),
  OperationData: object({
    contents_count: integer("Number of analyzed contents."),
    contents: array(ref("ContentResult"), { description: "In the order of the request." }),
  }),
  Operation: object(
    {
      id: recordId("Id of the operation."),
      status: ref("OperationStatus"),
      query: ref("OperationQuery"),
      data: nullable(ref("OperationData")),
      ...state,
    },
    { optional: ["error"], description: "An analysis of a list of contents. `data` is null unless `status` is done." },
  ),
  ListedQuery: query({}),
  ListedOperation: object(
    {
      id: recordId("Id of the operation."),
      status: ref("OperationStatus"),
      query: ref("ListedQuery"),
      ...state,
    },
    { optional: ["error"], description: "An operation without contents and results." },
  ),
  CreatedOperation: object({ id: recordId("Id of the new operation.") }),
  OperationPage: page("operations", "ListedOperation"),
  Progress: object({ done: integer("Contents analyzed so far."), total: integer() }),
};

const created201 = created(
  "Accepted: it will be carried out. Read it by its id.",
  json(ref("CreatedOperation"), { id: 1 }),
);

const BEYOND_THE_SCHEMA =
  "Refused (400) is also what no schema can say: texts without a textual analysis; ids of files that are unknown, deleted or " +
  "used; URLs that do not lead to a public address; groups that are empty or name an index that `contents` does not have.";

/** The routes of operations. */
export const OPERATION_ROUTES: Readonly<Record<string, RouteDoc>> = {
  [`POST ${OPERATIONS}`]: {
    id: "createOperation",
    tag: TAG,
    summary: "Create an operation",
    description:
      "Analyses texts, uploaded files or files at URLs in the background. Every result names the model that made it, and " +
      "says whether that model is made for the language of the content.\n\n" +
      BEYOND_THE_SCHEMA,
    parameters: [parameter("IdempotencyKey")],
    body: jsonWith(ref("NewOperation"), REQUEST_EXAMPLES),
    answers: { 201: created201 },
  },
  [`GET ${OPERATIONS}/:id`]: waitRoute(
    { id: "getOperation", tag: TAG, summary: "Read an operation" },
    "The operation; Retry-After while it is not finished.",
    jsonWith(ref("Operation"), RECORD_EXAMPLES),
  ),
  [`GET ${OPERATIONS}`]: listRoute(
    {
      id: "listOperations",
      tag: TAG,
      summary: "List operations",
      parameters: [
        { name: "status", in: "query", description: "Only those in this state.", schema: ref("OperationStatus") },
      ],
    },
    json(ref("OperationPage")),
  ),
  [`DELETE ${OPERATIONS}/:id`]: deleteRoute({
    id: "deleteOperation",
    tag: TAG,
    summary: "Delete an operation",
    description: "Cancels it when it is not finished; erases the record, the results and the files.",
  }),
};

const SEGMENT = object({
  start: number("Seconds from the start, to a tenth.", { minimum: 0 }),
  end: number("Seconds from the start, to a tenth.", { minimum: 0 }),
  text: string("What is said in between."),
});

const TRANSCRIPT = object(
  {
    text: string("All that is said; empty when nobody speaks."),
    segments: array(ref("TranscriptSegment")),
    model: ref("Model"),
  },
  { description: "What is said in it. Present when a textual analysis was asked for and it has sound." },
);

/** Schemas of a content of an operation and its findings. */
export const CONTENT_SCHEMAS: Readonly<Record<string, Schema>> = {
  OperationType: enumeration(OPERATION_TYPE.names, "What the contents are."),
  Content: {
    description: "The text, file id or file URL.",
    oneOf: [{ type: "string" }, { type: "integer", format: "int64" }],
  },
  ContentErrorCode: enumeration(
    CONTENT_ERROR_CODE.names,
    "The gravest of the reasons in `error`. `unreadable`: it could not be fetched, is damaged or of another kind. " +
      "`analysis_failed`: an analysis could not be made. `unknown_analysis`: a newer release made a result. " +
      "`speech_unclear`: somebody speaks, but cannot be understood, or not always. `not_applicable`: there is nothing in " +
      "it that the analysis is about, such as pictures or words.",
  ),
  ContentResult: object(
    {
      type: ref("OperationType"),
      content: ref("Content"),
      dimensions: array(ref("Dimension"), { description: "What the content offers to analyze." }),
      analysis_type: array(ref("AnalysisType"), { description: "The same as `analysis_types`." }),
      analysis_types: array(ref("AnalysisType"), { description: "The analyses that apply to this content." }),
      analyses: array(ref("Analysis")),
      transcript: ref("Transcript"),
      ocr_text: string(
        "What is written in its pictures, a line each. Present when a textual analysis was asked for and it has pictures.",
      ),
      error: string("Why an analysis of this content has no result."),
      error_code: ref("ContentErrorCode"),
    },
    { optional: ["transcript", "ocr_text", "error", "error_code"] },
  ),
  Transcript: TRANSCRIPT,
  TranscriptSegment: SEGMENT,
};

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
      "What made the result. The operator of the server chooses the engine of each analysis: `fast` (linear models and " +
      "rules), `accurate` (a small neural network), `builtin` (of pictures) or `models` (a larger model of their choice).",
  },
);

/** Schemas of the model, language and support of a result; results of older releases lack them. */
const MAKING = {
  model: ref("Model"),
  language: string(
    "Language that the analyzed text was taken for, an ISO 639-1 code; `und` when it is too short or unsure to tell, " +
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
  Dimension: enumeration(DIMENSION.names, "What a content offers to analyze."),
  Source: enumeration(SOURCE.names, "Where the analyzed words or pixels came from."),
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
