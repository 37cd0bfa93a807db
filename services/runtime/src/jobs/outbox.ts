import { failpoint } from "../process/failpoint.js";
import type { Queue } from "../queue/queue.js";
import { inSpan, type SpanAttributes, type TraceContext } from "../telemetry/spans.js";
import type { JobRecord } from "./job.js";
import {
  jobAttributes,
  type JobContext,
  jobFailpoint,
  type JobMessage,
  type Lane,
  lanesOf,
  traceOf,
} from "./job-kind.js";

// The record is the outbox entry of its job: a `ready` one has no message yet (the relay publishes it), and a `pending`
// one is published again if its message was lost.

export interface Publication {
  id: number;
  /** Name of the queue. */
  to: string;
  /** Minimum delay before delivery, in milliseconds. */
  delayMs?: number;
  /** The trace of the message; null: none. Absent: the active trace. */
  trace?: TraceContext | null;
}

/** Publishes a job's message; resolves once it is queued. The message is only a hint and may be published twice. */
export function publishJob(
  { kind, queue }: { kind: { name: string; message: JobMessage }; queue: Queue },
  { id, to, delayMs, trace }: Publication,
): Promise<void> {
  const span = {
    name: `send ${to}`,
    kind: "producer",
    attributes: { ...messagingAttributes(to, "send"), ...jobAttributes(kind, id) },
    ...(trace === undefined ? {} : { parent: trace }),
  } as const;
  return inSpan(span, async () => {
    const body = kind.message.encode(id);
    failpoint(jobFailpoint(kind.name, "before_publish"));
    const confirmed = queue.publish(to, body, delayMs === undefined ? {} : { delayMs });
    failpoint(jobFailpoint(kind.name, "before_confirm"));
    await confirmed;
    failpoint(jobFailpoint(kind.name, "after_publish"));
  });
}

/** Attributes of spans for queue messages, by OpenTelemetry's semantic conventions. */
export function messagingAttributes(queue: string, operation: "send" | "process"): SpanAttributes {
  return {
    "messaging.system": "hourglass",
    "messaging.destination.name": queue,
    "messaging.operation.name": operation,
    "messaging.operation.type": operation,
  };
}

const BATCH_MAX = 1000;

/** Publishes jobs again whose message was lost. */
export async function republishLost<R extends JobRecord>(context: JobContext<R>): Promise<void> {
  const { kind, jobs, leaseMs, now } = context;
  const { laneOf } = kind.lanes;
  const doubtedAfterMs = kind.policy.doubtedAfterLeases * leaseMs;
  const lostAfterMs = Math.min(kind.policy.lostAfterMs, doubtedAfterMs);
  const old = await jobs.find({ status: "pending", queuedAt: { lt: now() - lostAfterMs } }, { limit: BATCH_MAX });
  if (old.length === 0) return;
  const empty = await emptyLanes(context);
  const lost = old.filter((record) => empty.has(laneOf(record)) || (record.queuedAt ?? 0) < now() - doubtedAfterMs);
  for (const { id, queuedAt } of lost) {
    // The condition prevents two processes from publishing the same job.
    const mine = await jobs.update({ id, status: "pending", queuedAt }, { set: { queuedAt: now() } });
    if (mine !== undefined) await publishJob(context, { id, to: laneOf(mine).queue, trace: traceOf(mine) });
  }
}

async function emptyLanes<R extends JobRecord>({ kind, queue }: JobContext<R>): Promise<ReadonlySet<Lane>> {
  const lanes = lanesOf(kind.lanes);
  const depths = await Promise.all(lanes.map(async (lane) => ({ lane, depth: await queue.depth(lane.queue) })));
  return new Set(depths.filter(({ depth }) => depth === 0).map(({ lane }) => lane));
}
