import { create, toBinary } from "@bufbuild/protobuf";
import { RunOperationSchema } from "@hourglass/proto/job/v1/job";
import { failpoint, type Queue } from "@hourglass/runtime";

/** Queue of jobs that carry out one operation each. */
export const RUN_QUEUE = "operation.run";

/** Publishes the job of an operation; resolves once the queue has it. The message is a hint: it may be published twice. */
export async function publishRun(queue: Queue, operationId: number, options?: { delayMs?: number }): Promise<void> {
  const body = toBinary(RunOperationSchema, create(RunOperationSchema, { operationId: BigInt(operationId) }));
  failpoint("operation.before_publish");
  const confirmed = queue.publish(RUN_QUEUE, body, options);
  failpoint("operation.before_confirm");
  await confirmed;
  failpoint("operation.after_publish");
}
