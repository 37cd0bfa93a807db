import {
  createAnalysisPool,
  createMediaPool,
  watchAnalyzers,
  watchMedia,
  type AnalysisConfig,
  type AnalysisPool,
} from "@hourglass/analysis";
import { openFileAnalyst, type FileAnalyst } from "@hourglass/analysis/files";
import type { Blobs, Dependencies, Foundation, OutboundConfig, ProcessConfig } from "@hourglass/runtime";

/** The analyses of a process, shared by all that need them. */
export interface Analyses {
  /** Threads that analyse texts. */
  pool: AnalysisPool;
  /** Fetches files and has them analysed by separate processes. */
  files: FileAnalyst;
}

interface AnalysingConfig {
  readonly analysis: AnalysisConfig;
  readonly outbound: OutboundConfig;
}

/** What the analyses need from their process. */
export interface AnalysingProcess extends Foundation<ProcessConfig & AnalysingConfig> {
  storage: { blobs: Blobs };
  dependencies: Dependencies;
}

/**
 * The analyses of a process: started by the first call, shared by all roles that need them, stopped by the lifecycle.
 * From then on readiness reports which of them work.
 */
export function createAnalyses(process: AnalysingProcess): () => Promise<Analyses> {
  let analyses: Promise<Analyses> | undefined;
  return () => (analyses ??= startAnalyses(process));
}

async function startAnalyses({ config, storage, log, lifecycle, dependencies }: AnalysingProcess): Promise<Analyses> {
  const pool = createAnalysisPool(config.analysis);
  const media = createMediaPool({ ...config.analysis, log });
  lifecycle.add("analysis of texts", () => pool.close());
  lifecycle.add("analysis of files", () => media.close());
  dependencies.know(watchAnalyzers(pool, log, config.analysis));
  dependencies.know(watchMedia(media, log, config.analysis));
  return { pool, files: await openFileAnalyst({ config, blobs: storage.blobs, pool: media, lifecycle, log }) };
}
