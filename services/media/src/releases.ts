import { fromBinary } from "@bufbuild/protobuf";
import { ReleaseFilesSchema } from "@hourglass/proto/job/v1/job";
import { type Logger, type Queue, type Stoppable, subscribe } from "@hourglass/runtime";
import type { ReleaseFiles } from "./release-files.js";

/** Queue of jobs that free the files of an operation which was never stored. */
export const RELEASE_QUEUE = "media.release";

const IN_WORK_MAX = 4;

/** Frees files as the jobs say. */
export function startReleases(deps: { queue: Queue; releaseFiles: ReleaseFiles; log: Logger }): Stoppable {
  const { queue, releaseFiles, log } = deps;
  return subscribe({ queue, log, name: RELEASE_QUEUE, prefetch: IN_WORK_MAX }, async ({ body }) => {
    const operationId = operationIdOf(body);
    if (operationId === undefined) return { kind: "dead", reason: "not a ReleaseFiles message" };
    await releaseFiles(operationId);
    return { kind: "done" };
  });
}

function operationIdOf(body: Uint8Array): number | undefined {
  try {
    const id = Number(fromBinary(ReleaseFilesSchema, body).operationId);
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  } catch {
    // Not a message of ours; the caller sends it to the dead letters.
    return undefined;
  }
}
