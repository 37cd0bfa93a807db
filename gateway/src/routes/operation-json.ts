import { AuthorSchema } from "@hourglass/proto/auth/v1/author";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import * as proto from "@hourglass/proto/operation/v1/operation";
import {
  CreateOperationRequestSchema,
  ListOperationContentsResponseSchema,
  type GetOperationResponse,
  type ListOperationContentsResponse,
  type OperationContent,
} from "@hourglass/proto/operation/v1/operation_service";
import { ResultForm } from "@hourglass/proto/options/v1/analyses";
import { GIVE_WHOLE_CHARACTERS, ID_NEEDED, isWhole, Spelling } from "@hourglass/runtime/json";
import * as z from "zod";
import { ANALYSES, ANALYSIS_TYPE } from "./analyses.js";
import { pageOf } from "./answers.js";
import { readBy, writerOf } from "./conversion.js";
import {
  AnalysisType,
  ContentJson,
  ContentResultJson,
  fromContent,
  OperationType,
  writeContentResult,
} from "./operation-results.js";
import { CreatedBy } from "./created-by.js";
import { Metadata, NewMetadata } from "./metadata.js";
import * as s from "./schema.js";

type Kind = "text" | "file";

/** Not a URL: probably a file id given as a string. */
const DIGITS = /^\s*\d+\s*$/;

/** What to do about a content that is none; of an operation of an unknown kind it may be of either. */
function remedyOf(content: unknown, kind: Kind | undefined): string | undefined {
  if (typeof content === "string") {
    if (kind === "file" && DIGITS.test(content)) {
      return "Give the file id without quotation marks: file ids are numbers.";
    }
    return isWhole(content) ? undefined : GIVE_WHOLE_CHARACTERS;
  }
  if (kind === "text") return "Give a text: the type of this operation is text.";
  if (typeof content !== "number") return "Give a file id, which is a number, or a URL.";
  return s.isRecordId(content) ? undefined : ID_NEEDED;
}

/** A content of an operation of a kind. */
function content(kind: Kind | undefined): s.Property {
  const schema = z.unknown().check(({ value, issues }) => {
    const message = remedyOf(value, kind);
    if (message !== undefined) issues.push({ code: "custom", input: value, message });
  });
  const limits = s.limitsOf(s.fieldOf(proto.ContentSchema, "text")).own;
  const read = (value: unknown): MessageInitShape<typeof proto.ContentSchema> => {
    if (typeof value === "number") return { value: { case: "fileId", value: BigInt(value) } };
    if (typeof value !== "string") return {};
    return { value: kind === "file" ? { case: "url", value } : { case: "text", value } };
  };
  return readBy(read, schema.meta({ type: "string", description: "A text to analyze.", ...limits }));
}

const GROUPS_TEXT =
  "Each entry lists indexes into `contents`, from 0, separated by commas: `0,1,2`. Absent: all contents form one group. " +
  "Has effect for personality-mb only.";

const GROUP = "^ *[0-9]{1,4} *(, *[0-9]{1,4} *)*$";

const CLASSIFIERS = ANALYSES.filter(({ form }) => form === ResultForm.CLASSIFICATION)
  .map(({ type }) => `\`${type}\``)
  .join(", ")
  .replace(/, ([^,]*)$/, " and $1");

const EXPLAIN_TEXT =
  `Whether results say why they are so: ${CLASSIFIERS} get the ` +
  "probabilities of all labels and the spans that carried the decision, `topic` the places of every topic. Takes more " +
  "time and larger answers; has no effect on other analyses. False when absent.";

const OFFSETS_TEXT =
  "What the offsets of `explanation.spans` and of topics count: `code_points`, also when absent, or `utf16`, with which " +
  "JavaScript, Java and C# can slice the text directly. Has no effect without `explain`.";

