import { type Logger, type Queue, repeat, type Repetition } from "@hourglass/runtime";
import type { Collections } from "./collections.js";
import { type OperationRecord, transition } from "./operation.js";
import { publishRun } from "./publish.js";
import { traceOf } from "./trace.js";
import { Supply } from "./supply.js";
import type { Turns } from "./turns.js";

export interface RelayDeps {
  collections: Collections;
  queue: Queue;
  turns: Turns;
  log: Logger;
  now: () => number;
  /** Operations published and not yet begun, at least; as many as are being worked on, when that is more. */
  waitingMin: number;
}

/** Looks for operations of other processes this often, in milliseconds. */
const IDLE_MS = 1000;
/** Looks this often for room when there is more to publish than room. */
const CROWDED_MS = 50;
const AFTER_FAILURE_MS = 1000;
const BATCH_MAX = 64;

/**
 * Hands ready operations to the queue in the order of their turns. Only a few wait there at a time, so that the order
 * is decided late and a company with a long backlog cannot fill the queue before another's first operation. Several
 * relays may work on one store: what both publish is carried out once.
 */
export function startRelay(deps: RelayDeps): Repetition {
  const supply = new Supply(deps.waitingMin);
  return repeat(async () => {
    try {
      const heldBack = await publishReady(deps, supply);
      supply.ended(heldBack);
      return heldBack ? CROWDED_MS : IDLE_MS;
    } catch (error) {
      deps.log.warn({ err: error }, "could not publish operations, trying again");
      return AFTER_FAILURE_MS;
    }
  });
}

/** Publishes until nothing is ready (false) or there is no more room (true). */
async function publishReady(deps: RelayDeps, supply: Supply): Promise<boolean> {
  const { operations } = deps.collections;
  let wanted: number | undefined;
  for (;;) {
    const [waiting, running] = await Promise.all([
      // Not those that are to be tried again, or that wait for a newer worker: meanwhile they hold nobody up.
      operations.count({ status: "pending", attempts: 0, handedOn: null }),
      operations.count({ status: "running" }),
    ]);
    wanted ??= supply.look(waiting);
    const room = Math.min(Math.max(wanted, running) - waiting, BATCH_MAX);
    const records = await operations.find({ status: "ready" }, { sort: ORDER, limit: Math.max(room, 1) });
    if (room <= 0) return records.length > 0;
    await Promise.all(records.map((record) => hand(deps, record)));
    await deps.turns.advance(records.at(-1)?.turn ?? 0);
    if (records.length < room) return false;
  }
}

const ORDER = [
  ["turn", 1],
  ["id", 1],
] as const satisfies [keyof OperationRecord, 1][];

async function hand({ collections, queue, now }: RelayDeps, record: OperationRecord): Promise<void> {
  const { id } = record;
  await publishRun(queue, id, { trace: traceOf(record) });
  // Nothing comes back when a worker, another relay, or a deletion was quicker.
  await transition(collections.operations, id, { from: "ready", to: "pending", set: { queuedAt: now() } });
}
