import {
  createAnalysisPool,
  createMediaPool,
  watchAnalyzers,
  watchMedia,
  type AnalysisConfig,
  type AnalysisPool,
  type MediaPool,
} from "@hourglass/analysis";
import type { Dependencies, Foundation, ProcessConfig } from "@hourglass/runtime";

/** The threads that analyse texts and the processes that analyse files. */
export interface Analyses {
  texts: AnalysisPool;
  media: MediaPool;
}

/** What the analyses need from their process. */
export interface AnalysingProcess extends Foundation<ProcessConfig & { readonly analysis: AnalysisConfig }> {
  dependencies: Dependencies;
}

/**
 * The analyses of a process: started by the first call, shared by all roles that need them, stopped by the lifecycle.
 * From then on readiness reports which of them work.
 */
export function createAnalyses(process: AnalysingProcess): () => Analyses {
  let analyses: Analyses | undefined;
  return () => (analyses ??= startAnalyses(process));
}

function startAnalyses({ config, log, lifecycle, dependencies }: AnalysingProcess): Analyses {
  const texts = createAnalysisPool(config.analysis);
  const media = createMediaPool({ ...config.analysis, log });
  lifecycle.add("analysis of texts", () => texts.close());
  lifecycle.add("analysis of files", () => media.close());
  dependencies.know(watchAnalyzers(texts, log, config.analysis));
  dependencies.know(watchMedia(media, log, config.analysis));
  return { texts, media };
}
