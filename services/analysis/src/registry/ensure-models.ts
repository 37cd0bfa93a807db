import type { EngineSettings } from "../types.js";
import { placesOf } from "../engines/transformers/models/configured-models.js";
import { ensureModel, type ModelLog } from "../engines/transformers/models/download-model.js";
import { spellModelId } from "../models/model.js";
import { inspectModel } from "../models/provide.js";
import { configuredModels } from "./model-list.js";

/**
 * Downloads the models that are configured for the engine `models` of those analyses and are missing on this machine,
 * and logs the progress. Call this once, before the first texts: later each thread would wait for the download. Never
 * rejects because of a model: a failed download is logged, and its analysis reports it in its results.
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
