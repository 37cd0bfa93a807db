import { create, toBinary } from "@bufbuild/protobuf";
import { ReleaseFilesSchema, RunOperationSchema } from "@hourglass/proto/job/v1/job";
import { failpoint, inSpan, type Queue, type TraceContext } from "@hourglass/runtime";
import { messagingAttributes, operationAttributes } from "./trace.js";

/** Queue of jobs that carry out one operation each. */
export const RUN_QUEUE = "operation.run";

export interface PublishOptions {
  /** Delivers it no earlier. */
  delayMs?: number;
  /** The trace it belongs to, null: none. Absent: that of the work it is published in. */
  trace?: TraceContext | null;
}

/** Publishes the job of an operation; resolves once the queue has it. The message is a hint: it may be published twice. */
export function publishRun(
  queue: Queue,
  operationId: number,
  { trace, ...options }: PublishOptions = {},
): Promise<void> {
  const attributes = { ...messagingAttributes(RUN_QUEUE, "send"), ...operationAttributes(operationId) };
  const span = {
    name: `send ${RUN_QUEUE}`,
    kind: "producer",
    attributes,
    ...(trace === undefined ? {} : { parent: trace }),
  } as const;
  return inSpan(span, () => publish(queue, operationId, options));
}

async function publish(queue: Queue, operationId: number, options: { delayMs?: number }): Promise<void> {
  const body = toBinary(RunOperationSchema, create(RunOperationSchema, { operationId: BigInt(operationId) }));
  failpoint("operation.before_publish");
  const confirmed = queue.publish(RUN_QUEUE, body, options);
  failpoint("operation.before_confirm");
  await confirmed;
  failpoint("operation.after_publish");
}

/** Queue of the media service's jobs that free files. */
export const RELEASE_QUEUE = "media.release";

/** Publishes the job that frees the files claimed for an operation which was never stored. */
export async function publishRelease(queue: Queue, operationId: number): Promise<void> {
  const body = toBinary(ReleaseFilesSchema, create(ReleaseFilesSchema, { operationId: BigInt(operationId) }));
  await queue.publish(RELEASE_QUEUE, body);
}