const OFFSET_UNIT = new Spelling(proto.OffsetUnitSchema, "_");
const Offsets = s.spelled(
  OFFSET_UNIT,
  "What offsets count. `code_points`: Unicode code points, the characters of Python. `utf16`: UTF-16 code units, the " +
    "characters of JavaScript, Java and C#; a character beyond U+FFFF, such as an emoji, counts as two. In " +
    "`\u{1f600} fine`, the word `fine` has the offsets 2 to 6 in code points and 3 to 7 in UTF-16.",
);

function newOperation(id: string, type: s.Property, contents: s.Property) {
  const shape: s.Shape = {
    type,
    analyses: s.list(AnalysisType, { maxItems: ANALYSIS_TYPE.names.length }),
    contents,
    contents_groups: s.nullish(s.list(s.text(undefined, { pattern: GROUP }), { description: GROUPS_TEXT })),
    explain: s.nullish(s.boolean(EXPLAIN_TEXT)),
    offsets: s.nullish(Offsets, OFFSETS_TEXT),
    name: s.nullish(s.text("What you call it, for people. Lists find it by `q`.")),
    metadata: s.nullish(NewMetadata),
  };
  return s.request(CreateOperationRequestSchema, shape, { id, isOpen: true });
}

const many = s.limitsOf(s.fieldOf(CreateOperationRequestSchema, "contents")).own;
const TextOperation = newOperation("TextOperation", s.constant("text"), s.list(content("text")));
const FileOperation = newOperation(
  "FileOperation",
  s.constant("file"),
  s.withKeywords(s.list(content("file")), { $ref: "FileContents" }),
);
const AnyOperation = newOperation("AnyOperation", OperationType, s.list(content(undefined)));

/** A new operation, as documented. */
export const NewOperation = s.choice(
  "NewOperation",
  "type",
  [TextOperation, FileOperation],
  "At least one textual analysis when type is text.",
);

/** What a body is read by: of an unknown type, contents of either are right. */
export function newOperationOf({
  type,
}: Record<string, unknown>): s.MessageObject<typeof CreateOperationRequestSchema> {
  if (type === "text") return TextOperation;
  return type === "file" ? FileOperation : AnyOperation;
}

const fileUrl = { ...s.limitsOf(s.fieldOf(proto.ContentSchema, "url")).own, format: "uri", pattern: "^https?://" };

/** How the contents of a file operation are documented; the service says that they are of one kind. */
export const FileContents = z
  .xor([
    z
      .array(s.recordId("Id of an uploaded file; usable in one operation only."))
      .meta({ id: "FileIds", ...many, uniqueItems: true }),
    z
      .array(z.string().meta({ description: "A publicly reachable file.", ...fileUrl }))
      .meta({ id: "FileUrls", ...many, uniqueItems: true }),
  ])
  .meta({ id: "FileContents", description: "File ids or URLs, not both." });

/** The part of its request that a record repeats. */
function query(id: string, contents: s.Shape) {
  return s.response(
    id,
    proto.OperationQuerySchema,
    {
      type: OperationType,
      analyses: s.list(AnalysisType),
      ...contents,
      contents_groups: s.nullable(s.list(s.text())),
      explain: s.optional(s.boolean("Whether results say why they are so. Absent when it was not asked for.")),
      // Clients that use no option get the same fields as before the option existed.
      offsets: s.from(
        ({ offsets }: proto.OperationQuery) =>
          offsets === proto.OffsetUnit.UTF16 ? OFFSET_UNIT.of(offsets) : undefined,
        s.optional(Offsets),
      ),
    },
    "What was asked for. Without `offsets`, those of the results count code points.",
  );
}

export const OPERATION_STATUS = new Spelling(proto.OperationStatusSchema);
export const Status = s.spelled(
  OPERATION_STATUS,
  "`ready`: stored. `pending`: in the queue. `running`. `done`: `data` holds the results. `failed`: given up after " +
    "retries, through no fault of the contents. `invalid`: the contents cannot be analyzed.",
);

const HEAD = { id: s.recordId("Id of the operation."), status: Status };

const writeAuthor = writerOf(CreatedBy);

