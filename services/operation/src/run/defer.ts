import type { Collection, Queue } from "@hourglass/runtime";
import { laneOf } from "../outbox/lanes.js";
import { type Held } from "./lease.js";
import { type OperationRecord, transition } from "../records/operation.js";
import { publishRun } from "../outbox/publish.js";

export interface DeferDeps {
  collections: { operations: Collection<OperationRecord> };
  queue: Queue;
  now: () => number;
}

/** How long an operation waits before it is offered to a worker again, in milliseconds. */
const DEFER_MS = 1000;

/** Leaves a pending operation in its queue, since its company holds all the places of this worker that it may. */
export async function defer({ collections, queue, now }: DeferDeps, record: OperationRecord): Promise<void> {
  const { id, queuedAt } = record;
  const at = now();
  if (isSurplus(record, at)) return;
  // Of several messages about it one goes on.
  const mine = await collections.operations.update(
    { id, status: "pending", queuedAt },
    { set: { queuedAt: at, deferredAt: at } },
  );
  if (mine !== undefined) await publishRun(queue, id, { lane: laneOf(mine), delayMs: DEFER_MS, trace: null });
}

/** A message that comes sooner than the last one was to come is another one about the same operation: one is enough. */
function isSurplus({ deferredAt }: OperationRecord, at: number): boolean {
  const age = at - (deferredAt ?? 0);
  return typeof deferredAt === "number" && age >= 0 && age < DEFER_MS / 2;
}

/** Gives an operation that came in the wrong lane, from a release that knew of none, to its own, as if it had not been begun. */
export async function changeLane({ collections, queue, now }: DeferDeps, { record, lease }: Held): Promise<void> {
  lease.release();
  const pending = await transition(collections.operations, record.id, {
    from: "running",
    to: "pending",
    where: { leaseToken: lease.token },
    set: { leaseToken: null, leaseExpiresAt: null, queuedAt: now() },
    increment: { attempts: -1 },
  });
  if (pending !== undefined) await publishRun(queue, record.id, { lane: laneOf(pending) });
}
