import { LateFileError } from "@hourglass/analysis";
import {
  AppError,
  failpoint,
  inSpan,
  type Logger,
  type Measurements,
  type Outcome,
  type Queue,
  type Span,
  type SpanStart,
} from "@hourglass/runtime";
import { analyseOperation, type Outcomes } from "../analyse/analyse-contents.js";
import type { Collections } from "../records/collections.js";
import { changeLane } from "./defer.js";
import { findUnknown, handOn, mayHandOn } from "./hand-on.js";
import { isSlow, type Lane, LANE_QUEUES, laneOf } from "../outbox/lanes.js";
import { type Held, takeLease } from "./lease.js";
import { dropStrayResults, leftoverOfRetries } from "../records/leftovers.js";
import { type OperationRecord, type OperationStatus, transition } from "../records/operation.js";
import type { TextAnalyst } from "@hourglass/analysis";
import type { FileAnalyst } from "@hourglass/analysis/files";
import { messagingAttributes, operationAttributes, traceOf } from "../outbox/trace.js";

/** Times an operation is begun before it is given up. */
const ATTEMPTS_MAX = 5;
/** A busy machine is no failed attempt, until it has been too busy so many times. Each run keeps what it has finished. */
const LATE_RUNS_MAX = 10;
const LATE_AGAIN_MS = 30_000;
/** What the owner reads when it is. */
export const GAVE_UP =
  "The analysis did not succeed in several attempts. Create the operation again, or ask whoever runs this server.";

/** What the owner reads when no worker of a newer release came. */
function needsNewerRelease(unknown: string): string {
  return `No worker of this server knows: ${unknown}. Create the operation again once the server is up to date.`;
}

export interface RunOperationDeps {
  collections: Collections;
  queue: Queue;
  pool: TextAnalyst;
  /** Without it, operations on files do not succeed. */
  files?: FileAnalyst;
  leaseMs: number;
  now: () => number;
  log: Logger;
  metrics: Measurements;
  /** Told when an operation has been taken from the queue, and when it has ended. */
  onBegun: (held: Held) => void;
  onEnded: (operationId: number) => void;
}

export interface Run {
  /** Where its message came from. */
  lane: Lane;
  /** When it aborts, the operation is given back as if it had not been begun. */
  handBack: AbortSignal;
}

/** Carries out one operation, if it is to be had. */
export type RunOperation = (operationId: number, run: Run) => Promise<Outcome>;

const DONE: Outcome = { kind: "done" };

export function createRunOperation(deps: RunOperationDeps): RunOperation {
  const { operations } = deps.collections;
  return async (operationId, { lane, handBack }) => {
    failpoint("worker.after_delivery");
    const held = await takeLease({ operations, leaseMs: deps.leaseMs, now: deps.now }, operationId);
    // Deleted, ended, or with another worker: a late or repeated message.
    if (held === undefined) return DONE;
    failpoint("worker.after_lease");
    const { record } = held;
    if (!isSlow(lane) && isSlow(laneOf(record))) {
      await changeLane(deps, held);
      return DONE;
    }
    const queue = LANE_QUEUES[laneOf(record)];
    // Later runs are about other things than how long it had to wait.
    if (record.runs === 1) deps.metrics.observeJobAge({ queue, seconds: ageSeconds(record, deps.now()) });
    const startedAt = performance.now();
    let outcome: Outcome["kind"] | "error" = "error";
    try {
      const ended = await inSpan(spanOf(record), (span) => attempt(deps, held, { handBack, span }));
      outcome = ended.kind;
      return ended;
    } finally {
      const seconds = (performance.now() - startedAt) / 1000;
      deps.metrics.observeJob({ queue, outcome, seconds });
    }
  };
}

/** Clocks of two processes may disagree. */
function ageSeconds({ createdAt }: OperationRecord, now: number): number {
  return Math.max(0, now - createdAt) / 1000;
}

/** Continues the trace of the request that created the operation, however long ago that was. */
function spanOf(record: OperationRecord): SpanStart {
  const queue = LANE_QUEUES[laneOf(record)];
  return {
    name: `process ${queue}`,
    kind: "consumer",
    parent: traceOf(record),
    attributes: {
      ...messagingAttributes(queue, "process"),
      ...operationAttributes(record.id),
      "hourglass.contents": record.contentsCount,
      "hourglass.run": record.runs,
    },
  };
}

async function attempt(
  deps: RunOperationDeps,
  held: Held,
  { handBack, span }: { handBack: AbortSignal; span: Span | undefined },
): Promise<Outcome> {
  deps.onBegun(held);
  const interrupt = () => held.lease.interrupt(new Error("the worker is stopping"));
  handBack.addEventListener("abort", interrupt);
  if (handBack.aborted) interrupt();
  try {
    await carryOut(deps, held);
    return DONE;
  } catch (error) {
    span?.fail(error);
    // What is still under way for it is of no use, and others wait for its places.
    held.lease.interrupt(new Error("the attempt has failed", { cause: error }));
    return await recover(deps, held, { error, handBack });
  } finally {
    handBack.removeEventListener("abort", interrupt);
    held.lease.release();
    deps.onEnded(held.record.id);
  }
}

