import {
  type Blobs,
  type Logger,
  type Measurements,
  NO_MEASUREMENTS,
  openJobs,
  type Queue,
  type Route,
  type Stoppable,
  type Store,
} from "@hourglass/runtime";
import type { ExportConfig } from "./config.js";
import { createCreateExport } from "./create/create-export.js";
import type { Insight } from "./insight/insight-port.js";
import { EXPORT_KIND } from "./job/export-kind.js";
import { createDeleteExport } from "./read/delete-export.js";
import { createGetExport, createListExports } from "./read/get-export.js";
import { Links } from "./read/links.js";
import { createReadExport } from "./read/read-export.js";
import { openCollections } from "./records/collections.js";
import { exportRoute } from "./rpc/rpc.js";
import { createRunExport } from "./run/run-export.js";
import { addRevisionGauge } from "./sweep/revision-gauge.js";
import { startExportSweeper } from "./sweep/start-sweeper.js";

export interface ExportServiceDeps {
  store: Store;
  queue: Queue;
  blobs: Blobs;
  insight: Insight;
  config: ExportConfig;
  log: Logger;
  metrics?: Measurements;
  /** Aborted when the process stops: callers waiting for the end of an export then get its current state. */
  stopping?: AbortSignal;
  /** Milliseconds since the epoch; tests set it. */
  clock?: () => number;
  /** Intervals of the sweeper, in milliseconds; tests shorten them. */
  intervals?: { checkMs: number; erasuresMs: number };
}

/** The parts of the export service. A process starts those it is responsible for; each may run in several at once. */
export interface BuiltExportService {
  routes: Route[];
  /** Publishes accepted exports to the queue. Runs in the process of the routes, which wake it. */
  startRelay(): Stoppable;
  /** Runs exports. */
  startWorker(): Stoppable;
  /** Repairs what crashes left behind, removes what has expired, and follows erasures; one process must run it. */
  startSweeper(): Stoppable;
}

/** Whose records exports are. */
const PRODUCT = "insight";

const INTERVALS = { checkMs: 1000, erasuresMs: 5000 } as const;

/** Builds the export service on an open store, queue and storage of files, and creates its collections. */
export async function buildExportService(deps: ExportServiceDeps): Promise<BuiltExportService> {
  const {
    store,
    queue,
    blobs,
    insight,
    config,
    log,
    metrics = NO_MEASUREMENTS,
    stopping,
    clock: now = Date.now,
  } = deps;
  const { intervals = INTERVALS } = deps;
  const collections = await openCollections(store);
  const jobs = await openJobs({
    kind: EXPORT_KIND,
    store,
    records: collections.exports,
    counter: "exports",
    queue,
    config,
    log,
    metrics,
    stopping,
    now,
  });
  const { days, leaseMs } = config;
  const files = { store, collections, blobs, now, log };
  const removal = { ...files, onDeleted: (id: number) => jobs.forget(id) };
  const useCases = {
    createExport: createCreateExport({ collections, jobs, insight, days, now }),
    getExport: createGetExport(collections, jobs),
    listExports: createListExports(collections),
    deleteExport: createDeleteExport(removal),
    readExport: createReadExport({ collections, blobs, now }),
    links: new Links({ collections, isActive: (companyId) => insight.serviceTokens.isActive(companyId, PRODUCT), now }),
  };
  return {
    routes: [exportRoute(useCases, config)],
    startRelay: () => jobs.startRelay(),
    startWorker: () => jobs.startWorker(createRunExport({ ...files, insight, days })),
    startSweeper: () => {
      addRevisionGauge(metrics, collections);
      const { checkMs, erasuresMs: everyMs } = intervals;
      const [repair, sweeper] = [
        jobs.startSweeper(),
        startExportSweeper({ ...removal, insight, leaseMs, everyMs, checkMs }),
      ];
      return { stop: async (graceMs) => void (await Promise.all([repair.stop(graceMs), sweeper.stop(graceMs)])) };
    },
  };
}
