import type { Logger } from "@hourglass/runtime";
import { TEXTUAL_ANALYSES } from "../../registry/analyses.js";
import type { EngineSettings } from "../../engine-settings.js";
import { statesOf, type ModelStates } from "../../model-states.js";
import type { AnalysisPool } from "./analysis-pool.js";

/**
 * Loads every model once in the background, downloads missing ones first, and publishes the result to `/readyz` and the
 * log. A missing model fails only its own analyses.
 */
export function watchAnalyzers(
  pool: Pick<AnalysisPool, "analyzers">,
  log: Logger,
  settings: EngineSettings = {},
): () => ModelStates {
  let states: ModelStates = { models: { state: "loading" } };
  const loading = downloadMissing(settings, log).then(() => pool.analyzers());
  loading.then(
    (analyzers) => {
      const broken = analyzers.filter(({ ready }) => !ready);
      for (const { type, engine, error } of broken) {
        log.error({ analysis: type, engine, reason: error }, "analysis is not available");
      }
      states = statesOf("analysis", analyzers);
    },
    (error: unknown) => {
      log.error({ err: error }, "models could not be loaded");
      states = { models: { state: "missing" } };
    },
  );
  return () => states;
}

/** Downloads here, where the progress can be logged, and not in a thread that other texts wait for. */
async function downloadMissing(settings: EngineSettings, log: Logger): Promise<void> {
  if (!Object.values(settings.engines ?? {}).includes("models")) return;
  const { ensureModels } = await import("../../registry/ensure-models.js");
  await ensureModels(settings, { types: TEXTUAL_ANALYSES, log });
}
