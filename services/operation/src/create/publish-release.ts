import { ReleaseFilesSchema } from "@hourglass/proto/job/v1/job";
import { jobMessage, type Queue, queuesOf } from "@hourglass/runtime";

/** Queue of the media service's jobs that release files. */
export const RELEASE_QUEUE = String(queuesOf(ReleaseFilesSchema)[0]);

const MESSAGE = jobMessage(ReleaseFilesSchema, "operationId");

/** Publishes the job that releases the files claimed for an operation that was never stored. */
export async function publishRelease(queue: Queue, operationId: number): Promise<void> {
  await queue.publish(RELEASE_QUEUE, MESSAGE.encode(operationId));
}
