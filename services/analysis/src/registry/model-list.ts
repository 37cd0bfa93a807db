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

/** A model that configuration names, or that would be used if it chose the engine `models`. */
export interface ConfiguredModel {
  type: TextualAnalysis | VisionModelAnalysis | "speech";
  engine: Engine | VisualEngine;
  model: ModelId;
  /** Chooses the files that are needed of it. */
  select: PullOptions["select"];
}

/** The models of all analyses that can have one, with the engine that is in use. Throws ModelError. */
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
    // Nothing that comes with the product can take its place.
    { type: "speech", engine: "models", model: speechModel(settings), select: selectSpeechModelFiles },
  ];
};

const hasModel = ({ defaultModel }: { defaultModel?: string }): boolean => defaultModel !== undefined;

const isModelAnalysis = (type: VisualAnalysis): type is VisionModelAnalysis => hasModel(VISUAL[type]);
const VISION_MODEL_ANALYSES = VISUAL_ANALYSES.filter(isModelAnalysis);

/** Chooses the files of a model for which no analysis is configured, by what it consists of. Throws ModelError. */
export function selectFilesOfAnyModel(files: readonly HubFile[]): HubFile[] {
  const paths = files.map(({ path }) => path);
  // A model with two towers has one of both too, as detectors do.
  const type = VISION_MODEL_ANALYSES.findLast((each) => chooseParts(each, paths).missing.length === 0);
  return type === undefined ? selectTextModelFiles(files) : selectVisionModelFiles(type)(files);
}
