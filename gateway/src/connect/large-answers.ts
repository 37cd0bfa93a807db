import { toBinary, type DescMethod, type Message } from "@bufbuild/protobuf";
import {
  InsightService,
  type ListPostingsResponse,
  type SummarizeResponse,
} from "@hourglass/proto/insight/v1/insight_service";
import {
  OperationService,
  type GetOperationRequest,
  type GetOperationResponse,
  type ListOperationContentsResponse,
} from "@hourglass/proto/operation/v1/operation_service";
import type { LargeRecords } from "../http/large-records.js";
import type { Holder } from "../http/limits.js";
import { approximatePageSize, approximateResponseSize, recordKey } from "../routes/operation-json.js";

const { getOperation, listOperationContents } = OperationService.method;
const { listPostings, summarize } = InsightService.method;

/** Of a posting, besides its text. */
const POSTING_BYTES = 1_500;

/** Of a summary, for each step of its series. */
const SUMMARY_STEP_BYTES = 1_500;

/** Methods whose responses can be large, with their approximate size in bytes. */
const SIZES: ReadonlyMap<DescMethod, (response: Message) => number> = new Map<
  DescMethod,
  (response: Message) => number
>([
  [getOperation, (response) => approximateResponseSize(response as GetOperationResponse)],
  [listOperationContents, (response) => approximatePageSize(response as ListOperationContentsResponse)],
  [listPostings, (response) => sizeOfPostings(response as ListPostingsResponse)],
  [summarize, (response) => SUMMARY_STEP_BYTES * ((response as SummarizeResponse).summary?.series.length ?? 0)],
]);

/** A unary call of an admitted caller, on any port. */
export interface AdmittedRead {
  readonly method: DescMethod;
  readonly request: Message;
  /** Holds the size of the response. */
  readonly reader: Holder;
  readonly largeRecords: LargeRecords;
  /** Calls the service, within what is left of the caller's time. */
  readonly call: (request: Message) => Promise<Message>;
  /** Calls the service with a request that waits; ends when the caller leaves. */
  readonly wait: (request: Message) => Promise<Message>;
}

/**
 * Reads what can be large as REST does: a wait holds no contents, which are loaded in turn once it is over, and count in
 * the budget. Undefined if the responses of the method are always small.
 */
export function readLarge(read: AdmittedRead): Promise<Message> | undefined {
  const { method, request } = read;
  const sizeOf = SIZES.get(method);
  if (sizeOf === undefined) return undefined;
  if (method === getOperation) return readOperation(read, request as GetOperationRequest, sizeOf);
  return inTurn(read, { key: keyOf(method, request), request, sizeOf });
}

async function readOperation(
  read: AdmittedRead,
  request: GetOperationRequest,
  sizeOf: (response: Message) => number,
): Promise<Message> {
  const { id, wait, data = true } = request;
  if (wait > 0 || !data) {
    const state = await read.wait({ ...request, data: false } as Message);
    if (!data) return state;
  }
  const now = wait > 0 ? ({ ...request, wait: 0 } as Message) : request;
  return inTurn(read, { key: recordKey(id), request: now, sizeOf });
}

function inTurn(
  { reader, largeRecords, call }: AdmittedRead,
  { key, request, sizeOf }: { key: string; request: Message; sizeOf: (response: Message) => number },
): Promise<Message> {
  return largeRecords.read(reader, { key, sizeOf, load: () => call(request) });
}

/** Equal requests get equal responses at a time. */
function keyOf({ name, input }: DescMethod, request: Message): string {
  return `${name} ${Buffer.from(toBinary(input, request)).toString("base64")}`;
}

function sizeOfPostings({ postings }: ListPostingsResponse): number {
  return postings.reduce((sum, { textOfPost = "" }) => sum + POSTING_BYTES + textOfPost.length, 0);
}
