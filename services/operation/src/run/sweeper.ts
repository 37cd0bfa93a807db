import { type Logger, type Measurements, type Queue, repeat, type Repetition } from "@hourglass/runtime";
import { AttemptWatch } from "../create/attempt-watch.js";
import type { Collections } from "../records/collections.js";
import type { AttemptTimes } from "../create/creation-attempts.js";
import { type Lane, LANE_QUEUES, laneOf, LANES } from "../outbox/lanes.js";
import { leftoverOfRetries, sweepLeftover } from "../records/leftovers.js";
import { type OperationRecord, transition } from "../records/operation.js";
import { publishRelease, publishRun } from "../outbox/publish.js";
import { GAVE_UP } from "./run-operation.js";
import { traceOf } from "../outbox/trace.js";

export interface SweeperDeps {
  collections: Collections;
  queue: Queue;
  leaseMs: number;
  /** Of creations that claim files. */
  times: AttemptTimes;
  now: () => number;
  log: Logger;
  metrics: Measurements;
  onEnded: (operationId: number) => void;
}

/** Published this long ago and not begun, with nothing in the queue: the message is lost. In milliseconds. */
const LOST_AFTER_MS = 5000;
/** With others in the queue, a message is taken for lost after so many leases; another one does no harm. */
const DOUBTED_AFTER_LEASES = 2;
const BATCH_MAX = 1000;
/**
 * Workers that may die over an operation before it is given up. More than the attempts of one that fails: a process dies
 * with all it has in work, and hardly ever by its fault, since texts are analysed in threads that die alone.
 */
const DEATHS_MAX = 10;

/** Puts right what a crash or a lost message left: leases that ran out, operations no message is about, leftovers. */
export function startSweeper(deps: SweeperDeps): Repetition {
  const leases = new LeaseWatch(deps);
  const attempts = new AttemptWatch(deps);
  const pauseMs = Math.min(deps.leaseMs / 4, 5000);
  const steps = [() => leases.sweep(), () => attempts.sweep(), () => republishLost(deps), () => sweepLeftovers(deps)];
  return repeat(async () => {
    for (const step of steps) {
      await step().catch((error: unknown) => deps.log.warn({ err: error }, "sweep failed, trying again"));
    }
    return pauseMs;
  });
}

/**
 * Finds the leases that nobody renews. Clocks of two processes may disagree by hours, so a lease is never ended by the
 * time written in it alone: it must also have stood unchanged, by this process's own steady clock, for longer than a
 * live worker leaves it (it renews three times in a lease).
 */
class LeaseWatch {
  private seen = new Map<number, { expiresAt: number | null; token: string | null; since: number }>();

  constructor(private readonly deps: SweeperDeps) {}

  async sweep(): Promise<void> {
    const running = await this.deps.collections.operations.find({ status: "running" }, { limit: BATCH_MAX });
    const seen: typeof this.seen = new Map();
    for (const record of running) {
      const { leaseExpiresAt: expiresAt, leaseToken: token } = record;
      const before = this.seen.get(record.id);
      const same = before?.expiresAt === expiresAt && before.token === token;
      const since = same ? before.since : performance.now();
      seen.set(record.id, { expiresAt, token, since });
      if (this.isDead(record, performance.now() - since)) await expire(this.deps, record);
    }
    this.seen = seen;
  }

  private isDead({ leaseExpiresAt }: OperationRecord, unchangedMs: number): boolean {
    const { leaseMs, now } = this.deps;
    if (unchangedMs > leaseMs) return true;
    return (leaseExpiresAt ?? 0) < now() && unchangedMs > leaseMs / 2;
  }
}

/** Takes the operation from a worker that is dead: back to the queue, or given up after the last attempt. */
async function expire(deps: SweeperDeps, record: OperationRecord): Promise<void> {
  const { collections, queue, now, log, metrics } = deps;
  const { id, attempts, leaseToken, leaseExpiresAt } = record;
  const lane = laneOf(record);
  const where = { leaseToken, leaseExpiresAt };
  const set = { leaseToken: null, leaseExpiresAt: null };
  log.warn({ operationId: id, attempts }, "lease ran out");
  if (attempts >= DEATHS_MAX) {
    const end = { ...set, error: GAVE_UP, finishedAt: now() };
    const failed = await transition(collections.operations, id, { from: "running", to: "failed", where, set: end });
    if (failed === undefined) return;
    metrics.countLeaseLoss(LANE_QUEUES[lane]);
    metrics.countOperationEnded(failed.status);
    log.info({ operationId: id, status: failed.status, run: failed.runs }, "operation ended");
    await collections.leftovers.put(leftoverOfRetries(failed, now()));
    deps.onEnded(id);
    return;
  }
  const pending = await transition(collections.operations, id, {
    from: "running",
    to: "pending",
    where,
    set: { ...set, queuedAt: now() },
  });
  if (pending === undefined) return;
  metrics.countLeaseLoss(LANE_QUEUES[lane]);
  await publishRun(queue, id, { lane, trace: traceOf(pending) });
}

async function republishLost({ collections, queue, leaseMs, now }: SweeperDeps): Promise<void> {
  const { operations } = collections;
  const doubtedAfterMs = DOUBTED_AFTER_LEASES * leaseMs;
  const lostAfterMs = Math.min(LOST_AFTER_MS, doubtedAfterMs);
  const old = await operations.find({ status: "pending", queuedAt: { lt: now() - lostAfterMs } }, { limit: BATCH_MAX });
  if (old.length === 0) return;
  const empty = await emptyLanes(queue);
  const lost = old.filter((record) => empty.has(laneOf(record)) || (record.queuedAt ?? 0) < now() - doubtedAfterMs);
  for (const { id, queuedAt } of lost) {
    // The condition keeps two sweepers from publishing the same one.
    const mine = await operations.update({ id, status: "pending", queuedAt }, { set: { queuedAt: now() } });
    if (mine !== undefined) await publishRun(queue, id, { lane: laneOf(mine), trace: traceOf(mine) });
  }
}

async function emptyLanes(queue: Queue): Promise<ReadonlySet<Lane>> {
  const depths = await Promise.all(LANES.map(async (lane) => ({ lane, depth: await queue.depth(LANE_QUEUES[lane]) })));
  return new Set(depths.filter(({ depth }) => depth === 0).map(({ lane }) => lane));
}

async function sweepLeftovers({ collections, queue, now }: SweeperDeps): Promise<void> {
  const due = await collections.leftovers.find({ dueAt: { lte: now() } }, { sort: [["dueAt", 1]], limit: BATCH_MAX });
  const releaseFiles = (id: number) => publishRelease(queue, id);
  for (const leftover of due) await sweepLeftover({ collections, releaseFiles, now }, leftover);
}
