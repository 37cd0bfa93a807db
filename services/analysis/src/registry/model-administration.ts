import type { TextualDescriptor, VisualDescriptor } from "../descriptor.js";
import { selectTextModelFiles } from "../engines/hf-text/text-model.js";
import { chooseParts, selectVisionModelFiles, visionModelOf } from "../engines/hf-vision/vision-model.js";
import { ensureModel, type ModelLog, parseConfigured, placesOf } from "../engines/hugging-face/configured-models.js";
import { type SPEECH_LANGUAGES, wantedLanguagesModel } from "../media/speech-languages-model.js";
import { selectSpeechModelFiles, speechModel } from "../media/speech-model.js";
import type { HubFile, ModelSource } from "../models/hub.js";
import { type ModelId, spellModelId } from "../models/model.js";
import { inspectModel } from "../models/provide.js";
import type { PullOptions } from "../models/pull.js";
import type { Engine, EngineSettings, VisualEngine } from "../types.js";
import { ANALYSES, type Registry, type TextualAnalysis, type VisualAnalysis, withDefaultModels } from "./analyses.js";

/** What is used besides by the operator's command `models`. */
export { inMegabytes, pullModel, type PullProgress } from "../models/pull.js";
export { inspectModel, type LocalModel, type ModelState } from "../models/provide.js";
export { ModelError, type ModelId, parseModelId, spellModelId } from "../models/model.js";
export { type ModelPlaces, placesOf } from "../engines/hugging-face/configured-models.js";
export { inSteps } from "../engines/hugging-face/configured-models.js";

/** A configured model, or the one that the engine `models` would use. */
export interface ConfiguredModel {
  type: TextualAnalysis | VisualAnalysis | "speech" | typeof SPEECH_LANGUAGES;
  engine: Engine | VisualEngine;
  model: ModelId;
  /** Selects the required files. */
  select: PullOptions["select"];
  /** Where they come from, if not from the hub. */
  source?: ModelSource;
}

/** The models of all analyses that can have one, with the current engine. Throws ModelError. */
export const configuredModels = (given: EngineSettings, registry: Registry = ANALYSES): ConfiguredModel[] => {
  const settings = withDefaultModels(given, registry);
  return [
    ...Object.values<TextualDescriptor<TextualAnalysis>>({ ...registry.textual })
      .filter(hasModel)
      .map(({ type, defaultEngine }) => ({
        type,
        engine: settings.engines?.[type] ?? defaultEngine,
        model: parseConfigured(type, settings.models?.[type]),
        select: selectTextModelFiles,
      })),
    ...withParts(registry).map(({ type, defaultEngine, modelParts }) => ({
      type,
      engine: settings.media?.engines?.[type] ?? defaultEngine,
      model: visionModelOf(type, settings),
      select: selectVisionModelFiles(type, modelParts),
    })),
    // The product has no built-in replacement.
    { type: "speech", engine: "models", model: speechModel(settings), select: selectSpeechModelFiles },
    ...(settings.media?.speechLanguages === "en"
      ? []
      : [{ engine: "models" as const, ...wantedLanguagesModel(settings) }]),
  ];
};

const hasModel = ({ defaultModel }: { defaultModel?: string }): boolean => defaultModel !== undefined;

/** The visual analyses that a model can perform, with the parts it needs. */
const withParts = ({ visual }: Registry) =>
  Object.values<VisualDescriptor<VisualAnalysis>>({ ...visual }).flatMap(({ type, defaultEngine, modelParts }) =>
    modelParts === undefined ? [] : [{ type, defaultEngine, modelParts }],
  );

/** Selects the files of a model that no analysis is configured with, by its parts. Throws ModelError. */
export function selectFilesOfAnyModel(files: readonly HubFile[]): HubFile[] {
  const paths = files.map(({ path }) => path);
  // A model with two networks also fits the parts of an analysis that needs one, so the last match counts.
  const fitting = withParts(ANALYSES).findLast(({ modelParts }) => chooseParts(modelParts, paths).missing.length === 0);
  return fitting === undefined
    ? selectTextModelFiles(files)
    : selectVisionModelFiles(fitting.type, fitting.modelParts)(files);
}

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
