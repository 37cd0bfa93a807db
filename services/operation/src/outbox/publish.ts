import { create, toBinary } from "@bufbuild/protobuf";
import { ReleaseFilesSchema, RunOperationSchema } from "@hourglass/proto/job/v1/job";
import { failpoint, inSpan, type Queue, type TraceContext } from "@hourglass/runtime";
import { type Lane, LANE_QUEUES } from "./lanes.js";
import { messagingAttributes, operationAttributes } from "./trace.js";

export interface PublishOptions {
  /** Default: that of small texts, whose workers pass on what is not theirs. */
  lane?: Lane;
  /** Delivers it no earlier. */
  delayMs?: number;
  /** The trace it belongs to, null: none. Absent: that of the work it is published in. */
  trace?: TraceContext | null;
}

/** Publishes the job of an operation; resolves once the queue has it. The message is a hint: it may be published twice. */
export function publishRun(
  queue: Queue,
  operationId: number,
  { trace, lane = "texts", delayMs }: PublishOptions = {},
): Promise<void> {
  const name = LANE_QUEUES[lane];
  const attributes = { ...messagingAttributes(name, "send"), ...operationAttributes(operationId) };
  const span = {
    name: `send ${name}`,
    kind: "producer",
    attributes,
    ...(trace === undefined ? {} : { parent: trace }),
  } as const;
  const send = (body: Uint8Array) => queue.publish(name, body, delayMs === undefined ? {} : { delayMs });
  return inSpan(span, () => publish(operationId, send));
}

async function publish(operationId: number, send: (body: Uint8Array) => Promise<void>): Promise<void> {
  const body = toBinary(RunOperationSchema, create(RunOperationSchema, { operationId: BigInt(operationId) }));
  failpoint("operation.before_publish");
  const confirmed = send(body);
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
