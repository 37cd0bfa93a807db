import type { Logger } from "@hourglass/runtime";
import type { EngineSettings } from "../../engine-settings.js";
import { statesOf, type ModelStates } from "../../model-states.js";
import { VISUAL_ANALYSES } from "../../registry/analyses.js";
import type { MediaAnalyzerStatus, MediaPool } from "./media-task.js";

/**
 * Looks in the background whether all is there that analyses of files need, downloading what the engine `models` is
 * configured with, and keeps what it found for `/readyz` and the log. What is missing fails only what it is for.
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

/** What is missing may be installed or downloaded while the server runs; who asks for states hears of it after so long. */
const LOOK_AGAIN_MS = 10_000;

/** Says what has come to be missing, out of date or available, and returns the reasons of what is not as it should be. */
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
    // That of speech is fetched for the first sound: most never hear any.
    await ensureModels(settings, { types: VISUAL_ANALYSES, log });
  } catch (error) {
    log.error({ err: error }, "models could not be downloaded");
  }
}
