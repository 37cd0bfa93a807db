import type { Logger } from "@hourglass/runtime";
import type { EngineSettings } from "../../../engine-settings.js";
import {
  inMegabytes,
  inspectModel,
  ModelError,
  provideModel,
  type PullProgress,
  spellModelId,
} from "../../../model-hub/index.js";
import { placesOf } from "./configured-models.js";
import { type ConfiguredModel, configuredModels } from "./model-list.js";

/** Where is said how far a download is. */
export type ModelLog = Pick<Logger, "info" | "error">;

/**
 * Downloads the models that the engine `models` is configured with for those analyses and that are not on this machine, and
 * says in the log how far it is. To be called once, before the first texts: later each thread would wait for the download. Never rejects
 * because of a model: what could not be downloaded is in the log, and its analysis says so in its results.
 */
export async function ensureModels(
  settings: EngineSettings,
  { types, log }: { types: readonly string[]; log: ModelLog },
): Promise<void> {
  const used = configuredModels(settings).filter(({ type, engine }) => engine === "models" && types.includes(type));
  if (used.length === 0) return;
  for (const each of used) {
    const { state } = await inspectModel(placesOf(settings).modelsDir, each.model, true);
    if (state !== "absent" && state !== "other") continue;
    const reason = await ensureModel(each, { settings, log });
    if (reason === undefined) continue;
    log.error({ analysis: each.type, model: spellModelId(each.model), reason }, "model is not available");
  }
}

/**
 * Downloads one model, and says in the log how far it is. Resolves with what to do when it could not
 * be had, and with undefined when it is there.
 */
export async function ensureModel(
  { type, model, select }: Pick<ConfiguredModel, "type" | "model" | "select">,
  { settings, log, signal }: { settings: EngineSettings; log?: ModelLog | undefined; signal?: AbortSignal | undefined },
): Promise<string | undefined> {
  const name = spellModelId(model);
  try {
    const onProgress = inSteps(({ received, total }) => {
      const bytes = {
        received: inMegabytes(received),
        ...(total === undefined ? {} : { total: inMegabytes(total) }),
      };
      log?.info({ analysis: type, model: name, ...bytes }, "model is being downloaded");
    });
    const { bytes } = await provideModel(model, { ...placesOf(settings), select, signal, onProgress });
    log?.info({ analysis: type, model: name, size: inMegabytes(bytes) }, "model is downloaded and checked");
    return undefined;
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ModelError)) throw error;
    return error.message;
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
