import { repeat, type Repetition, type Stoppable } from "../../process/repetition.js";
import type { Filter } from "../../store/store.js";
import type { JobContext } from "../record/job-context.js";
import type { Lane } from "../record/job-kind.js";
import type { JobRecord } from "../record/job-record.js";
import { traceOf } from "../record/job-spans.js";
import { headsOf, IN_TURN } from "./company-lines.js";
import type { FairOrder } from "./fair-order.js";
import { publishJob } from "./publish-job.js";
import { PublishWindow } from "./publish-window.js";

export interface RelayDeps<R extends JobRecord> extends JobContext<R> {
  order: FairOrder;
  /** Minimum target for jobs that are published but not begun; if more jobs are running, their number is the target. */
  waitingMin: number;
}

export interface Relay extends Stoppable {
  /** Checks a lane immediately. */
  wake(lane: Lane): void;
}

/** Interval for finding jobs stored by other processes, in milliseconds. */
const IDLE_MS = 1000;
/** Interval while more jobs are ready than the queue has room for, in milliseconds. */
const CROWDED_MS = 50;
/** A check of many companies' lines takes long; the relay pauses for this multiple of its duration. */
const REST_PER_LOOK = 4;
const AFTER_FAILURE_MS = 1000;
const BATCH_MAX = 64;

/**
 * Publishes ready jobs to the queues of their lanes. Only a few wait in a queue at a time, so that the order is decided
 * late and a company with a long backlog cannot fill the queue before another company's first job: the shared lane uses
 * fair order, in the other lanes each company has its own line. Several relays may work on one store: a job that two of
 * them publish is run once.
 */
export function startRelay<R extends JobRecord>(deps: RelayDeps<R>): Relay {
  const { shared, perCompany } = deps.kind.lanes;
  const window = new PublishWindow(deps.waitingMin);
  const loops = new Map<Lane, Repetition>([
    [
      shared,
      publishing(deps, async () => {
        const heldBack = await publishInTurn(deps, window);
        window.finish(heldBack);
        return heldBack;
      }),
    ],
    ...perCompany.map((lane) => [lane, publishing(deps, () => publishLines(deps, lane))] as const),
  ]);
  return {
    wake: (lane) => loops.get(lane)?.wake(),
    stop: async (graceMs) => {
      await Promise.all([...loops.values()].map((loop) => loop.stop(graceMs)));
    },
  };
}

/** Publishes repeatedly, at a shorter interval if jobs were held back for lack of room. */
function publishing<R extends JobRecord>({ log, kind }: RelayDeps<R>, publish: () => Promise<boolean>): Repetition {
  return repeat(async () => {
    const begun = performance.now();
    try {
      if (!(await publish())) return IDLE_MS;
      return Math.max(CROWDED_MS, REST_PER_LOOK * (performance.now() - begun));
    } catch (error) {
      log.warn({ err: error }, `could not publish ${kind.name}s, trying again`);
      return AFTER_FAILURE_MS;
    }
  });
}

/** Publishes jobs of the shared lane until none is ready (false) or the window is full (true). */
async function publishInTurn<R extends JobRecord>(deps: RelayDeps<R>, window: PublishWindow): Promise<boolean> {
  let wanted: number | undefined;
  for (;;) {
    const [waiting, running] = await countPublished(deps, { line: null });
    wanted ??= window.observe(waiting);
    const room = Math.min(Math.max(wanted, running) - waiting, BATCH_MAX);
    const ready = { status: "ready", line: null } as const;
    const records = await deps.jobs.find(ready, { sort: IN_TURN, limit: Math.max(room, 1) });
    if (room <= 0) return records.length > 0;
    await Promise.all(records.map((record) => publishReady(deps, record)));
    await deps.order.advance(records.at(-1)?.turn ?? 0);
    if (records.length < room) return false;
  }
}

/** Publishes as much of every company's line as there is room for; true if jobs are left. */
async function publishLines<R extends JobRecord>(deps: RelayDeps<R>, lane: Lane): Promise<boolean> {
  let heldBack = false;
  for await (const { line } of headsOf(deps.jobs, { lane, status: "ready" })) {
    const [waiting, running] = await countPublished(deps, { line });
    const room = Math.min(Math.max(deps.waitingMin, running) - waiting, BATCH_MAX);
    if (room > 0) {
      const records = await deps.jobs.find({ status: "ready", line }, { sort: IN_TURN, limit: room });
      await Promise.all(records.map((record) => publishReady(deps, record)));
      if (records.length < room) continue;
    }
    heldBack = true;
  }
  return heldBack;
}

/** How many of those jobs wait in the queue, and how many are running. */
function countPublished<R extends JobRecord>(
  { jobs }: RelayDeps<R>,
  which: Filter<JobRecord>,
): Promise<[number, number]> {
  return Promise.all([
    // Excludes jobs that wait for another attempt, a newer worker or a later time, because they do not delay others.
    jobs.count({ ...which, status: "pending", attempts: 0, handedOn: null, postponed: null }),
    jobs.count({ ...which, status: "running" }),
  ]);
}

async function publishReady<R extends JobRecord>(deps: RelayDeps<R>, record: R): Promise<void> {
  const { id } = record;
  await publishJob(deps, { id, to: deps.kind.lanes.laneOf(record).queue, trace: traceOf(record) });
  // Has no effect if a worker, another relay, or a deletion was faster.
  await deps.jobs.transition(id, { from: "ready", to: "pending", set: { queuedAt: deps.now() } });
}
