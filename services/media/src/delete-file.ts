import { AppError, failpoint } from "@hourglass/runtime";
import { createGetFile } from "./get-file.js";
import { REMOVE_AGAIN_MS, removeFile, type RemovalDeps } from "./remove-file.js";

/**
 * Deletes a file that no operation uses. AppError `invalid` for one that is used, `not-found` for unknown ones and those of
 * others alike.
 */
export type DeleteFile = (fileId: number, companyId: number) => Promise<void>;

/** Once the file is `deleting` it goes, be it by the sweeper after a crash. */
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
