import type { DescMethod, Message } from "@bufbuild/protobuf";
import {
  OperationService,
  type CreateOperationResponse,
  type GetOperationRequest,
  type GetOperationResponse,
} from "@hourglass/proto/operation/v1/operation_service";
import { asksToWait } from "@hourglass/runtime";
import type { Exchange } from "../http/exchange.js";
import { approximateSize, recordKey } from "../json/operation.js";

const { createOperation, getOperation } = OperationService.method;

/** Loads a response; the argument is the time that the call has waited for its turn, in milliseconds. */
type Load = (waitedMs: number) => Promise<Message>;

/** Calls a service. Reads of operations, which can be large, take turns and count against the budget as in REST. */
export async function loadInTurn(
  exchange: Exchange,
  { method, request }: { method: DescMethod; request: Message },
  load: Load,
): Promise<Message> {
  const { largeRecords } = exchange.context;
  exchange.waited = asksToWait(request);
  if (method === getOperation) {
    const { id, wait } = request as GetOperationRequest;
    return largeRecords.read(exchange, { key: recordKey(id), waits: wait > 0, sizeOf, load });
  }
  const response = await load(0);
  if (method === createOperation) {
    largeRecords.note(recordKey((response as CreateOperationResponse).id), exchange.heldBytes);
  }
  return response;
}

function sizeOf(response: Message): number {
  const { operation } = response as GetOperationResponse;
  return operation === undefined ? 0 : approximateSize(operation);
}
