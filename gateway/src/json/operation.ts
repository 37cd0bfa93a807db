import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  OffsetUnit,
  OperationStatus,
  OperationType,
  type ContentSchema,
  type Operation,
  type OperationQuery,
} from "@hourglass/proto/operation/v1/operation";
import { CreateOperationRequestSchema } from "@hourglass/proto/operation/v1/operation_service";
import { itemsMaxOf } from "@hourglass/runtime";
import {
  boolean,
  id,
  list,
  ObjectReader,
  type Read,
  string,
  toIso,
  type Violations,
  wrong,
} from "@hourglass/runtime/json";
import { approximateResultSize, fromContent, fromContentResult } from "./result.js";
import { ANALYSIS_TYPE, OFFSET_UNIT, OPERATION_STATUS, OPERATION_TYPE } from "./spelling.js";

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
