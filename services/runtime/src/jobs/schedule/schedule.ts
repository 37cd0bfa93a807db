import type { Logger } from "../../log/logger.js";
import { repeat, type Repetition } from "../../process/repetition.js";
import { claimDue, type ClaimDeps, type DueClaim, type DueRecord, findDue } from "./due-records.js";

export interface ScheduleDeps<R extends DueRecord> extends ClaimDeps<R> {
  /** How often it looks for what is due, in milliseconds. */
  everyMs: number;
  /** Records in work at a time. */
  concurrency: number;
  log: Logger;
  /** Said in the log when something failed, such as `old files could not be removed`. */
  failure: string;
}

/**
 * Does what a due record asks for: ends the claim by `reschedule`, or removes or changes the record under its `fence`. A
 * record that is left as it is, or whose work fails, is due again when the claim runs out.
 */
export type DueWork<R extends DueRecord> = (claim: DueClaim<R>) => Promise<void>;

const BATCH_MAX = 100;

/**
 * Does the work of records when they are due. Any number of processes may run one: each record is claimed by one of them
 * at a time. What is overdue several times is done once.
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

/** Works on the records that are due now; returns how many were found. */
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
