import { createHash } from "node:crypto";
import { AppError } from "../errors/app-error.js";
import type { Json } from "./store.js";

/** Names what can be changed of a record: equal values have equal names, so that going back to them is no change. */
export function revisionOf(values: readonly Json[]): string {
  return createHash("sha256").update(JSON.stringify(values)).digest("base64url").slice(0, 22);
}

/**
 * Fails with AppError `precondition` unless the record has one of the revisions that the caller names; none: any will do.
 * The write that follows must require what was compared here, so that nobody changes it in between.
 */
export function requireRevision(named: readonly string[], revision: string): void {
  if (named.length === 0 || named.includes(revision)) return;
  const message = "The record has been changed since you read it. Read it again, then decide.";
  throw new AppError("precondition", message, { code: "precondition_failed" });
}
