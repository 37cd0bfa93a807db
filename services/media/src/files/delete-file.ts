import { AppError, failpoint } from "@hourglass/runtime";
import { createGetFile } from "./get-file.js";
import { REMOVE_AGAIN_MS, removeFile, type RemovalDeps } from "./remove-file.js";

/**
 * Deletes a file that no operation uses. AppError `invalid` if it is used, `not-found` if it is unknown or belongs to
 * another company.
 */
export type DeleteFile = (fileId: number, companyId: number) => Promise<void>;

/** A file in state `deleting` is always removed, if necessary by the sweeper after a crash. */
export function createDeleteFile(deps: RemovalDeps): DeleteFile {
  const getFile = createGetFile(deps);
  return async (fileId, companyId) => {
    const set = { state: "deleting", dueAt: deps.now() + REMOVE_AGAIN_MS } as const;
    const mine = await deps.files.update({ id: fileId, companyId, state: "unused" }, { set });
    if (mine === undefined) {
      await getFile(fileId, companyId);
      throw AppError.invalid([{ field: "id", message: USED }], "file_used");
    }
    failpoint("media.mid_delete");
    await removeFile(deps, mine);
  };
}

const USED = "Delete the operation that uses this file: the file goes with it.";
