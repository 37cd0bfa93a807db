import { type Logger, makingRoom } from "@hourglass/runtime";
import type { Media } from "../create/media-file-claims.js";
import { eraseOperation, type EraseOperationDeps } from "./erase-operation.js";

export interface ExpiredOperationsDeps extends EraseOperationDeps {
  /** How long an operation is kept after its end, in milliseconds. */
  retentionMs: number;
  /** Where the files of operations are. */
  media: Media;
  log: Logger;
}

/** Few enough that other work of the sweep is not held up. */
const BATCH_MAX = 500;

/**
 * Erases operations that ended longer ago than they are kept, with their files; those that ended first go first. Several
 * processes may do so at once. Rejects at the first that cannot be erased: the next sweep continues with it.
 */
export async function eraseExpired(deps: ExpiredOperationsDeps): Promise<void> {
  const { collections, retentionMs, media, log, now } = deps;
  const endedBefore = now() - retentionMs;
  const expired = await collections.operations.find(
    { finishedAt: { lt: endedBefore } },
    { sort: [["finishedAt", 1]], limit: BATCH_MAX },
  );
  for (const record of expired) {
    const eraseFiles = async (operationId: number) => {
      const request = { operationId: BigInt(operationId) };
      await media.serviceTokens.call(record.companyId, (token) => media.client.deleteFiles(request, { token }));
    };
    await makingRoom(() => eraseOperation(deps, record, eraseFiles));
  }
  if (expired.length > 0) log.info({ operations: expired.length }, "operations were erased, since their time is over");
}
