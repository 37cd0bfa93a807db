import type { SpanAttributes, TraceContext } from "../../telemetry/spans.js";
import type { JobRecord } from "./job-record.js";

/** The trace of the request that created the job, to which all later work on it belongs. Null without one. */
export function traceOf({ traceparent }: Pick<JobRecord, "traceparent">): TraceContext | null {
  return typeof traceparent === "string" ? { traceparent } : null;
}

/** What every span about one job says of it. */
export function jobAttributes({ name }: { name: string }, id: number): SpanAttributes {
  return { [`hourglass.${name}.id`]: id };
}

/** What spans about messages of a queue say, in the terms of OpenTelemetry. */
export function messagingAttributes(queue: string, operation: "send" | "process"): SpanAttributes {
  return {
    "messaging.system": "hourglass",
    "messaging.destination.name": queue,
    "messaging.operation.name": operation,
    "messaging.operation.type": operation,
  };
}
