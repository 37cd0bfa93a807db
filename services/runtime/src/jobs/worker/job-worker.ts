import type { Stoppable } from "../../process/repetition.js";
import { type Delivery, type Outcome, subscribe } from "../../queue/queue.js";
import { type Lane, lanesOf } from "../record/job-kind.js";
import type { JobRecord } from "../record/job-record.js";
import { CompanyPlaces } from "./company-places.js";
import { defer } from "./defer.js";
import { readPublished } from "./lease.js";
import { runJob, type RunDeps } from "./run-job.js";

export interface WorkerDeps<R extends JobRecord> extends RunDeps<R> {
  /** Concurrent jobs of one lane; in a lane with a line per company, those of one company. */
  concurrency: number;
}

/** Handles the job that a message names. */
type Handle = (id: number) => Promise<Outcome>;

/** Runs jobs from the queues of all lanes. On stop, jobs may run for half the grace period; the rest is handed back. */
export function startJobWorker<R extends JobRecord>(deps: WorkerDeps<R>): Stoppable {
  const { kind, concurrency } = deps;
  const handBack = new AbortController();
  const parts = lanesOf(kind.lanes).map((lane) => {
    const run: Handle = (id) => runJob(deps, id, { lane, handBack: handBack.signal });
    return lane === kind.lanes.shared
      ? subscribeTo(deps, lane, { prefetch: concurrency, handle: run })
      : subscribeTo(deps, lane, { prefetch: concurrency + 1, handle: sharingPlaces(deps, run) });
  });
  return {
    async stop(graceMs) {
      const timer = setTimeout(() => handBack.abort(new Error("the worker is stopping")), graceMs / 2);
      await Promise.all(parts.map((part) => part.stop(graceMs)));
      clearTimeout(timer);
    },
  };
}

function subscribeTo<R extends JobRecord>(
  { kind: { message, policy }, queue, log }: WorkerDeps<R>,
  lane: Lane,
  { prefetch, handle }: { prefetch: number; handle: Handle },
): Stoppable {
  const deliver = ({ body }: Delivery): Promise<Outcome> => {
    const id = message.decode(body);
    if (id === undefined) return Promise.resolve({ kind: "dead", reason: `not a ${message.name} message` });
    return handle(id);
  };
  return subscribe({ queue, name: lane.queue, log, prefetch, attemptsMax: policy.deliveriesMax }, deliver);
}

/** Runs jobs of companies that have a free place; the others wait. */
function sharingPlaces<R extends JobRecord>(deps: WorkerDeps<R>, run: Handle): Handle {
  const places = new CompanyPlaces(deps.concurrency);
  return async (id) => {
    const record = await readPublished(deps, id);
    // The job was deleted, has ended, or has another worker: a late or repeated message.
    if (record?.status !== "pending") return { kind: "done" };
    if (!places.take(record.companyId)) {
      await defer(deps, record);
      return { kind: "done" };
    }
    try {
      return await run(id);
    } finally {
      places.giveBack(record.companyId);
    }
  };
}