/** The operations have a message of their own for it, with the same fields. */
function authorOf({ createdBy }: proto.Operation): object | null {
  if (createdBy === undefined) return null;
  const { userId, keyId, name } = createdBy;
  return writeAuthor(create(AuthorSchema, { userId, keyId, name }));
}

/** Clients that give neither get the same fields as before both existed. */
const LABELS = {
  name: s.optional(s.text("As you gave it. Absent without one.")),
  metadata: s.optional(Metadata),
  created_by: s.from(authorOf, s.nullable(CreatedBy)),
};

const STATE = {
  error: s.optional(s.text("Why it ended failed or invalid.")),
  progress: s.response("Progress", proto.OperationProgressSchema, {
    done: s.integer("Contents analyzed so far."),
    total: s.integer(),
  }),
  failed_contents: s.nullable(
    s.integer("Contents whose `error_code` is `unreadable` or `analysis_failed`. Null unless `status` is done.", {
      minimum: 0,
    }),
  ),
  created_at: s.moment("When it was accepted."),
  finished_at: s.nullable(s.moment("When it came to its end.")),
};

const Data = s.response("OperationData", proto.OperationDataSchema, {
  contents_count: s.from(
    ({ contents }: proto.OperationData) => contents.length,
    s.integer("Number of analyzed contents."),
  ),
  contents: s.from(
    ({ contents }: proto.OperationData) => contents.map(writeContentResult),
    s.list(ContentResultJson, { description: "In the order of the request." }),
  ),
});

const contents = s.from(({ contents: given }: proto.OperationQuery) => given.map(fromContent), s.list(ContentJson));

/** An operation. */
export const OperationJson = s.response(
  "Operation",
  proto.OperationSchema,
  { ...HEAD, query: query("OperationQuery", { contents }), data: s.nullable(Data), ...STATE, ...LABELS },
  "An analysis of a list of contents. `data` is null unless `status` is done, and with `data=false`, which leaves `query.contents` of many texts empty.",
);

/** An entry of a list of operations. */
export const ListedOperation = s.response(
  "ListedOperation",
  proto.OperationSchema,
  {
    ...HEAD,
    query: query("ListedQuery", {}),
    ...STATE,
    ...LABELS,
    preview: s.text("The first 120 characters of the first content; of a file its URL, or its id in digits.", {
      maxLength: 120,
    }),
  },
  "An operation without contents and results.",
);

/** A content in a page of contents, with its results. */
const OperationContentJson = ContentResultJson.extend({
  index: z.number().meta({ type: "integer", minimum: 0, description: "Index into `query.contents`." }),
}).meta({ id: "OperationContent", description: "A content of an operation, with what was found in it." });

/** A page of the contents of an operation. */
export const ContentPage = pageOf("OperationContentPage", ListOperationContentsResponseSchema, {
  contents: s.from(
    ({ contents: found }: ListOperationContentsResponse) => found.map(writeOperationContent),
    s.list(OperationContentJson, { description: "In the order of the request." }),
  ),
});

function writeOperationContent({ index, result }: OperationContent): unknown {
  return { index, ...(result === undefined ? {} : writeContentResult(result)) };
}

/** A page of the contents of an operation, in pieces as an operation is. */
export function* contentPageBody({ contents: found, nextCursor }: ListOperationContentsResponse): Generator<string> {
  yield '{"contents":[';
  yield* joined(found, writeOperationContent);
  yield `],"next_cursor":${JSON.stringify(nextCursor === "" ? null : nextCursor)}}`;
}

/** Approximate size of a page of contents in bytes. */
export function approximatePageSize({ contents: found }: ListOperationContentsResponse): number {
  let bytes = 0;
  for (const { result } of found) {
    const content = result?.content?.value.value;
    bytes +=
      (typeof content === "string" ? content.length : 8) + (result === undefined ? 0 : approximateResultSize(result));
  }
  return bytes;
}

const writeOperation = writerOf(OperationJson);

/** Key of an operation among the records that are read in turn. */
export function recordKey(id: bigint): string {
  return `operation ${id}`;
}

