import { AppError } from "../../errors/app-error.js";
import { storeFull } from "../store-full.js";

const TAKEN = new Set(["SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_ROWID"]);

/** The driver's result codes that tell of the file, the disk or a lock, and not of a mistake in our SQL. */
const OUTAGE =
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|PROTOCOL|PERM|AUTH|ABORT|INTERRUPT)/;

/** The result code of a failure of the driver, such as `SQLITE_BUSY`; empty for other failures. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

/** True when another connection holds the lock, so that trying again soon can help. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_BUSY");
}

/** Puts what the driver throws into the words of the ports; anything else, our own mistakes included, stays as it is. */
export function toStoreFailure(error: unknown): unknown {
  const code = codeOf(error);
  if (TAKEN.has(code)) return new AppError("conflict", "This exists already.", { cause: error });
  if (OUTAGE.test(code)) return unavailable(error);
  return error;
}

/** The store cannot do its work now; nothing of the write it concerns is kept. */
export function unavailable(cause: unknown): AppError {
  if (codeOf(cause).startsWith("SQLITE_FULL")) return storeFull(cause);
  return new AppError("unavailable", "The data store is not available. Try again later.", {
    retryAfterMs: 1000,
    cause,
  });
}
