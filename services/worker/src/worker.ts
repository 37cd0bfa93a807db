import {
  analysisSettings,
  createAnalysisPool,
  createMediaPool,
  watchAnalyzers,
  watchMedia,
  type AnalysisConfig,
  type AnalysisPool,
  type ModelStates,
} from "@hourglass/analysis";
import { openFileAnalyst, type FileAnalyst } from "@hourglass/analysis/files";
import { buildExportService, connectInsight, EXPORT_ROLES, exportSettings } from "@hourglass/export";
import { buildInsightService, INSIGHT_ROLES, insightSettings } from "@hourglass/insight";
import { buildOperationService, connectMedia, OPERATION_ROLES, operationSettings } from "@hourglass/operation";
import {
  defineSettings,
  outboundSettings,
  startRoles,
  variable,
  type Blobs,
  type Config,
  type Dependencies,
  type Foundation,
  type OutboundConfig,
  type Part,
  type ProcessConfig,
  type Storage,
} from "@hourglass/runtime";

/** Services that export roles, with the roles of each: the only ones that WORKER_ROLES can name. */
const SERVICES = { operation: OPERATION_ROLES, insight: INSIGHT_ROLES, export: EXPORT_ROLES } satisfies Readonly<
  Record<string, readonly { readonly role: string }[]>
>;

type ServiceName = keyof typeof SERVICES;

/** All settings of a worker process; a role that no service exports is rejected. */
export const WORKER_SETTINGS = {
  work: defineSettings(
    { WORKER_ROLES: variable.list(Object.values(SERVICES).flatMap((roles) => roles.map(({ role }) => role))) },
    (values) => ({ roles: values.WORKER_ROLES }),
  ),
  operation: operationSettings,
  insight: insightSettings,
  export: exportSettings,
  analysis: analysisSettings,
  outbound: outboundSettings,
};

type WorkerConfig = Config<typeof WORKER_SETTINGS>;

/** Dependencies for building the services of a worker. */
interface WorkerProcess extends Part<keyof Storage, WorkerConfig> {
  /** Starts the analyses on the first call. */
  analyses: () => Promise<Analyses>;
}

/** Builds the services that have one of the configured roles; the returned function starts these roles. */
export async function buildWork(process: WorkerProcess): Promise<() => void> {
  const services = servicesOf(process.config.work.roles);
  const starts = await Promise.all(services.map((service) => BUILD[service](process)));
  return () => {
    for (const start of starts) start();
  };
}

const BUILD: Readonly<Record<ServiceName, (process: WorkerProcess) => Promise<() => void>>> = {
  operation: buildOperations,
  insight: buildInsights,
  export: buildExports,
};

/** Only the role that analyzes needs the analyses, and only the one that sweeps needs Media. */
async function buildOperations(process: WorkerProcess): Promise<() => void> {
  const { storage, config, log, lifecycle, metrics } = process;
  const { roles } = config.work;
  const analyses = roles.includes("operation.run") ? await process.analyses() : {};
  const media = roles.includes("operation.sweep") ? { media: await connectMedia(process) } : {};
  const { store, queue } = storage;
  const options = { store, queue, ...analyses, ...media, config: config.operation, log, metrics };
  const operations = await buildOperationService(options);
  return () => startRoles(OPERATION_ROLES, operations, { wanted: roles, lifecycle });
}

/** Only the role that analyzes postings needs the analyses. */
async function buildInsights(process: WorkerProcess): Promise<() => void> {
  const { storage, config, log, lifecycle, metrics } = process;
  const { roles } = config.work;
  const analyses = roles.includes("insight.analyse") ? await process.analyses() : {};
  const { store, queue } = storage;
  const insights = await buildInsightService({ store, queue, ...analyses, config, log, metrics });
  lifecycle.add("requests to platforms", () => insights.close());
  return () => startRoles(INSIGHT_ROLES, insights, { wanted: roles, lifecycle });
}

/** Exports read their postings from Insight, with service tokens of this process. */
async function buildExports(process: WorkerProcess): Promise<() => void> {
  const { storage, config, log, lifecycle, metrics } = process;
  const insight = await connectInsight(process);
  const exports = await buildExportService({ ...storage, insight, config: config.export, log, metrics });
  return () => startRoles(EXPORT_ROLES, exports, { wanted: config.work.roles, lifecycle });
}

function servicesOf(roles: readonly string[]): ServiceName[] {
  const names = Object.keys(SERVICES) as ServiceName[];
  return names.filter((name) => SERVICES[name].some(({ role }) => roles.includes(role)));
}

/** The analyses of a process, shared by all that need them. */
export interface Analyses {
  /** Threads that analyze texts. */
  pool: AnalysisPool;
  /** Fetches files and has them analyzed by separate processes. */
  files: FileAnalyst;
  /** Which of them work. */
  states: () => ModelStates;
}

interface AnalyzingProcess extends Foundation<
  ProcessConfig & { readonly analysis: AnalysisConfig; readonly outbound: OutboundConfig }
> {
  storage: { blobs: Blobs };
  dependencies: Dependencies;
}

/**
 * The analyses of a process: started by the first call, shared by all roles that need them, stopped by the lifecycle.
 * Once they are started, readiness reports which of them work.
 */
export function createAnalyses(process: AnalyzingProcess): () => Promise<Analyses> {
  let analyses: Promise<Analyses> | undefined;
  return () => (analyses ??= startAnalyses(process));
}

async function startAnalyses({ config, storage, log, lifecycle, dependencies }: AnalyzingProcess): Promise<Analyses> {
  const pool = createAnalysisPool(config.analysis);
  const media = createMediaPool({ ...config.analysis, log });
  lifecycle.add("analysis of texts", () => pool.close());
  lifecycle.add("analysis of files", () => media.close());
  const [ofTexts, ofFiles] = [watchAnalyzers(pool, log, config.analysis), watchMedia(media, log, config.analysis)];
  const states = () => ({ ...ofTexts(), ...ofFiles() });
  dependencies.know(states);
  return { pool, files: await openFileAnalyst({ config, blobs: storage.blobs, pool: media, lifecycle, log }), states };
}
