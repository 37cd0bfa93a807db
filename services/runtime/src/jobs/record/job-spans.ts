import type { SpanAttributes, TraceContext } from "../../telemetry/spans.js";
import type { JobRecord } from "./job-record.js";

/** The trace of the request that created the job, which includes all later work on it. Null if there is none. */
export function traceOf({ traceparent }: Pick<JobRecord, "traceparent">): TraceContext | null {
  return typeof traceparent === "string" ? { traceparent } : null;
}

/** Attributes of every span for one job. */
export function jobAttributes({ name }: { name: string }, id: number): SpanAttributes {
  return { [`hourglass.${name}.id`]: id };
}

/** Attributes of spans for queue messages, by OpenTelemetry's semantic conventions. */
export function messagingAttributes(queue: string, operation: "send" | "process"): SpanAttributes {
  return {
    "messaging.system": "hourglass",
    "messaging.destination.name": queue,
    "messaging.operation.name": operation,
    "messaging.operation.type": operation,
  };
}