/** Approximate size of what a read of an operation gets, in bytes. */
export function approximateResponseSize({ operation }: GetOperationResponse): number {
  return operation === undefined ? 0 : approximateSize(operation);
}

/** Approximate size of an operation in bytes: its texts, and some bytes for each part of a result. */
export function approximateSize({ query, data }: proto.Operation): number {
  let bytes = 0;
  for (const { value } of query?.contents ?? []) bytes += typeof value.value === "string" ? value.value.length : 8;
  for (const result of data?.contents ?? []) bytes += approximateResultSize(result);
  return bytes;
}

/** A larger operation is sent in pieces. */
const WHOLE_BYTES_MAX = 65_536;
/** No JSON string can contain this, because its quotes would be escaped. */
const NO_CONTENTS = '"contents":[]';

/**
 * The operation object of the interface; a large one in pieces: a thousand contents with their results take megabytes, and
 * making them at once would block other requests.
 */
export function operationBody(operation: proto.Operation): string | Iterable<string> {
  if (approximateSize(operation) > WHOLE_BYTES_MAX) return manyPieces(operation);
  return JSON.stringify(writeOperation(operation));
}

function* manyPieces(operation: proto.Operation): Generator<string> {
  const { query, data } = operation;
  const bare = { ...operation, query: { ...(query ?? create(proto.OperationQuerySchema)), contents: [] } };
  const written = data === undefined ? null : { contents_count: data.contents.length, contents: [] };
  const whole = { ...writeOperation(bare), data: written };
  const [head = "", between = "", tail] = JSON.stringify(whole).split(NO_CONTENTS);
  yield `${head}"contents":[`;
  yield* joined(query?.contents ?? [], fromContent);
  yield `]${between}`;
  if (tail === undefined) return;
  yield '"contents":[';
  yield* joined(data?.contents ?? [], writeContentResult);
  yield `]${tail}`;
}

function* joined<T>(items: readonly T[], toJson: (item: T) => unknown): Generator<string> {
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (item !== undefined) yield (index === 0 ? "" : ",") + JSON.stringify(toJson(item));
  }
}

const RESULT_BYTES = 200;
const LABEL_BYTES = 24;
const SPAN_BYTES = 100;
const TOPIC_BYTES = 80;
const OFFSET_BYTES = 24;
const MOMENT_BYTES = 32;
const BOX_BYTES = 40;
const SEGMENT_BYTES = 40;

/** Approximate size of the results of one content in bytes. */
function approximateResultSize({ analyses, transcript, ocrText = "", unreadWriting }: proto.ContentResult): number {
  let bytes = RESULT_BYTES * (1 + analyses.length) + ocrText.length;
  bytes += (LABEL_BYTES + BOX_BYTES) * unreadWriting.length;
  if (transcript !== undefined) bytes += 2 * transcript.text.length + SEGMENT_BYTES * transcript.segments.length;
  for (const { data } of analyses) bytes += sizeOfData(data);
  return bytes;
}

/** Additional size of a result beyond the size common to all. */
function sizeOfData(data: proto.Analysis["data"]): number {
  let bytes = 0;
  if (data.case === "topics") {
    for (const { offsets } of data.value.topics) bytes += TOPIC_BYTES + OFFSET_BYTES * offsets.length;
  } else if (data.case === "detections") {
    for (const { boxes, moments } of data.value.detections) {
      bytes += LABEL_BYTES + BOX_BYTES * boxes.length;
      for (const moment of moments) bytes += MOMENT_BYTES + BOX_BYTES * moment.boxes.length;
    }
  } else if (data.case === "captions") {
    for (const { descriptions } of data.value.captions) bytes += SPAN_BYTES * descriptions.length;
  } else if (data.case === "classification" && data.value.explanation !== undefined) {
    const { probabilities, spans } = data.value.explanation;
    bytes += LABEL_BYTES * Object.keys(probabilities).length;
    for (const { text } of spans) bytes += SPAN_BYTES + text.length;
  }
  return bytes;
}
