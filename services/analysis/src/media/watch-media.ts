import type { Logger } from "@hourglass/runtime";
import type { ModelStates } from "../watch-analyzers.js";
import type { MediaPool } from "./media-task.js";

/**
 * Loads every model for pictures and sound once in the background, and keeps how that went for `/readyz` and the log. What
 * is missing fails only what it is for.
 */
export function watchMedia(pool: Pick<MediaPool, "analyzers">, log: Logger): () => ModelStates {
  let states: ModelStates = { media: { state: "loading" } };
  pool.analyzers().then(
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
