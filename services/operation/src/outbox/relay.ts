import { type Filter, type Logger, type Queue, repeat, type Repetition, type Stoppable } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import { type Lane, laneOf, SLOW_LANES, type SlowLane } from "./lanes.js";
import { headsOf } from "./lines.js";
import { type OperationRecord, transition } from "../records/operation.js";
import { publishRun } from "./publish.js";
import { Supply } from "./supply.js";
import { traceOf } from "./trace.js";
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

export interface Relay extends Stoppable {
  /** Looks at a lane now. */
  wake(lane: Lane): void;
}

/** Looks for operations of other processes this often, in milliseconds. */
const IDLE_MS = 1000;
/** Looks this often for room when there is more to publish than room. */
const CROWDED_MS = 50;
/** Looks at many companies' lines take longer; between two it rests so many times as long. */
const REST_PER_LOOK = 4;
const AFTER_FAILURE_MS = 1000;
const BATCH_MAX = 64;

/**
 * Hands ready operations to the queues of their lanes. Only a few wait there at a time, so that the order is decided late
 * and a company with a long backlog cannot fill a queue before another's first operation: of small texts they go in the
 * order of their turns, in the other lanes each company has its own line. Several relays may work on one store: what both
 * publish is carried out once.
 */
export function startRelay(deps: RelayDeps): Relay {
  const supply = new Supply(deps.waitingMin);
  const texts = async (): Promise<boolean> => {
    const heldBack = await publishInTurn(deps, supply);
    supply.ended(heldBack);
    return heldBack;
  };
  const [large, files] = SLOW_LANES.map((lane) => look(deps, () => publishLines(deps, lane))) as [
    Repetition,
    Repetition,
  ];
  const looks: Record<Lane, Repetition> = { texts: look(deps, texts), large, files };
  return {
    wake: (lane) => looks[lane].wake(),
    stop: async (graceMs) => {
      await Promise.all(Object.values(looks).map((each) => each.stop(graceMs)));
    },
  };
}

/** Publishes over and over, sooner when something was held back for want of room. */
function look({ log }: RelayDeps, publish: () => Promise<boolean>): Repetition {
  return repeat(async () => {
    const begun = performance.now();
    try {
      if (!(await publish())) return IDLE_MS;
      return Math.max(CROWDED_MS, REST_PER_LOOK * (performance.now() - begun));
    } catch (error) {
      log.warn({ err: error }, "could not publish operations, trying again");
      return AFTER_FAILURE_MS;
    }
  });
}

/** Publishes small texts until none is ready (false) or there is no more room (true). */
async function publishInTurn(deps: RelayDeps, supply: Supply): Promise<boolean> {
  const { operations } = deps.collections;
  let wanted: number | undefined;
  for (;;) {
    const [waiting, running] = await countPublished(deps, { line: null });
    wanted ??= supply.look(waiting);
    const room = Math.min(Math.max(wanted, running) - waiting, BATCH_MAX);
    const ready = { status: "ready", line: null } as const;
    const records = await operations.find(ready, { sort: IN_TURN, limit: Math.max(room, 1) });
    if (room <= 0) return records.length > 0;
    await Promise.all(records.map((record) => hand(deps, record)));
    await deps.turns.advance(records.at(-1)?.turn ?? 0);
    if (records.length < room) return false;
  }
}

/** Publishes of every company's line what there is room for; true when some is left. */
async function publishLines(deps: RelayDeps, lane: SlowLane): Promise<boolean> {
  let heldBack = false;
  for await (const { line } of headsOf(deps.collections.operations, { lane, status: "ready" })) {
    const [waiting, running] = await countPublished(deps, { line });
    const room = Math.min(Math.max(deps.waitingMin, running) - waiting, BATCH_MAX);
    if (room > 0) {
      const records = await deps.collections.operations.find({ status: "ready", line }, { sort: IN_TURN, limit: room });
      await Promise.all(records.map((record) => hand(deps, record)));
      if (records.length < room) continue;
    }
    heldBack = true;
  }
  return heldBack;
}

/** How many of those wait in the queue, and how many are in work. */
function countPublished({ collections }: RelayDeps, which: Filter<OperationRecord>): Promise<[number, number]> {
  const { operations } = collections;
  return Promise.all([
    // Not those that are to be tried again, or that wait for a newer worker: meanwhile they hold nobody up.
    operations.count({ ...which, status: "pending", attempts: 0, handedOn: null }),
    operations.count({ ...which, status: "running" }),
  ]);
}

const IN_TURN = [
  ["turn", 1],
  ["id", 1],
] as const satisfies [keyof OperationRecord, 1][];

async function hand({ collections, queue, now }: RelayDeps, record: OperationRecord): Promise<void> {
  const { id } = record;
  await publishRun(queue, id, { lane: laneOf(record), trace: traceOf(record) });
  // Nothing comes back when a worker, another relay, or a deletion was quicker.
  await transition(collections.operations, id, { from: "ready", to: "pending", set: { queuedAt: now() } });
}
