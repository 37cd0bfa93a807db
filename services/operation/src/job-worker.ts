import { fromBinary } from "@bufbuild/protobuf";
import { RunOperationSchema } from "@hourglass/proto/job/v1/job";
import type { Consumer, Delivery, Logger, Outcome, Queue } from "@hourglass/runtime";
import { RUN_QUEUE } from "./publish.js";
import { repeat, type Stoppable } from "./repetition.js";
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
const CONSUME_AGAIN_MS = 1000;

/** Carries out operations from the queue. Stopping lets work end for half the grace and hands back the rest. */
export function startWorker({ queue, runOperation, concurrency, log }: WorkerDeps): Stoppable {
  const handBack = new AbortController();
  let consumer: Consumer | undefined;
  const handle = (delivery: Delivery): Promise<Outcome> => {
    const id = operationIdOf(delivery.body);
    if (id === undefined) return Promise.resolve({ kind: "dead", reason: "not a RunOperation message" });
    return runOperation(id, handBack.signal);
  };
  const consuming = repeat(async () => {
    if (consumer !== undefined) return Number.MAX_SAFE_INTEGER;
    try {
      consumer = await queue.consume(RUN_QUEUE, { prefetch: concurrency, attemptsMax: DELIVERIES_MAX }, handle);
      return FOREVER_MS;
    } catch (error) {
      log.warn({ err: error }, "cannot take operations from the queue, trying again");
      return CONSUME_AGAIN_MS;
    }
  });
  return {
    async stop(graceMs) {
      await consuming.stop(graceMs);
      const timer = setTimeout(() => handBack.abort(new Error("the worker is stopping")), graceMs / 2);
      await consumer?.stop(graceMs);
      clearTimeout(timer);
    },
  };
}

/** The longest that a timer can wait. */
const FOREVER_MS = 2 ** 31 - 1;

function operationIdOf(body: Uint8Array): number | undefined {
  try {
    const id = Number(fromBinary(RunOperationSchema, body).operationId);
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  } catch {
    // Not a message of ours; the caller sends it to the dead letters.
    return undefined;
  }
}
