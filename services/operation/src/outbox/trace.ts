import type { SpanAttributes, TraceContext } from "@hourglass/runtime";
import type { OperationRecord } from "../records/operation.js";

/** The trace of the request that created the operation: what is done about it later belongs there. Null without one. */
export function traceOf({ traceparent }: Pick<OperationRecord, "traceparent">): TraceContext | null {
  return typeof traceparent === "string" ? { traceparent } : null;
}

/** What all spans about one operation say of it. */
export function operationAttributes(operationId: number): SpanAttributes {
  return { "hourglass.operation.id": operationId };
}

/** What spans about messages of a queue say, in the words of OpenTelemetry. */
export function messagingAttributes(queue: string, operation: "send" | "process"): SpanAttributes {
  return {
    "messaging.system": "hourglass",
    "messaging.destination.name": queue,
    "messaging.operation.name": operation,
    "messaging.operation.type": operation,
  };
}
