import type { Logger } from "../../log/logger.js";
import { repeat, type Repetition } from "../../process/repetition.js";
import { claimDue, type ClaimDeps, type DueClaim, type DueRecord, findDue } from "./due-records.js";

export interface ScheduleDeps<R extends DueRecord> extends ClaimDeps<R> {
  /** Interval between checks for due records, in milliseconds. */
  everyMs: number;
  /** Records processed concurrently. */
  concurrency: number;
  log: Logger;
  /** Log message for a failure, for example `old files could not be removed`. */
  failure: string;
}

/**
 * Does the work of a due record: ends the claim with `reschedule`, or removes or changes the record under its `fence`.
 * A record that is left unchanged, or whose work fails, is due again when the claim expires.
 */
export type DueWork<R extends DueRecord> = (claim: DueClaim<R>) => Promise<void>;

const BATCH_MAX = 100;

/**
 * Does the work of records when they are due. Any number of processes may run a schedule: each record is claimed by one
 * of them at a time. Work that is overdue several times is done once.
 */
export function startSchedule<R extends DueRecord>(deps: ScheduleDeps<R>, work: DueWork<R>): Repetition {
  let stopping = false;
  const loop = repeat(async () => {
    try {
      while (!stopping && (await doDue(deps, work)) === BATCH_MAX);
    } catch (error) {
      deps.log.warn({ err: error }, `${deps.failure}, trying again`);
    }
    return deps.everyMs;
  });
  return {
    wake: () => loop.wake(),
    stop: (graceMs) => {
      stopping = true;
      return loop.stop(graceMs);
    },
  };
}

/** Processes the records that are due now; returns how many were found. */
async function doDue<R extends DueRecord>(deps: ScheduleDeps<R>, work: DueWork<R>): Promise<number> {
  const due = await findDue(deps, BATCH_MAX);
  const left = [...due];
  const lane = async (): Promise<void> => {
    for (let record = left.shift(); record !== undefined; record = left.shift()) await doOne(deps, record, work);
  };
  await Promise.all(Array.from({ length: Math.min(deps.concurrency, due.length) }, lane));
  return due.length;
}

async function doOne<R extends DueRecord>(deps: ScheduleDeps<R>, record: R, work: DueWork<R>): Promise<void> {
  try {
    const claim = await claimDue(deps, record);
    if (claim !== undefined) await work(claim);
  } catch (error) {
    deps.log.warn({ err: error }, `${deps.failure}, trying again`);
  }
}
