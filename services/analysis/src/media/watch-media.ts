import type { Logger } from "@hourglass/runtime";
import type { EngineSettings } from "../engines.js";
import type { ModelStates } from "../watch-analyzers.js";
import type { MediaPool } from "./media-task.js";

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
  downloadMissing(settings, log)
    .then(() => pool.analyzers())
    .then(
      (analyzers) => {
        for (const { type, engine, ready, error } of analyzers) {
          if (!ready) log.warn({ analysis: type, engine, reason: error }, "analysis of files is not available");
        }
        states = Object.fromEntries(
          analyzers.map(({ type, engine, model, ready, error }) => [
            `media:${type}`,
            ready ? { state: "ready", engine, ...model } : { state: "missing", engine, reason: error ?? "unknown" },
          ]),
        );
      },
      (error: unknown) => {
        log.error({ err: error }, "the processes that look at files cannot work");
        states = { media: { state: "missing" } };
      },
    );
  return () => states;
}

async function downloadMissing(settings: EngineSettings, log: Logger): Promise<void> {
  if (!Object.values(settings.media?.engines ?? {}).includes("models")) return;
  const { ensureModels } = await import("../transformers/ensure-models.js");
  await ensureModels(settings, log);
}
