import { setMaxListeners } from "node:events";
import { repeat, startSchedule, type Stoppable } from "@hourglass/runtime";
import type { RecheckRecord } from "../../store/records.js";
import { CHECK_EVERY_MS, RECHECK_LEASE_MS, RECHECK_SEED_MS } from "../pace/policy.js";
import { type RecheckContext, runRecheck } from "./run-recheck.js";
import { seedRechecks } from "./seed.js";

export type RechecksDeps = Omit<RecheckContext, "stopping">;

const SEED_RETRY_MS = 60_000;

/**
 * Compares stored postings with their platforms within the terms of each, until stopped. Any number of processes may do so
 * on one store.
 */
export function startRechecks(deps: RechecksDeps): Stoppable {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const context = { ...deps, stopping: stopping.signal };
  const { collections, now, log } = deps;
  const schedule = startSchedule<RecheckRecord>(
    {
      records: collections.rechecks,
      leaseMs: RECHECK_LEASE_MS,
      now,
      everyMs: CHECK_EVERY_MS,
      concurrency: 2,
      order: { isUrgent: () => false, ownerOf: ({ companyId }) => companyId },
      log,
      failure: "stored postings could not be compared with their platform",
    },
    (claim) => runRecheck(context, claim),
  );
  const seeding = repeat(async () => {
    try {
      await seedRechecks(deps);
      return RECHECK_SEED_MS;
    } catch (error) {
      log.warn({ err: error }, "companies whose postings are to be rechecked could not be read, trying again");
      return SEED_RETRY_MS;
    }
  });
  return {
    stop: async (graceMs) => {
      stopping.abort(new Error("the process is stopping"));
      await Promise.all([schedule.stop(graceMs), seeding.stop(graceMs)]);
    },
  };
}
