import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  ContentErrorCode,
  OffsetUnit,
  OperationStatus,
  OperationType,
  type Analysis,
  type Caption,
  type Classification,
  type Content,
  type ContentResult,
  type ContentSchema,
  type Explanation,
  type Operation,
  type OperationQuery,
  type TimeSpan,
  type Transcript,
} from "@hourglass/proto/operation/v1/operation";
import { CreateOperationRequestSchema } from "@hourglass/proto/operation/v1/operation_service";
import { itemsMaxOf } from "@hourglass/runtime";
import {
  boolean,
  id,
  list,
  ObjectReader,
  string,
  toIso,
  wrong,
  type Read,
  type Violations,
} from "@hourglass/runtime/json";
import {
  ANALYSIS_TYPE,
  CONTENT_ERROR_CODE,
  DIMENSION,
  OFFSET_UNIT,
  OPERATION_STATUS,
  OPERATION_TYPE,
  SOURCE,
} from "./fields.js";

/** Each analysis may be named once. */
const ANALYSES_MAX = ANALYSIS_TYPE.names.length;
const CONTENTS_MAX = itemsMaxOf(CreateOperationRequestSchema, "contents");
const GROUPS_MAX = itemsMaxOf(CreateOperationRequestSchema, "contents_groups");

type ContentInit = MessageInitShape<typeof ContentSchema>;

/**
 * Reads the request body for a new operation; `violations` receives fields of the wrong shape, which are empty in the
 * result.
 */
export function toCreateOperationRequest(
  body: Record<string, unknown>,
  idempotencyKey: string,
  violations: Violations,
): MessageInitShape<typeof CreateOperationRequestSchema> {
  const reader = new ObjectReader(body, "", violations);
  const type = reader.required("type", OPERATION_TYPE.read) ?? OperationType.UNSPECIFIED;
  return {
    type,
    analyses: reader.required("analyses", ANALYSIS_TYPE.list(ANALYSES_MAX)) ?? [],
    contents:
      reader.required(
        "contents",
        list(CONTENT[type] ?? anyContent, { itemsMax: CONTENTS_MAX, placeholder: () => ({}) }),
      ) ?? [],
    contentsGroups:
      reader.optional("contents_groups", list(string, { itemsMax: GROUPS_MAX, placeholder: () => "" })) ?? [],
    explain: reader.optional("explain", boolean) ?? false,
    offsets: reader.optional("offsets", OFFSET_UNIT.read) ?? OffsetUnit.UNSPECIFIED,
    idempotencyKey,
  };
}

const text: Read<ContentInit> = (value, path, violations) => {
  if (typeof value !== "string") return wrong(violations, path, "Give a text: the type of this operation is text.");
  const read = string(value, path, violations);
  return read === null ? null : { value: { case: "text", value: read } };
};

/** Not a URL: probably a file id given as a string. */
const DIGITS = /^\s*\d+\s*$/;

const file: Read<ContentInit> = (value, path, violations) => {
  if (typeof value === "string") {
    if (DIGITS.test(value)) {
      return wrong(violations, path, "Give the file id without quotation marks: file ids are numbers.");
    }
    const url = string(value, path, violations);
    return url === null ? null : { value: { case: "url", value: url } };
  }
  if (typeof value !== "number") return wrong(violations, path, "Give a file id, which is a number, or a URL.");
  const fileId = id(value, path, violations);
  return fileId === null ? null : { value: { case: "fileId", value: fileId } };
};

/** For a request with an invalid type: a content that is valid for some type is not reported as well. */
const anyContent: Read<ContentInit> = (value, path, violations) =>
  typeof value === "string" ? text(value, path, violations) : file(value, path, violations);

const CONTENT: Partial<Record<OperationType, Read<ContentInit>>> = {
  [OperationType.TEXT]: text,
  [OperationType.FILE]: file,
};

/** Whether an operation has ended. */
export function hasEnded({ status }: Operation): boolean {
  return status === OperationStatus.DONE || status === OperationStatus.FAILED || status === OperationStatus.INVALID;
}

/** Key of an operation among the records that are read in turn. */
export function recordKey(id: bigint): string {
  return `operation ${id}`;
}

