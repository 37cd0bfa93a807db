import type { Engine, TextualAnalysis } from "../analyzer.js";
import type { EngineSettings } from "../engine-settings.js";
import { parseConfigured } from "../engines/transformers/models/configured-models.js";
import { selectTextModelFiles } from "../engines/transformers/text/text-model-files.js";
import { type VisionModelAnalysis, visionModelOf } from "../engines/transformers/vision/vision-analysis.js";
import { chooseParts, selectVisionModelFiles } from "../engines/transformers/vision/vision-model-files.js";
import type { HubFile, ModelId, PullOptions } from "../model-hub/index.js";
import { selectSpeechModelFiles, speechModel } from "../speech/model-files.js";
import type { VisualAnalysis, VisualEngine } from "../visual.js";
import { TEXTUAL, VISUAL, VISUAL_ANALYSES, withDefaultModels } from "./analyses.js";

/** A configured model, or the one that the engine `models` would use. */
export interface ConfiguredModel {
  type: TextualAnalysis | VisionModelAnalysis | "speech";
  engine: Engine | VisualEngine;
  model: ModelId;
  /** Selects the required files. */
  select: PullOptions["select"];
}

/** The models of all analyses that can have one, with the current engine. Throws ModelError. */
export const configuredModels = (given: EngineSettings): ConfiguredModel[] => {
  const settings = withDefaultModels(given);
  return [
    ...Object.values(TEXTUAL)
      .filter(hasModel)
      .map(({ type, defaultEngine }) => ({
        type,
        engine: settings.engines?.[type] ?? defaultEngine,
        model: parseConfigured(type, settings.models?.[type]),
        select: selectTextModelFiles,
      })),
    ...VISION_MODEL_ANALYSES.map((type) => ({
      type,
      engine: settings.media?.engines?.[type] ?? VISUAL[type].defaultEngine,
      model: visionModelOf(type, settings),
      select: selectVisionModelFiles(type),
    })),
    // The product has no built-in replacement.
    { type: "speech", engine: "models", model: speechModel(settings), select: selectSpeechModelFiles },
  ];
};

const hasModel = ({ defaultModel }: { defaultModel?: string }): boolean => defaultModel !== undefined;

const isModelAnalysis = (type: VisualAnalysis): type is VisionModelAnalysis => hasModel(VISUAL[type]);
const VISION_MODEL_ANALYSES = VISUAL_ANALYSES.filter(isModelAnalysis);

/** Selects the files of a model that no analysis is configured with, by its parts. Throws ModelError. */
export function selectFilesOfAnyModel(files: readonly HubFile[]): HubFile[] {
  const paths = files.map(({ path }) => path);
  // A model with two networks also fits the parts of an analysis that needs one, so the last match counts.
  const type = VISION_MODEL_ANALYSES.findLast((each) => chooseParts(each, paths).missing.length === 0);
  return type === undefined ? selectTextModelFiles(files) : selectVisionModelFiles(type)(files);
}
