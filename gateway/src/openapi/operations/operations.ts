import { ContentSchema } from "@hourglass/proto/operation/v1/operation";
import { CreateOperationRequestSchema } from "@hourglass/proto/operation/v1/operation_service";
import { ANALYSIS_TYPE, OFFSET_UNIT, OPERATION_STATUS } from "../../json/spelling.js";
import { CLASSIFIERS } from "./analyses.js";
import { itemLimitsOf, limitsOf } from "../limits.js";
import { RECORD_EXAMPLES, REQUEST_EXAMPLES } from "./operation-examples.js";
import { deleteRoute, listRoute, waitRoute } from "../record-routes.js";
import { created, json, jsonWith, parameter, type RouteDoc } from "../route.js";
import {
  array,
  boolean,
  constant,
  enumeration,
  integer,
  moment,
  nullable,
  object,
  page,
  recordId,
  ref,
  string,
  union,
  type Schema,
} from "../schema.js";

const TAG = "Operations";
const OPERATIONS = "/api/v2/products/api/operations";

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
const text = string("A text to analyse.", limitsOf(ContentSchema, "text"));
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
      "retries, through no fault of the contents. `invalid`: the contents cannot be analysed.",
  ),
  OperationQuery: query({ contents: array(ref("Content")) }),
  OperationData: object({
    contents_count: integer("Number of analysed contents."),
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
  Progress: object({ done: integer("Contents analysed so far."), total: integer() }),
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
