import { failpoint } from "@hourglass/runtime";
import { HELD } from "../records/file-record.js";
import { REMOVE_AGAIN_MS, removeFile, type RemovalDeps } from "./remove-file.js";

/** Deletes the files that the operation has claimed; does nothing without a claim. */
export type DeleteFiles = (operationId: number, companyId: number) => Promise<void>;

/** Files in state `deleting` are always removed, if necessary by the sweeper after a crash. */
export function createDeleteFiles(deps: RemovalDeps): DeleteFiles {
  return async (operationId, companyId) => {
    const mine = { operationId, companyId };
    const set = { state: "deleting", dueAt: deps.now() + REMOVE_AGAIN_MS } as const;
    await deps.files.updateMany({ ...mine, state: { in: HELD } }, { set });
    failpoint("media.mid_delete");
    for (const record of await deps.files.find({ ...mine, state: "deleting" })) await removeFile(deps, record);
  };
}
