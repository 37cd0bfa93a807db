import { RunOperationSchema } from "@hourglass/proto/job/v1/job";
import {
  type Delivery,
  type Logger,
  type Outcome,
  type Queue,
  operationIdOf,
  type Stoppable,
  subscribe,
} from "@hourglass/runtime";
import { RUN_QUEUE } from "./publish.js";
import type { RunOperation } from "./run-operation.js";

export interface WorkerDeps {
  queue: Queue;
  runOperation: RunOperation;
  /** Operations in work at a time. */
  concurrency: number;
  log: Logger;
}

/**
 * Deliveries of one message before the queue drops it to the dead letters. Attempts are counted in the record; this
 * only bounds messages that kill the worker before it gets so far.
 */
const DELIVERIES_MAX = 20;

/** Carries out operations from the queue. Stopping lets work end for half the grace and hands back the rest. */
export function startWorker({ queue, runOperation, concurrency, log }: WorkerDeps): Stoppable {
  const handBack = new AbortController();
  const handle = (delivery: Delivery): Promise<Outcome> => {
    const id = operationIdOf(RunOperationSchema, delivery.body);
    if (id === undefined) return Promise.resolve({ kind: "dead", reason: "not a RunOperation message" });
    return runOperation(id, handBack.signal);
  };
  const options = { prefetch: concurrency, attemptsMax: DELIVERIES_MAX };
  const subscription = subscribe({ queue, name: RUN_QUEUE, log, ...options }, handle);
  return {
    async stop(graceMs) {
      const timer = setTimeout(() => handBack.abort(new Error("the worker is stopping")), graceMs / 2);
      await subscription.stop(graceMs);
      clearTimeout(timer);
    },
  };
}
