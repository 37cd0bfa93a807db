import { AppError } from "../../../errors/app-error.js";
import { storeFull } from "../../store-full.js";

const TAKEN = new Set(["SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_ROWID"]);

/** Result codes of the driver for failures of the file, the disk or a lock, as opposed to errors in our SQL. */
const OUTAGE =
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|PROTOCOL|PERM|AUTH|ABORT|INTERRUPT)/;

/** The result code of a driver failure, such as `SQLITE_BUSY`; empty for other failures. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

/** True if another connection holds the lock, so that a retry can help. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_BUSY");
}

/** Maps driver errors to the failures of the ports; other errors, including our own bugs, are returned unchanged. */
export function toStoreFailure(error: unknown): unknown {
  const code = codeOf(error);
  if (TAKEN.has(code)) return new AppError("conflict", "This exists already.", { cause: error });
  if (OUTAGE.test(code)) return unavailable(error);
  return error;
}

/** The store is unavailable; nothing of the affected write is kept, unless only the sync of the log has failed. */
export function unavailable(cause: unknown): AppError {
  if (codeOf(cause).startsWith("SQLITE_FULL")) return storeFull(cause);
  return new AppError("unavailable", "The data store is not available. Try again later.", {
    retryAfterMs: 1000,
    cause,
  });
}
