import { ContentSchema } from "@hourglass/proto/operation/v1/operation";
import { CreateOperationRequestSchema } from "@hourglass/proto/operation/v1/operation_service";
import { OPERATION_STATUS, OPERATION_TYPE } from "../json/spelling.js";
import { itemLimitsOf, limitsOf } from "./limits.js";
import { RECORD_EXAMPLES, REQUEST_EXAMPLES } from "./operation-examples.js";
import { answer, created, json, jsonWith, parameter, type RouteDoc } from "./route.js";
import {
  array,
  boolean,
  integer,
  moment,
  nullable,
  object,
  oneOf,
  orNull,
  recordId,
  ref,
  string,
  type Schema,
} from "./schema.js";

const TAG = "Operations";
const OPERATIONS = "/api/v2/products/api/operations";

const GROUPS_TEXT =
  "Each entry lists indexes into `contents`, from 0, separated by commas: `0,1,2`. Absent: all contents form one group. " +
  "Has effect for personality-mb only.";

function groups(): Schema {
  const items = string(undefined, { ...itemLimitsOf(CreateOperationRequestSchema, "contents_groups"), pattern: GROUP });
  const limits = limitsOf(CreateOperationRequestSchema, "contents_groups");
  return { ...array(items, limits), type: ["array", "null"], description: GROUPS_TEXT };
}

const EXPLAIN_TEXT =
  "Whether results say why they are so: `sentiment-simple`, `sentiment-real`, `spam-detection` and `intention` get the " +
  "probabilities of all labels and the spans that carried the decision, `topic` the places of every topic. Takes more " +
  "time and larger answers; has no effect on other analyses.";

const explain = { ...nullable(boolean(EXPLAIN_TEXT)), default: false };

const GROUP = "^ *[0-9]{1,4} *(, *[0-9]{1,4} *)*$";

function request(type: string, contents: Schema): Schema {
  return object(
    {
      type: { const: type },
      analyses: array(ref("AnalysisType"), limitsOf(CreateOperationRequestSchema, "analyses")),
      contents,
      contents_groups: groups(),
      explain,
    },
    { optional: ["contents_groups", "explain"] },
  );
}

const many = limitsOf(CreateOperationRequestSchema, "contents");
const text = string("A text to analyse.", limitsOf(ContentSchema, "text"));
const fileId = integer("Id of an uploaded file; usable in one operation only.", limitsOf(ContentSchema, "file_id"));
const url = string("A publicly reachable file.", {
  ...limitsOf(ContentSchema, "url"),
  format: "uri",
  pattern: "^https?://",
});

/** What a record repeats of its request. */
function query(contents: Record<string, Schema>): Schema {
  return object(
    {
      type: oneOf(OPERATION_TYPE.names),
      analyses: array(ref("AnalysisType")),
      ...contents,
      contents_groups: { type: ["array", "null"], items: string() },
      explain: { const: true, description: "Present when it was asked for." },
    },
    { optional: ["explain"] },
  );
}

const state = {
  error: string("Why it ended failed or invalid."),
  progress: object({ done: integer("Contents analysed so far."), total: integer() }),
  created_at: moment("When it was accepted."),
  finished_at: nullable(moment("When it came to its end.")),
};

