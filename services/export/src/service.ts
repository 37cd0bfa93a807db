import {
  type Blobs,
  dueFailpoints,
  type IssuedLink,
  jobFailpoints,
  KeptAnswers,
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
import type { ExportConfig } from "./config.js";
import { ExportCreation } from "./create.js";
import { type Insight, InsightCalls } from "./insight.js";
import { ExportLinks } from "./links.js";
import { ExportReader } from "./read.js";
import { exportRoute } from "./rpc.js";
import { EXPORT_KIND, ExportRun } from "./run.js";
import { EXPORT, ExportRepository, LINK_ANSWERS } from "./store.js";
import { createSweeps, EXPORTING_COMPANY, FILE_SET_KIND } from "./sweep.js";

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
  /** Intervals of the sweeps, in milliseconds; tests shorten them. */
  intervals?: { checkMs: number; erasuresMs: number };
}

/** The parts of the export service. A process starts those it is responsible for; each may run in several at once. */
export interface BuiltExportService {
  routes: Route[];
  /** Publishes accepted exports, and what is to be swept, to the queue. Runs in the process of the routes, which wake it. */
  startRelay(): Stoppable;
  /** Runs exports. */
  startWorker(): Stoppable;
  /** Repairs what crashes left behind, removes what has expired, and follows erasures; one process must run it. */
  startSweeper(): Stoppable;
}

/** The background work of exports: rendering them, and removing what has expired or was erased. */
export const EXPORT_ROLES: readonly WorkerRole<BuiltExportService>[] = [
  { role: "export.run", start: (exports) => exports.startWorker() },
  { role: "export.sweep", start: (exports) => exports.startSweeper() },
];

/** Every step of an export's life at which a crash must neither lose it nor show a part of it. */
export const EXPORT_FAILPOINTS: readonly string[] = [
  ...jobFailpoints(EXPORT),
  ...dueFailpoints(EXPORTING_COMPANY),
  ...dueFailpoints(FILE_SET_KIND),
  "export.after_file_set",
  "export.mid_render",
  "export.after_render",
  "export.mid_delete",
  "export.after_files_removed",
  "export.before_revision",
  "export.after_revision",
  "export.after_followed",
];

const INTERVALS = { checkMs: 1000, erasuresMs: 5000 } as const;

/** Builds the export service on an open store, queue and storage of files, and creates its collections. */
export async function buildExportService({
  store,
  queue,
  blobs,
  insight: connection,
  config,
  log,
  metrics = NO_MEASUREMENTS,
  stopping,
  clock: now = Date.now,
  intervals: { checkMs, erasuresMs: everyMs } = INTERVALS,
}: ExportServiceDeps): Promise<BuiltExportService> {
  const repository = await ExportRepository.open({ store, blobs, log, now, onRemoved: (id) => jobs.forget(id) });
  const { exports: records, linkKeys } = repository.collections;
  const jobs = new Jobs({
    kind: EXPORT_KIND,
    store,
    records,
    counter: "exports",
    queue,
    config,
    log,
    metrics,
    stopping,
    now,
  });
  const insight = new InsightCalls(connection);
  const { days, leaseMs } = config;
  const shared = { repository, jobs, insight, days, leaseMs, log, metrics, now };
  const sweeps = createSweeps({ ...shared, queue, checkMs, everyMs });
  const creation = new ExportCreation(shared);
  const reader = new ExportReader(shared);
  const answers = await KeptAnswers.open<IssuedLink>({ store, kind: LINK_ANSWERS, now });
  const isActive = (companyId: number) => insight.isActive(companyId);
  const links = new ExportLinks({ keys: linkKeys, answers, isActive, now });
  return {
    routes: [exportRoute({ repository, creation, reader, links }, config)],
    startRelay: () => together([jobs.startRelay(), sweeps.startRelay()]),
    startWorker: () => {
      const work = new ExportRun(shared);
      return jobs.startWorker((job) => work.run(job));
    },
    startSweeper: () => {
      addGauge({ repository, metrics });
      return sweeps.startWorker();
    },
  };
}

/** Reports at every scrape how many exports still hold erased postings because they could not be revised. */
function addGauge({ repository, metrics }: { repository: ExportRepository; metrics: Measurements }): void {
  metrics.gauge(
    "hourglass_export_revisions_failing",
    "Exports from which erased postings could not be removed yet",
    async () => {
      let sum = 0;
      const failing = repository.collections.companies.stream({ failing: { gte: 1 } });
      for await (const { failing: count = 0 } of failing) sum += count;
      return sum;
    },
  );
}
