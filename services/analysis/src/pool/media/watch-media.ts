import type { Logger } from "@hourglass/runtime";
import type { EngineSettings } from "../../engine-settings.js";
import { statesOf, type ModelStates } from "../../model-states.js";
import { VISUAL_ANALYSES } from "../../registry/analyses.js";
import type { MediaAnalyzerStatus, MediaPool } from "./media-task.js";

/**
 * Checks in the background whether all prerequisites of file analyses are available, downloads the models that are
 * configured for the engine `models`, and publishes the result to `/readyz` and the log. A missing model fails only its
 * own analyses.
 */
export function watchMedia(
  pool: Pick<MediaPool, "analyzers">,
  log: Logger,
  settings: EngineSettings = {},
): () => ModelStates {
  let states: ModelStates = { media: { state: "loading" } };
  let lacking = new Map<string, string>();
  let lookedAt: number | undefined;
  const look = async (): Promise<void> => {
    try {
      const analyzers = await pool.analyzers();
      states = statesOf("media", analyzers);
      lacking = logChanges(log, lacking, analyzers);
    } catch (error) {
      log.error({ err: error }, "the processes that look at files cannot work");
      states = { media: { state: "missing" } };
    } finally {
      lookedAt = performance.now();
    }
  };
  void downloadMissing(settings, log).then(look);
  return () => {
    const isComplete = Object.values(states).every(({ state }) => state === "ready");
    if (!isComplete && lookedAt !== undefined && performance.now() - lookedAt > LOOK_AGAIN_MS) {
      lookedAt = undefined;
      void look();
    }
    return states;
  };
}

/** Missing models may be installed or downloaded while the server runs; reported states are at most this old. */
const LOOK_AGAIN_MS = 10_000;

/** Logs what has become missing, outdated or available, and returns the reasons of all problems. */
function logChanges(
  log: Logger,
  before: ReadonlyMap<string, string>,
  analyzers: readonly MediaAnalyzerStatus[],
): Map<string, string> {
  const now = new Map<string, string>();
  const available = analyzers.filter(({ ready }) => ready).map(({ type }) => type);
  for (const { type, engine, ready, error = "unknown", warning } of analyzers) {
    const reason = ready ? warning : error;
    if (reason !== undefined) now.set(type, reason);
    if (reason === before.get(type)) continue;
    if (!ready) log.warn({ missing: type, engine, reason, available }, "part of the analysis of files is missing");
    else if (reason !== undefined) log.warn({ program: type, reason }, "a program for files is out of date");
    else log.info({ analysis: type, engine }, "analysis of files has become available");
  }
  return now;
}

async function downloadMissing(settings: EngineSettings, log: Logger): Promise<void> {
  if (!Object.values(settings.media?.engines ?? {}).includes("models")) return;
  const { ensureModels } = await import("../../registry/ensure-models.js");
  try {
    // The speech model is downloaded with the first audio file: most servers never get any.
    await ensureModels(settings, { types: VISUAL_ANALYSES, log });
  } catch (error) {
    log.error({ err: error }, "models could not be downloaded");
  }
}
