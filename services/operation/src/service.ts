import { measureAnalyses, type ModelStates, type TextAnalyst } from "@hourglass/analysis";
import type { FileAnalyst } from "@hourglass/analysis/files";
import {
  dueFailpoints,
  jobFailpoints,
  type Logger,
  type Measurements,
  NO_MEASUREMENTS,
  Jobs,
  type Queue,
  type Route,
  type Stoppable,
  type Store,
  together,
  type WorkerRole,
} from "@hourglass/runtime";
import { AnalyzerReports } from "./analyzer-reports.js";
import { CreationAttempts } from "./attempts.js";
import type { OperationConfig } from "./config.js";
import { OperationCreation } from "./create.js";
import { OperationErasure } from "./erase.js";
import { OperationListing } from "./list.js";
import type { Media } from "./media.js";
import { operationRoute } from "./rpc.js";
import { OPERATION_KIND, runOperation } from "./run.js";
import { OPERATION, OperationRepository } from "./store.js";
import { createSweeps, SWEEP_KINDS } from "./sweep.js";

export interface OperationServiceDeps {
  store: Store;
  queue: Queue;
  /** Without it, requests with file ids get UNIMPLEMENTED, and operations are kept until they are deleted. */
  media?: Media;
  /** Required to start a worker. */
  pool?: TextAnalyst;
  /** Required for a worker to carry out operations on files. */
  files?: FileAnalyst;
  /** Which analyses work in this process: a worker reports it to the other processes. Absent if these need not know. */
  states?: () => ModelStates;
  config: OperationConfig;
  log: Logger;
  /** Receives measurements of the work done here. */
  metrics?: Measurements;
  /** Aborted when the process stops: callers waiting for the end of an operation then get its current state. */
  stopping?: AbortSignal;
  /** Milliseconds since the epoch; tests set it. */
  clock?: () => number;
  /** Interval between looks for what is to be swept, in milliseconds; tests shorten it. */
  checkMs?: number;
}

/**
 * The parts of the operation service. A process starts those it is responsible for; each may run in several at once.
 */
export interface BuiltOperationService {
  routes: Route[];
  /**
   * Publishes accepted operations, and what is to be swept, to the queue and adds the backlog to the metrics. Runs in the
   * process of the routes, which wake it.
   */
  startRelay(): Stoppable;
  /** Carries operations out. Throws without a pool. */
  startWorker(): Stoppable;
  /** Repairs what crashes left behind, and erases what has expired; at least one process must run it. */
  startSweeper(): Stoppable;
}

/** The background work of operations: carrying them out, and repairing what crashes left behind. */
export const OPERATION_ROLES: readonly WorkerRole<BuiltOperationService>[] = [
  { role: "operation.run", start: (operations) => operations.startWorker() },
  { role: "operation.sweep", start: (operations) => operations.startSweeper() },
];

/** Every step of an operation's life at which a crash must neither lose it nor make it run twice. */
export const OPERATION_FAILPOINTS: readonly string[] = [
  ...jobFailpoints(OPERATION),
  "operation.after_attempt",
  "operation.after_claim",
  "operation.after_chunks",
  "operation.mid_delete",
  "worker.mid",
];

/** Every step of its sweeps at which a crash must neither leave anything behind nor remove what is stored. */
export const OPERATION_SWEEP_FAILPOINTS: readonly string[] = [
  ...SWEEP_KINDS.flatMap(dueFailpoints),
  "operation.mid_abandon",
];

/** Builds the operation service on an open store and queue, and creates its collections. */
export async function buildOperationService(deps: OperationServiceDeps): Promise<BuiltOperationService> {
  const { store, queue, media, config, log, metrics = NO_MEASUREMENTS, stopping, clock: now = Date.now } = deps;
  const repository = await OperationRepository.open(store);
  const erasure = new OperationErasure({ repository, log, now, onDeleted: (id) => jobs.forget(id) });
  const jobs = new Jobs({
    kind: OPERATION_KIND,
    store,
    records: repository.collections.operations,
    counter: "operations",
    queue,
    config,
    log,
    metrics,
    stopping,
    now,
    cleanUp: (record) => erasure.cleanUpRetries(record),
  });
  const attempts = new CreationAttempts({ repository, leaseMs: config.leaseMs, now });
  const { checkMs } = deps;
  const { leaseMs, retentionDays } = config;
  const sweeping = { repository, erasure, attempts, media, leaseMs, retentionDays };
  const sweeps = createSweeps({ ...sweeping, queue, log, metrics, now, checkMs });
  const listing = new OperationListing(repository.collections, store);
  const creation = new OperationCreation({ repository, jobs, attempts, now });
  const analyzers = new AnalyzerReports(repository.collections.analyzerReports, now);
  return {
    routes: [operationRoute({ repository, jobs, creation, erasure, listing, analyzers, media, limits: config })],
    startRelay: () => together([jobs.startRelay(), sweeps.startRelay()]),
    startWorker: () => {
      const { pool, files, states } = deps;
      if (pool === undefined) throw new Error("a worker needs an analysis pool");
      const runDeps = { repository, pool, onTimed: measureAnalyses(metrics), ...(files && { files }) };
      const worker = jobs.startWorker((leased) => runOperation(runDeps, leased));
      return states === undefined ? worker : together([worker, analyzers.start(states, log)]);
    },
    startSweeper: () => together([attempts.startWatch(log), sweeps.startWorker()]),
  };
}
