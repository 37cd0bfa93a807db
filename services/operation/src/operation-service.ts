import {
  type Logger,
  type Measurements,
  NO_MEASUREMENTS,
  type Queue,
  type Route,
  type Stoppable,
  type Store,
} from "@hourglass/runtime";
import { openCollections } from "./records/collections.js";
import type { OperationConfig } from "./config.js";
import { createCreateOperation } from "./create/create-operation.js";
import { attemptTimes } from "./create/creation-attempts.js";
import { createDeleteOperation } from "./rpc/delete-operation.js";
import { Ended } from "./rpc/ended.js";
import { addGauges } from "./rpc/gauges.js";
import { createGetOperation } from "./rpc/get-operation.js";
import { type Lane, laneOf } from "./outbox/lanes.js";
import type { Held, Lease } from "./run/lease.js";
import { createListOperations } from "./rpc/list-operations.js";
import { countingShed } from "./create/measured.js";
import type { Media } from "./create/media-file-claims.js";
import type { TextAnalyst } from "@hourglass/analysis";
import type { FileAnalyst } from "@hourglass/analysis/files";
import { Quota } from "./create/quota.js";
import { type Relay, startRelay } from "./outbox/relay.js";
import { operationRoute } from "./rpc/rpc.js";
import { createRunOperation } from "./run/run-operation.js";
import { startSweeper } from "./run/sweeper.js";
import { Turns } from "./outbox/turns.js";
import { startWorker } from "./run/job-worker.js";

export interface OperationServiceDeps {
  store: Store;
  queue: Queue;
  /** Without it, file ids are answered UNIMPLEMENTED. */
  media?: Media;
  /** Needed where a worker is started. */
  pool?: TextAnalyst;
  /** Needed where a worker is to carry out operations on files. */
  files?: FileAnalyst;
  config: OperationConfig;
  log: Logger;
  /** Told of what is done here. */
  metrics?: Measurements;
  /** Aborted when the process stops: readers who wait for the end of an operation then get it as it is. */
  stopping?: AbortSignal;
  /** Milliseconds since the epoch; tests set it. */
  clock?: () => number;
}

/** The parts of the operation service. A process starts those it is there for; each may run in several at once. */
export interface BuiltOperationService {
  routes: Route[];
  /**
   * Hands accepted operations to the queue, and adds to the metrics how much there is to do. Belongs beside the routes:
   * it is woken by them.
   */
  startRelay(): Stoppable;
  /** Carries operations out. Throws without a pool. */
  startWorker(): Stoppable;
  /** Puts right what crashes left; at least one process must run it. */
  startSweeper(): Stoppable;
}

/** Builds the operation service on an open store and queue, and creates its collections. */
export async function buildOperationService(deps: OperationServiceDeps): Promise<BuiltOperationService> {
  const { store, queue, config, log, metrics = NO_MEASUREMENTS, clock: now = Date.now } = deps;
  const collections = await openCollections(store);
  const turns = new Turns(collections.turns);
  const ended = new Ended();
  const leases = new Map<number, Lease>();
  let relay: Relay | undefined;
  const onReady = (lane: Lane) => {
    metrics.countOperationCreated();
    relay?.wake(lane);
  };
  const onEnded = (id: number) => {
    leases.delete(id);
    ended.announce(id);
  };
  const shared = { collections, queue, leaseMs: config.leaseMs, now, log, metrics, onEnded };
  const times = attemptTimes(config.leaseMs);
  const useCases = {
    createOperation: createCreateOperation({
      collections,
      nextId: () => store.nextId("operations"),
      turns,
      quota: new Quota(collections.operations, config, now),
      times,
      now,
      onReady,
    }),
    getOperation: createGetOperation({ collections, ended, stopping: deps.stopping }),
    listOperations: createListOperations(collections),
    deleteOperation: createDeleteOperation({
      collections,
      now,
      onDeleted: (id) => {
        leases.get(id)?.lose();
        ended.announce(id);
      },
    }),
  };
  const counted = { ...useCases, createOperation: countingShed(useCases.createOperation, metrics) };
  const onBegun = ({ record, lease }: Held) => {
    leases.set(record.id, lease);
    relay?.wake(laneOf(record)); // one less waits in the queue, so there is room for another
  };
  return {
    routes: [operationRoute(counted, { media: deps.media, limits: config })],
    startRelay: () => {
      addGauges(shared);
      return (relay = startRelay({ ...shared, turns, waitingMin: Math.max(8, 2 * config.concurrency) }));
    },
    startWorker: () => {
      if (deps.pool === undefined) throw new Error("a worker needs an analysis pool");
      const { pool, files } = deps;
      const runOperation = createRunOperation({ ...shared, pool, ...(files && { files }), onBegun });
      return startWorker({ ...shared, runOperation, concurrency: config.concurrency });
    },
    startSweeper: () => startSweeper({ ...shared, times }),
  };
}
