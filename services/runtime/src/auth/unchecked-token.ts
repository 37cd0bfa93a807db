import type { AppError } from "../errors/app-error.js";
import { rootReason } from "../errors/root-reason.js";
import type { Logger } from "../log/logger.js";

/** Logs why a token could not be checked: a stack only if the failure may be a bug. Auth may be starting, or away. */
export function logUnchecked(log: Logger, failure: AppError, message: string): void {
  const isOutage = failure.kind === "unavailable" || failure.kind === "deadline";
  log.warn(isOutage ? { reason: rootReason(failure) } : { err: failure }, message);
}
