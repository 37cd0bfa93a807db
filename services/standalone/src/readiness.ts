import type { AnalysisPool } from "@hourglass/analysis";
import type { Readiness } from "@hourglass/gateway";
import type { Logger } from "@hourglass/runtime";
import type { Storage } from "./storage.js";

/** A dependency that does not answer for so long is away, in milliseconds. */
const PING_TIMEOUT_MS = 2000;

/**
 * What `/readyz` says. Without the storage nothing can be accepted; a model that is missing fails only the analyses it
 * is for, so it is reported and no more.
 */
export function createReadiness(storage: Storage, models: () => Readiness["dependencies"]): () => Promise<Readiness> {
  return async () => {
    const [store, queue, files] = await Promise.all([
      stateOf(storage.store.ping()),
      stateOf(storage.queue.ping()),
      stateOf(storage.blobs.ping()),
    ]);
    const ready = [store, queue, files].every(({ state }) => state === "ready");
    return { ready, dependencies: { store, queue, files, ...models() } };
  };
}

/** Loads every model once in the background, and keeps how that went for `/readyz` and the log. */
export function watchModels(pool: AnalysisPool, log: Logger): () => Readiness["dependencies"] {
  let dependencies: Readiness["dependencies"] = { models: { state: "loading" } };
  pool.analyzers().then(
    (analyzers) => {
      const broken = analyzers.filter(({ ready }) => !ready);
      for (const { type, error } of broken) log.error({ analysis: type, reason: error }, "analysis is not available");
      dependencies = Object.fromEntries(
        analyzers.map(({ type, version, ready, error }) => [
          `analysis:${type}`,
          ready ? { state: "ready", version } : { state: "missing", reason: error ?? "unknown" },
        ]),
      );
    },
    (error: unknown) => {
      log.error({ err: error }, "models could not be loaded");
      dependencies = { models: { state: "missing" } };
    },
  );
  return () => dependencies;
}

async function stateOf(answer: Promise<void>): Promise<{ state: string }> {
  const late = new Promise<"late">((resolve) => setTimeout(resolve, PING_TIMEOUT_MS, "late").unref());
  try {
    return { state: (await Promise.race([answer, late])) === "late" ? "away" : "ready" };
  } catch {
    return { state: "away" }; // why is the log's business, not that of whoever asks over the network
  }
}
