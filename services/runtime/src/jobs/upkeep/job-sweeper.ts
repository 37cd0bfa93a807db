import { repeat, type Repetition } from "../../process/repetition.js";
import type { JobContext } from "../record/job-context.js";
import type { JobRecord } from "../record/job-record.js";
import { LeaseWatch } from "./lease-watch.js";
import { republishLost } from "./lost-messages.js";

const PAUSE_MS_MAX = 5000;

/**
 * Repairs jobs after crashes and lost messages: expired leases, jobs without a message, and whatever the further steps
 * find. A failed step is logged and does not prevent the others.
 */
export function startJobSweeper<R extends JobRecord>(
  deps: JobContext<R>,
  furtherSteps: readonly (() => Promise<void>)[],
): Repetition {
  const leases = new LeaseWatch(deps);
  const pauseMs = Math.min(deps.leaseMs / 4, PAUSE_MS_MAX);
  const steps = [() => leases.sweep(), () => republishLost(deps), ...furtherSteps];
  return repeat(async () => {
    for (const step of steps) {
      await step().catch((error: unknown) => deps.log.warn({ err: error }, "sweep failed, trying again"));
    }
    return pauseMs;
  });
}
