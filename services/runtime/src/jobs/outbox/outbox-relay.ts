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
  /** Jobs published and not yet begun, at least; as many as are in work, when that is more. */
  waitingMin: number;
}

export interface Relay extends Stoppable {
  /** Looks at a lane now. */
  wake(lane: Lane): void;
}

/** Looks for jobs that other processes stored this often, in milliseconds. */
const IDLE_MS = 1000;
/** Looks this often for room in the queue when more is ready than there is room for. */
const CROWDED_MS = 50;
/** Looking at many companies' lines takes long; between two looks the relay rests so many times as long. */
const REST_PER_LOOK = 4;
const AFTER_FAILURE_MS = 1000;
const BATCH_MAX = 64;

/**
 * Publishes ready jobs to the queues of their lanes. Only a few wait in a queue at a time, so that the order is decided
 * late and a company with a long backlog cannot fill the queue before another's first job: in the shared lane jobs go in
 * fair order, in the others each company has a line of its own. Several relays may work on one store: a job that two of
 * them publish is carried out once.
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

/** Publishes over and over, sooner when something was held back for lack of room. */
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

/** Publishes as much of every company's line as there is room for; true when some is left. */
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

/** How many of those jobs wait in the queue, and how many are in work. */
function countPublished<R extends JobRecord>(
  { jobs }: RelayDeps<R>,
  which: Filter<JobRecord>,
): Promise<[number, number]> {
  return Promise.all([
    // Without those that wait for another attempt or for a newer worker: meanwhile they hold nobody up.
    jobs.count({ ...which, status: "pending", attempts: 0, handedOn: null }),
    jobs.count({ ...which, status: "running" }),
  ]);
}

async function publishReady<R extends JobRecord>(deps: RelayDeps<R>, record: R): Promise<void> {
  const { id } = record;
  await publishJob(deps, { id, to: deps.kind.lanes.laneOf(record).queue, trace: traceOf(record) });
  // Nothing comes back when a worker, another relay, or a deletion was quicker.
  await deps.jobs.transition(id, { from: "ready", to: "pending", set: { queuedAt: deps.now() } });
}
