import { ReleaseFilesSchema } from "@hourglass/proto/job/v1/job";
import {
  addQueueGauges,
  jobMessage,
  type Logger,
  type Measurements,
  type Queue,
  queuesOf,
  type Stoppable,
  subscribe,
} from "@hourglass/runtime";
import type { ReleaseFiles } from "./release-files.js";

const MESSAGE = jobMessage(ReleaseFilesSchema, "operationId");
const QUEUE = String(queuesOf(ReleaseFilesSchema)[0]);

const IN_WORK_MAX = 4;

export interface ReleasesDeps {
  queue: Queue;
  releaseFiles: ReleaseFiles;
  log: Logger;
  metrics: Measurements;
}

/** Carries out the jobs that release files, and adds gauges for their queue. */
export function startReleases({ queue, releaseFiles, log, metrics }: ReleasesDeps): Stoppable {
  addQueueGauges({ queue, metrics }, [QUEUE]);
  return subscribe({ queue, log, name: QUEUE, prefetch: IN_WORK_MAX }, async ({ body }) => {
    const operationId = MESSAGE.decode(body);
    if (operationId === undefined) return { kind: "dead", reason: `not a ${MESSAGE.name} message` };
    await releaseFiles(operationId);
    return { kind: "done" };
  });
}
