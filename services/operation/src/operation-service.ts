import { measureAnalyses, type TextAnalyst } from "@hourglass/analysis";
import type { FileAnalyst } from "@hourglass/analysis/files";
import {
  type Logger,
  type Measurements,
  NO_MEASUREMENTS,
  openJobs,
  type Queue,
  type Route,
  type Stoppable,
  type Store,
} from "@hourglass/runtime";
import type { OperationConfig } from "./config.js";
import { AttemptWatch } from "./create/attempt-watch.js";
import { createCreateOperation } from "./create/create-operation.js";
import { attemptTimes } from "./create/creation-attempts.js";
import type { Media } from "./create/media-file-claims.js";
import { publishRelease } from "./create/publish-release.js";
import { eraseExpired } from "./erase/expired-operations.js";
import { OPERATION_KIND } from "./job/operation-kind.js";
import { cleanUpRetries, sweepCleanupNotes } from "./records/cleanup-notes.js";
import { openCollections } from "./records/collections.js";
import { createCheckOperations } from "./rpc/check-operations.js";
import { createDeleteOperation } from "./rpc/delete-operation.js";
import { createGetOperation } from "./rpc/get-operation.js";
import { createListOperations } from "./rpc/list-operations.js";
import { operationRoute } from "./rpc/rpc.js";
import { createRunOperation } from "./run/run-operation.js";

export interface OperationServiceDeps {
  store: Store;
  queue: Queue;
  /** Without it, requests with file ids are answered UNIMPLEMENTED, and operations are kept for ever. */
  media?: Media;
  /** Required to start a worker. */
  pool?: TextAnalyst;
  /** Required for a worker to carry out operations on files. */
  files?: FileAnalyst;
  config: OperationConfig;
  log: Logger;
  /** Receives measurements of the work done here. */
  metrics?: Measurements;
  /** Aborted when the process stops: callers waiting for the end of an operation then get its current state. */
  stopping?: AbortSignal;
  /** Milliseconds since the epoch; tests set it. */
  clock?: () => number;
}

/**
 * The parts of the operation service. A process starts those it is responsible for; each may run in several at once.
 */
export interface BuiltOperationService {
  routes: Route[];
  /**
   * Publishes accepted operations to the queue and adds the backlog to the metrics. Runs in the process of the routes,
   * which wake it.
   */
  startRelay(): Stoppable;
  /** Carries operations out. Throws without a pool. */
  startWorker(): Stoppable;
  /** Repairs what crashes left behind; at least one process must run it. */
  startSweeper(): Stoppable;
}

const DAY_MS = 24 * 60 * 60_000;

/** Builds the operation service on an open store and queue, and creates its collections. */
export async function buildOperationService(deps: OperationServiceDeps): Promise<BuiltOperationService> {
  const { store, queue, config, log, metrics = NO_MEASUREMENTS, stopping, clock: now = Date.now } = deps;
  const collections = await openCollections(store);
  const jobs = await openJobs({
    kind: OPERATION_KIND,
    store,
    records: collections.operations,
    counter: "operations",
    queue,
    config,
    log,
    metrics,
    stopping,
    now,
    cleanUp: (record) => cleanUpRetries(collections, record, now()),
  });
  const times = attemptTimes(config.leaseMs);
  const erasing = { collections, now, onDeleted: (id: number) => jobs.forget(id) };
  const useCases = {
    createOperation: createCreateOperation({ collections, jobs, times, now }),
    getOperation: createGetOperation({ collections, jobs }),
    checkOperations: createCheckOperations(collections),
    listOperations: createListOperations(collections),
    deleteOperation: createDeleteOperation(erasing),
  };
  return {
    routes: [operationRoute(useCases, { media: deps.media, limits: config })],
    startRelay: () => jobs.startRelay(),
    startWorker: () => {
      if (deps.pool === undefined) throw new Error("a worker needs an analysis pool");
      const { pool, files } = deps;
      const onTimed = measureAnalyses(metrics);
      return jobs.startWorker(createRunOperation({ collections, onTimed, pool, ...(files && { files }) }));
    },
    startSweeper: () => {
      const attempts = new AttemptWatch({ collections, queue, times, now });
      const releaseFiles = (id: number) => publishRelease(queue, id);
      const steps = [() => attempts.sweep(), () => sweepCleanupNotes({ collections, releaseFiles, now })];
      const { media } = deps;
      if (config.retentionDays !== undefined && media !== undefined) {
        const retentionMs = config.retentionDays * DAY_MS;
        steps.push(() => eraseExpired({ ...erasing, retentionMs, media, log }));
      }
      return jobs.startSweeper(steps);
    },
  };
}
