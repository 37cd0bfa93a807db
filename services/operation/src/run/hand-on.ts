import { TEXTUAL_ANALYSES, VISUAL_ANALYSES } from "@hourglass/analysis";
import type { Logger, Queue } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import { laneOf } from "../outbox/lanes.js";
import type { Held } from "./lease.js";
import { type ContentKind, EXPLAIN, type OperationRecord, transition } from "../records/operation.js";
import { publishRun } from "../outbox/publish.js";

// While releases change, a record may ask for what only a newer one can do. Such an operation is handed on until a
// worker of that release gets it.

export interface HandOnDeps {
  collections: Pick<Collections, "operations">;
  queue: Queue;
  now: () => number;
  log: Logger;
}

/** How long an operation waits before it is offered to a worker again, in milliseconds. */
export const HAND_ON_MS = 5000;
/** An hour of offers: by then a release is rolled out, or the operation was accepted by one that was taken back. */
export const HANDED_ON_MAX = 720;

/** All that this release knows among a record's analyses; for texts, those that look at pictures have nothing to do. */
const ANALYSES: readonly string[] = [...TEXTUAL_ANALYSES, ...VISUAL_ANALYSES, EXPLAIN];
/** Kinds of contents that this release can carry out. */
const KINDS: readonly string[] = ["text", "file-id", "url"] satisfies ContentKind[];

/** What a record asks for that this release cannot do, in words such as `analysis emotion-x`; nothing when it can do all. */
export function findUnknown({ kind, analyses }: Pick<OperationRecord, "kind" | "analyses">): string | undefined {
  const unknown = analyses.filter((name) => !ANALYSES.includes(name)).map((name) => `analysis ${name}`);
  if (!KINDS.includes(kind)) unknown.unshift(`contents of kind ${kind}`);
  return unknown.length === 0 ? undefined : unknown.join(", ");
}

/** Whether a worker should still hope for one that can do more. Counted, not timed: a fleet that is stopped costs no patience. */
export function mayHandOn({ handedOn }: OperationRecord): boolean {
  return (handedOn ?? 0) < HANDED_ON_MAX;
}

/** Leaves the operation for another worker, as if this one had not begun it. */
export async function handOn(deps: HandOnDeps, { record, lease }: Held, unknown: string): Promise<void> {
  const { collections, queue, now, log } = deps;
  const at = now();
  const surplus = isSurplus(record, at);
  const handed = await transition(collections.operations, record.id, {
    from: "running",
    to: "pending",
    where: { leaseToken: lease.token },
    set: {
      leaseToken: null,
      leaseExpiresAt: null,
      ...(surplus ? {} : { queuedAt: at, handedOn: (record.handedOn ?? 0) + 1 }),
    },
    increment: { attempts: -1 },
  });
  if (handed === undefined || surplus) return;
  const known = { operationId: record.id, handedOn: handed.handedOn, unknown };
  // Once for each operation and process would need a memory; the first and then one a minute is enough.
  if ((record.handedOn ?? 0) % LOG_EVERY === 0) log.warn(known, "operation needs a newer worker, handed on");
  await publishRun(queue, record.id, { lane: laneOf(record), delayMs: HAND_ON_MS });
}

const LOG_EVERY = 12;

/**
 * A message that comes sooner after the last than that one's delay is about the same offer. It is dropped: otherwise
 * every message that was delivered twice would be two for as long as the operation waits.
 */
function isSurplus({ handedOn, queuedAt }: OperationRecord, at: number): boolean {
  const age = at - (queuedAt ?? 0);
  return (handedOn ?? 0) > 0 && age >= 0 && age < HAND_ON_MS / 2;
}
