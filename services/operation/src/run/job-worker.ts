import { RunOperationSchema } from "@hourglass/proto/job/v1/job";
import { type Delivery, type Logger, type Outcome, operationIdOf, type Stoppable, subscribe } from "@hourglass/runtime";
import { defer, type DeferDeps } from "./defer.js";
import { isSlow, type Lane, LANE_QUEUES, LANES } from "../outbox/lanes.js";
import { readPublished } from "./lease.js";
import { Places } from "./places.js";
import type { RunOperation } from "./run-operation.js";

export interface WorkerDeps extends DeferDeps {
  runOperation: RunOperation;
  /** Operations of one lane in work at a time; of a slow one, those of one company. */
  concurrency: number;
  log: Logger;
}

/**
 * Deliveries of one message before the queue drops it to the dead letters. Attempts are counted in the record; this
 * only bounds messages that kill the worker before it gets so far.
 */
const DELIVERIES_MAX = 20;

/** What is to be done about the operation that a message names. */
type Work = (operationId: number) => Promise<Outcome>;

/**
 * Carries out operations from the queues of all lanes. Stopping lets work end for half the grace and hands back the rest.
 */
export function startWorker(deps: WorkerDeps): Stoppable {
  const handBack = new AbortController();
  const parts = LANES.map((lane) => {
    const run: Work = (id) => deps.runOperation(id, { lane, handBack: handBack.signal });
    return isSlow(lane)
      ? subscribeTo(deps, { lane, prefetch: deps.concurrency + 1, work: sharing(deps, run) })
      : subscribeTo(deps, { lane, prefetch: deps.concurrency, work: run });
  });
  return {
    async stop(graceMs) {
      const timer = setTimeout(() => handBack.abort(new Error("the worker is stopping")), graceMs / 2);
      await Promise.all(parts.map((part) => part.stop(graceMs)));
      clearTimeout(timer);
    },
  };
}

function subscribeTo(
  { queue, log }: WorkerDeps,
  { lane, prefetch, work }: { lane: Lane; prefetch: number; work: Work },
): Stoppable {
  const handle = (delivery: Delivery): Promise<Outcome> => {
    const id = operationIdOf(RunOperationSchema, delivery.body);
    if (id === undefined) return Promise.resolve({ kind: "dead", reason: "not a RunOperation message" });
    return work(id);
  };
  return subscribe({ queue, name: LANE_QUEUES[lane], log, prefetch, attemptsMax: DELIVERIES_MAX }, handle);
}

/** Work of companies that hold fewer places than they may; that of others waits. */
function sharing(deps: WorkerDeps, run: Work): Work {
  const places = new Places(deps.concurrency);
  return async (id) => {
    const record = await readPublished(deps, id);
    // Deleted, ended, or with another worker: a late or repeated message.
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