/** Approximate size of an operation in bytes: its texts, and some bytes for each part of a result. */
export function approximateSize({ query, data }: Operation): number {
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
export function operationBody(operation: Operation): string | Iterable<string> {
  if (approximateSize(operation) > WHOLE_BYTES_MAX) return manyPieces(operation);
  const { query, data } = operation;
  const whole = fromOperation(operation, query?.contents.map(fromContent), data?.contents.map(fromContentResult));
  return JSON.stringify(whole);
}

function* manyPieces(operation: Operation): Generator<string> {
  const { query, data } = operation;
  const [head = "", between = "", tail] = JSON.stringify(fromOperation(operation, [], [])).split(NO_CONTENTS);
  yield `${head}"contents":[`;
  yield* joined(query?.contents ?? [], fromContent);
  yield `]${between}`;
  if (tail === undefined) return;
  yield '"contents":[';
  yield* joined(data?.contents ?? [], fromContentResult);
  yield `]${tail}`;
}

function fromOperation(operation: Operation, contents: unknown[] = [], results: unknown[] = []): object {
  const { id: operationId, status, query, data } = operation;
  return {
    id: Number(operationId),
    status: OPERATION_STATUS.of(status),
    query: {
      type: OPERATION_TYPE.of(query?.type ?? OperationType.UNSPECIFIED),
      analyses: ANALYSIS_TYPE.all(query?.analyses ?? []),
      contents,
      contents_groups: fromGroups(query),
      ...fromOptions(query),
    },
    data: data === undefined ? null : { contents_count: data.contents.length, contents: results },
    ...fromState(operation),
  };
}

/** An operation as an entry of a list: without contents and results. */
export function fromListedOperation(operation: Operation): unknown {
  const { query } = operation;
  return {
    id: Number(operation.id),
    status: OPERATION_STATUS.of(operation.status),
    query: {
      type: OPERATION_TYPE.of(query?.type ?? OperationType.UNSPECIFIED),
      analyses: ANALYSIS_TYPE.all(query?.analyses ?? []),
      contents_groups: fromGroups(query),
      ...fromOptions(query),
    },
    ...fromState(operation),
  };
}

function fromState({ error, progress, failedContents, createdAt, finishedAt }: Operation): object {
  return {
    ...(error === "" ? undefined : { error }),
    progress: { done: progress?.done ?? 0, total: progress?.total ?? 0 },
    failed_contents: failedContents ?? null,
    created_at: toIso(createdAt),
    finished_at: toIso(finishedAt),
  };
}

function fromGroups(query: OperationQuery | undefined): string[] | null {
  return query === undefined || query.contentsGroups.length === 0 ? null : query.contentsGroups;
}

/** Clients that use no option get the same fields as before the option existed. */
function fromOptions(query: OperationQuery | undefined): object {
  return {
    ...(query?.explain === true ? { explain: true } : undefined),
    ...(query?.offsets === OffsetUnit.UTF16 ? { offsets: OFFSET_UNIT.of(query.offsets) } : undefined),
  };
}

function* joined<T>(items: readonly T[], toJson: (item: T) => unknown): Generator<string> {
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (item !== undefined) yield (index === 0 ? "" : ",") + JSON.stringify(toJson(item));
  }
}

/** A content as given; null if only a newer server knows its kind. */
function fromContent({ value }: Content): string | number | null {
  if (value.case === undefined) return null;
  return value.case === "fileId" ? Number(value.value) : value.value;
}

/** The content object of the interface. */
function fromContentResult(result: ContentResult): unknown {
  const analysisTypes = ANALYSIS_TYPE.all(result.analysisTypes);
  return {
    type: OPERATION_TYPE.of(result.type),
    content: result.content === undefined ? null : fromContent(result.content),
    dimensions: DIMENSION.all(result.dimensions),
    // The interface has both spellings.
    analysis_type: analysisTypes,
    analysis_types: analysisTypes,
    analyses: result.analyses.map(fromAnalysis),
    transcript: result.transcript === undefined ? undefined : fromTranscript(result.transcript),
    ocr_text: result.ocrText,
    ...(result.error === "" ? undefined : { error: result.error, error_code: codeOf(result) }),
  };
}

/** Undefined if a service of an older release made the result. */
function codeOf({ errorCode }: ContentResult): string | undefined {
  return errorCode === ContentErrorCode.UNSPECIFIED ? undefined : CONTENT_ERROR_CODE.of(errorCode);
}

