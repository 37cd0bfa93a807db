import type { Logger } from "@hourglass/runtime";
import type { EngineSettings } from "../engines.js";
import {
  inMegabytes,
  inspectModel,
  ModelError,
  provideModel,
  type PullProgress,
  spellModelId,
} from "../model-hub/index.js";
import { placesOf } from "./configured-models.js";
import { configuredModels } from "./model-list.js";

/**
 * Downloads the models that the engine `models` is configured with and that are not on this machine, and says in the log
 * how far it is. To be called once, before the first texts: later each thread would wait for the download. Never rejects
 * because of a model: what could not be downloaded is in the log, and its analysis says so in its results.
 */
export async function ensureModels(
  settings: EngineSettings,
  log: Pick<Logger, "info" | "error">,
  signal?: AbortSignal,
): Promise<void> {
  // That of speech is fetched for the first sound: most never hear any.
  const used = configuredModels(settings).filter(({ type, engine }) => engine === "models" && type !== "speech");
  if (used.length === 0) return;
  const places = placesOf(settings);
  for (const { type, model, select } of used) {
    const name = spellModelId(model);
    const { state } = await inspectModel(places.modelsDir, model, true);
    if (state !== "absent" && state !== "other") continue;
    try {
      const onProgress = inSteps(({ received, total }) => {
        const bytes = {
          received: inMegabytes(received),
          ...(total === undefined ? {} : { total: inMegabytes(total) }),
        };
        log.info({ analysis: type, model: name, ...bytes }, "model is being downloaded");
      });
      const { bytes } = await provideModel(model, { ...places, select, signal, onProgress });
      log.info({ analysis: type, model: name, size: inMegabytes(bytes) }, "model is downloaded and checked");
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ModelError)) throw error;
      log.error({ analysis: type, model: name, reason: error.message }, "model is not available");
    }
  }
}

const STEPS = 10;
const STEP_BYTES = 50_000_000;

/** Passes on the first report, then one for every tenth, or every 50 MB where the whole is not known. */
export function inSteps(report: (progress: PullProgress) => void): (progress: PullProgress) => void {
  let last = -1;
  return (progress) => {
    const { received, total } = progress;
    const step = Math.floor(total === undefined || total === 0 ? received / STEP_BYTES : (received / total) * STEPS);
    if (step <= last) return;
    last = step;
    report(progress);
  };
}