/** Schemas of operations. */
export const OPERATION_SCHEMAS: Readonly<Record<string, Schema>> = {
  TextOperation: request("text", array(text, many)),
  FileOperation: request("file", {
    description: "File ids or URLs, not both.",
    oneOf: [array(fileId, { ...many, uniqueItems: true }), array(url, { ...many, uniqueItems: true })],
  }),
  NewOperation: {
    oneOf: [ref("TextOperation"), ref("FileOperation")],
    description: "At least one textual analysis when type is text.",
  },
  OperationStatus: oneOf(
    OPERATION_STATUS.names,
    "`ready`: stored. `pending`: in the queue. `running`. `done`: `data` holds the results. `failed`: given up after " +
      "retries, through no fault of the contents. `invalid`: the contents cannot be analysed.",
  ),
  Operation: object(
    {
      id: recordId("Id of the operation."),
      status: ref("OperationStatus"),
      query: query({ contents: array({ type: ["string", "integer"] }) }),
      data: orNull(
        object({
          contents_count: integer("Number of analysed contents."),
          contents: array(ref("ContentResult"), { description: "In the order of the request." }),
        }),
      ),
      ...state,
    },
    { optional: ["error"], description: "An analysis of a list of contents. `data` is null unless `status` is done." },
  ),
  ListedOperation: object(
    {
      id: recordId("Id of the operation."),
      status: ref("OperationStatus"),
      query: query({}),
      ...state,
    },
    { optional: ["error"], description: "An operation without contents and results." },
  ),
};

const created201 = created(
  "Accepted: it will be carried out. Read it by its id.",
  json(object({ id: recordId("Id.") }), { id: 1 }),
);

/** The routes of operations and uploads. */
export const OPERATION_ROUTES: Readonly<Record<string, RouteDoc>> = {
  [`POST ${OPERATIONS}`]: {
    id: "createOperation",
    tag: TAG,
    summary: "Create an operation",
    description:
      "Analyses texts, uploaded files or files at URLs in the background. Every result names the model that made it, and " +
      "says whether that model is made for the language of the content.",
    parameters: [parameter("IdempotencyKey")],
    body: jsonWith(ref("NewOperation"), REQUEST_EXAMPLES),
    answers: { 201: created201 },
  },
  [`GET ${OPERATIONS}/:id`]: {
    id: "getOperation",
    tag: TAG,
    summary: "Read an operation",
    parameters: [parameter("Id"), parameter("Wait")],
    answers: {
      200: answer("The operation; Retry-After while it is not finished.", jsonWith(ref("Operation"), RECORD_EXAMPLES), {
        "Retry-After": { $ref: "#/components/headers/RetryAfter" },
      }),
    },
    failures: [400, 404, 504],
  },
  [`GET ${OPERATIONS}`]: {
    id: "listOperations",
    tag: TAG,
    summary: "List operations",
    description: "Newest first.",
    parameters: [
      parameter("Limit"),
      parameter("Cursor"),
      { name: "status", in: "query", description: "Only those in this state.", schema: ref("OperationStatus") },
    ],
    answers: {
      200: answer(
        "A page.",
        json(object({ operations: array(ref("ListedOperation")), next_cursor: nullable(string()) })),
      ),
    },
    failures: [400],
  },
  [`DELETE ${OPERATIONS}/:id`]: {
    id: "deleteOperation",
    tag: TAG,
    summary: "Delete an operation",
    description: "Cancels it when it is not finished; erases the record, the results and the files.",
    parameters: [parameter("Id")],
    answers: { 204: answer("It is gone.") },
    failures: [404],
  },
  [`POST ${OPERATIONS}/upload`]: {
    id: "uploadFile",
    tag: TAG,
    summary: "Upload a file",
    description:
      "PNG, JPG, MP3 or MP4, in exactly one part named `file`; the bytes tell which, not the name. Other fields are ignored. " +
      "The id is usable in one operation, with which the file is deleted; an unused file is deleted after some days. " +
      "With an Idempotency-Key a request that broke off can be sent again: the same bytes get the same id. What is refused, " +
      "or breaks off, leaves nothing.",
    parameters: [parameter("IdempotencyKey")],
    body: {
      "multipart/form-data": {
        schema: object({
          file: {
            type: "string",
            contentMediaType: "application/octet-stream",
            description:
              "The file, with a file name. 100 MiB, 40 megapixels and 15 minutes at most, unless configured.",
          },
        }),
      },
    },
    answers: { 201: created("Stored.", json(object({ id: recordId("Id of the file.") }), { id: 1 })) },
    failures: [504, 507],
  },
};
