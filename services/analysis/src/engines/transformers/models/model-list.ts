import type { Engine } from "../../../analyzer.js";
import { DEFAULT_ENGINES, type EngineSettings } from "../../../engine-settings.js";
import type { HubFile, ModelId, PullOptions } from "../../../model-hub/index.js";
import { selectSpeechModelFiles, speechModel } from "../../../speech/model-files.js";
import type { VisualEngine } from "../../../visual.js";
import { modelOf } from "./configured-models.js";
import { MODEL_ANALYSES, type ModelAnalysis } from "../text/model-analysis.js";
import { selectTextModelFiles } from "../text/text-model-files.js";
import { VISION_MODEL_ANALYSES, type VisionModelAnalysis, visionModelOf } from "../vision/vision-analysis.js";
import { chooseParts, selectVisionModelFiles } from "../vision/vision-model-files.js";

/** A model that configuration names, or that would be used if it chose the engine `models`. */
export interface ConfiguredModel {
  type: ModelAnalysis | VisionModelAnalysis | "speech";
  engine: Engine | VisualEngine;
  model: ModelId;
  /** Chooses the files that are needed of it. */
  select: PullOptions["select"];
}

/** The models of all analyses that can have one, with the engine that is in use. Throws ModelError. */
export const configuredModels = (settings: EngineSettings): ConfiguredModel[] => [
  ...MODEL_ANALYSES.map((type) => ({
    type,
    engine: settings.engines?.[type] ?? DEFAULT_ENGINES[type],
    model: modelOf(type, settings),
    select: selectTextModelFiles,
  })),
  ...VISION_MODEL_ANALYSES.map((type) => ({
    type,
    engine: settings.media?.engines?.[type] ?? "builtin",
    model: visionModelOf(type, settings),
    select: selectVisionModelFiles(type),
  })),
  // Nothing that comes with the product can take its place.
  { type: "speech", engine: "models", model: speechModel(settings), select: selectSpeechModelFiles },
];

/** Chooses the files of a model for which no analysis is configured, by what it consists of. Throws ModelError. */
export function selectFilesOfAnyModel(files: readonly HubFile[]): HubFile[] {
  const paths = files.map(({ path }) => path);
  // A model with two towers has one of both too, as detectors do.
  const type = VISION_MODEL_ANALYSES.findLast((each) => chooseParts(each, paths).missing.length === 0);
  return type === undefined ? selectTextModelFiles(files) : selectVisionModelFiles(type)(files);
}