/** `JSON.stringify` omits undefined fields, which here and below is cheaper than objects of many shapes. */
function fromAnalysis(analysis: Analysis): unknown {
  const { model, language, supported } = analysis;
  return {
    source: SOURCE.of(analysis.source),
    type: ANALYSIS_TYPE.of(analysis.type),
    dimension: DIMENSION.of(analysis.dimension),
    group_index: analysis.groupIndex ?? null,
    data: fromAnalysisData(analysis.data),
    // Results of older releases lack these fields.
    model: model === undefined ? undefined : { id: model.id, version: model.version },
    language: language === "" ? undefined : language,
    supported,
  };
}

function fromAnalysisData(data: Analysis["data"]): unknown {
  switch (data.case) {
    case "classification":
      return fromClassification(data.value);
    case "topics":
      return data.value.topics.map(({ value, topicType, subType, offsets }) => ({
        value,
        topic_type: topicType,
        sub_type: subType ?? null,
        offsets: offsets.length === 0 ? undefined : offsets.map(({ start, end }) => ({ start, end })),
      }));
    case "personality": {
      const { value, prob1, prob2, prob3, prob4, group } = data.value;
      return { value, prob1, prob2, prob3, prob4, group };
    }
    case "detections":
      return data.value.detections.map(fromDetection);
    case "captions":
      return data.value.captions.map(fromCaption);
    default:
      return null;
  }
}

function fromClassification({ value, prob, explanation }: Classification): unknown {
  return { value, prob, explanation: explanation === undefined ? undefined : fromExplanation(explanation) };
}

function fromExplanation({ probabilities, spans }: Explanation): unknown {
  return {
    probabilities,
    spans: spans.map(({ start, end, text, weight }) => ({ start, end, text, weight })),
  };
}

function fromDetection({ value, prob, moments }: Classification): unknown {
  return { value, prob, moments: moments.length === 0 ? undefined : moments.map(fromTimeSpan) };
}

function fromTimeSpan({ start, end }: TimeSpan): { start: number; end: number } {
  return { start, end };
}

function fromTranscript({ text, segments, model }: Transcript): unknown {
  return {
    text,
    segments: segments.map(({ span, text: said }) => ({ ...(span && fromTimeSpan(span)), text: said })),
    model: model === undefined ? undefined : { id: model.id, version: model.version },
  };
}

function fromCaption({ description, duration, descriptions }: Caption): unknown {
  return {
    description: description ?? null,
    duration: duration ?? null,
    descriptions:
      descriptions.length === 0
        ? null
        : descriptions.map((moment) => ({ timestamp: moment.timestamp, description: moment.description })),
  };
}

const RESULT_BYTES = 200;
const LABEL_BYTES = 24;
const SPAN_BYTES = 100;
const TOPIC_BYTES = 80;
const OFFSET_BYTES = 24;
const MOMENT_BYTES = 32;
const SEGMENT_BYTES = 40;

/** Approximate size of the results of one content in bytes. */
function approximateResultSize({ analyses, transcript, ocrText = "" }: ContentResult): number {
  let bytes = RESULT_BYTES * (1 + analyses.length) + ocrText.length;
  if (transcript !== undefined) bytes += 2 * transcript.text.length + SEGMENT_BYTES * transcript.segments.length;
  for (const { data } of analyses) bytes += sizeOfData(data);
  return bytes;
}

/** Additional size of a result beyond the size common to all. */
function sizeOfData(data: Analysis["data"]): number {
  let bytes = 0;
  if (data.case === "topics") {
    for (const { offsets } of data.value.topics) bytes += TOPIC_BYTES + OFFSET_BYTES * offsets.length;
  } else if (data.case === "detections") {
    for (const { moments } of data.value.detections) bytes += LABEL_BYTES + MOMENT_BYTES * moments.length;
  } else if (data.case === "captions") {
    for (const { descriptions } of data.value.captions) bytes += SPAN_BYTES * descriptions.length;
  } else if (data.case === "classification" && data.value.explanation !== undefined) {
    const { probabilities, spans } = data.value.explanation;
    bytes += LABEL_BYTES * Object.keys(probabilities).length;
    for (const { text } of spans) bytes += SPAN_BYTES + text.length;
  }
  return bytes;
}