async function carryOut(deps: RunOperationDeps, held: Held): Promise<void> {
  const unknown = findUnknown(held.record);
  if (unknown !== undefined) {
    if (mayHandOn(held.record)) await handOn(deps, held, unknown);
    else await finish(deps, held, { to: "failed", set: { error: needsNewerRelease(unknown) } });
    return;
  }
  const outcomes: Outcomes = await analyseOperation(deps, held);
  held.lease.require();
  failpoint("worker.before_done");
  const progress = held.record.contentsCount;
  if ("unreadable" in outcomes)
    await finish(deps, held, { to: "invalid", set: { error: outcomes.unreadable, progress } });
  else await finish(deps, held, { to: "done", set: { ...outcomes, progress } });
  failpoint("worker.before_ack");
}

interface Ending {
  to: "done" | "failed" | "invalid";
  set: Partial<OperationRecord>;
}

/** Ends the operation unless it is no longer this worker's; a lost race is somebody else's success. */
async function finish(deps: RunOperationDeps, held: Held, ending: Ending): Promise<void> {
  const attributes = { ...operationAttributes(held.record.id), "hourglass.operation.status": ending.to };
  const record = await inSpan({ name: "commit operation", attributes }, () => commit(deps, held, ending));
  if (record === undefined) return;
  deps.metrics.countOperationEnded(record.status);
  deps.log.info({ operationId: record.id, status: record.status, run: record.runs }, "operation ended");
  if (record.runs === 1) return;
  await deps.collections.leftovers.put(leftoverOfRetries(record, deps.now()));
  await dropStrayResults(deps.collections, record);
}

/** Tries as long as the lease lasts: a store that is away for a moment must not cost the work of minutes. */
async function commit(deps: RunOperationDeps, held: Held, ending: Ending): Promise<OperationRecord | undefined> {
  const { operations } = deps.collections;
  const { record, lease } = held;
  for (;;) {
    try {
      return await transition(operations, record.id, {
        from: "running",
        to: ending.to,
        where: { leaseToken: lease.token },
        set: { ...ending.set, finishedAt: deps.now(), leaseExpiresAt: null },
      });
    } catch (error) {
      if (lease.isLost || !isAway(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, COMMIT_AGAIN_MS));
    }
  }
}

const COMMIT_AGAIN_MS = 250;

function isAway(error: unknown): boolean {
  return error instanceof AppError && error.kind === "unavailable";
}

async function recover(
  deps: RunOperationDeps,
  held: Held,
  { error, handBack }: { error: unknown; handBack: AbortSignal },
): Promise<Outcome> {
  const { record, lease } = held;
  if (lease.isLost) {
    deps.log.info({ operationId: record.id, run: record.runs }, "operation was deleted or taken over, work dropped");
    return DONE;
  }
  if (handBack.aborted) {
    await giveBack(deps, held, { attempts: -1 });
    return { kind: "retry", delayMs: 0, reason: "the worker is stopping" };
  }
  if (error instanceof LateFileError && record.runs < LATE_RUNS_MAX) {
    deps.log.warn({ operationId: record.id, run: record.runs, err: error }, "machine is too busy, trying again later");
    await giveBack(deps, held, { attempts: -1 });
    return { kind: "retry", delayMs: LATE_AGAIN_MS, reason: "the machine was too busy" };
  }
  deps.log.warn({ operationId: record.id, attempt: record.attempts, err: error }, "operation did not succeed");
  if (record.attempts >= ATTEMPTS_MAX) {
    await finish(deps, held, { to: "failed", set: { error: GAVE_UP } });
    return { kind: "dead", reason: `failed after ${record.attempts} attempts` };
  }
  await giveBack(deps, held);
  return { kind: "retry", delayMs: backoffMs(record.attempts), reason: "the analysis did not succeed" };
}

async function giveBack(deps: RunOperationDeps, held: Held, increment?: { attempts: number }): Promise<void> {
  await transition(deps.collections.operations, held.record.id, {
    from: "running",
    to: "pending" satisfies OperationStatus,
    where: { leaseToken: held.lease.token },
    set: { leaseToken: null, leaseExpiresAt: null, queuedAt: deps.now() },
    ...(increment === undefined ? {} : { increment }),
  });
}

/** 0.5 s, 1 s, 2 s …, spread so that operations that failed together do not come back together. */
function backoffMs(attempts: number): number {
  return 500 * 2 ** (attempts - 1) * (0.75 + Math.random() / 2);
}
