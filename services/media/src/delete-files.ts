import { failpoint } from "@hourglass/runtime";
import { HELD } from "./file-record.js";
import { REMOVE_AGAIN_MS, removeFile, type RemovalDeps } from "./remove-file.js";

/** Deletes what the operation has claimed. Without a claim it does nothing. */
export type DeleteFiles = (operationId: number, companyId: number) => Promise<void>;

/** Once the files are `deleting` they go, be it by the sweeper after a crash. */
export function createDeleteFiles(deps: RemovalDeps): DeleteFiles {
  return async (operationId, companyId) => {
    const mine = { operationId, companyId };
    const set = { state: "deleting", dueAt: deps.now() + REMOVE_AGAIN_MS } as const;
    await deps.files.updateMany({ ...mine, state: { in: HELD } }, { set });
    failpoint("media.mid_delete");
    for (const record of await deps.files.find({ ...mine, state: "deleting" })) await removeFile(deps, record);
  };
}
