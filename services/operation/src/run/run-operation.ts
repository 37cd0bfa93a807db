import { LateFileError } from "@hourglass/analysis";
import { type JobEnd, type JobWork, PostponedError } from "@hourglass/runtime";
import { analyseOperation, type AnalyseDeps, type Outcomes } from "../analyse/analyse-contents.js";
import type { OperationRecord } from "../records/operation.js";

/**
 * A run stopped by a busy machine counts as a failed attempt only after this many runs. Each run keeps what it has
 * finished.
 */
const LATE_RUNS_MAX = 10;
const LATE_AGAIN_MS = 30_000;

/** The work of one operation: analyses its contents. */
export function createRunOperation(deps: AnalyseDeps): JobWork<OperationRecord> {
  return async (held) => {
    try {
      return endOf(await analyseOperation(deps, held), held.record);
    } catch (error) {
      if (!(error instanceof LateFileError)) throw error;
      const postponement = { delayMs: LATE_AGAIN_MS, runsMax: LATE_RUNS_MAX, cause: error };
      throw new PostponedError("machine is too busy, trying again later", postponement);
    }
  };
}

function endOf(outcomes: Outcomes, { contentsCount: progress }: OperationRecord): JobEnd<OperationRecord> {
  if ("unreadable" in outcomes) return { to: "invalid", error: outcomes.unreadable, progress };
  return { to: "done", fields: outcomes, progress };
}
