import { ReleaseFilesSchema } from "@hourglass/proto/job/v1/job";
import { type Logger, type Queue, operationIdOf, type Stoppable, subscribe } from "@hourglass/runtime";
import type { ReleaseFiles } from "./release-files.js";

/** Queue of jobs that free the files of an operation which was never stored. */
export const RELEASE_QUEUE = "media.release";

const IN_WORK_MAX = 4;

/** Frees files as the jobs say. */
export function startReleases(deps: { queue: Queue; releaseFiles: ReleaseFiles; log: Logger }): Stoppable {
  const { queue, releaseFiles, log } = deps;
  return subscribe({ queue, log, name: RELEASE_QUEUE, prefetch: IN_WORK_MAX }, async ({ body }) => {
    const operationId = operationIdOf(ReleaseFilesSchema, body);
    if (operationId === undefined) return { kind: "dead", reason: "not a ReleaseFiles message" };
    await releaseFiles(operationId);
    return { kind: "done" };
  });
}
