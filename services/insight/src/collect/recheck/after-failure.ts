import type { RecheckRecord } from "../../store/records.js";
import { AUTH_RECHECK_MS, CIRCUIT_MS, REFUSALS_MAX } from "../pace/policy.js";
import type { Failure } from "../poll/failure.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Time until it is looked again whether a platform is configured. */
export const UNREADY_MS = HOUR_MS;
/** Least time between two attempts to spend from a budget that is spent. */
const BUDGET_MS = 5 * MINUTE_MS;

/** Whether the postings of a question are passed over, so that the others are not kept waiting by them. */
export function mustSkip({ failures }: Pick<RecheckRecord, "failures">, { kind }: Failure): boolean {
  return kind === "permanent" && failures + 1 >= REFUSALS_MAX;
}

/** Fields of a recheck whose question failed: why, and when it goes on. */
export function fieldsAfterFailure(
  record: Pick<RecheckRecord, "failures">,
  failure: Failure,
  now: number,
): Pick<RecheckRecord, "dueAt" | "failures" | "lastError"> {
  const { message: lastError, retryAt = 0 } = failure;
  const isSpent = failure.kind === "budget";
  const failures = isSpent ? record.failures : mustSkip(record, failure) ? 0 : record.failures + 1;
  return { dueAt: Math.max(retryAt, now + pauseMs(failure, failures)), failures, lastError };
}

function pauseMs({ kind }: Failure, failures: number): number {
  switch (kind) {
    case "auth":
      return AUTH_RECHECK_MS;
    case "budget":
      return BUDGET_MS;
    case "permanent":
    case "circuit":
      return CIRCUIT_MS;
    case "rate":
    case "temporary":
      return Math.min(HOUR_MS, MINUTE_MS * 2 ** failures);
  }
}
