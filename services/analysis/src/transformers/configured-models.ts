import { DEFAULT_ENGINES, type EngineSettings } from "../engines.js";
import type { Engine } from "../analyzer.js";
import { type HubSettings, ModelError, type ModelId, parseModelId, type PullOptions } from "../model-hub/index.js";
import { DEFAULT_MODELS } from "./default-models.js";
import { MODEL_ANALYSES, type ModelAnalysis } from "./model-analysis.js";
import { selectTextModelFiles } from "./text-model-files.js";

/** A model that configuration names, or that would be used if it chose the engine `models`. */
export interface ConfiguredModel {
  type: ModelAnalysis;
  engine: Engine;
  model: ModelId;
  /** Chooses the files that are needed of it. */
  select: PullOptions["select"];
}

/** Where models lie and come from. */
export interface ModelPlaces {
  modelsDir: string;
  offline: boolean;
  hub: HubSettings;
}

const HUB = "https://huggingface.co";

/** The model of an analysis: the configured one, else its default. Throws ModelError when it is spelled wrong. */
export const modelOf = (type: ModelAnalysis, { models }: EngineSettings): ModelId =>
  parseModelId(models?.[type] ?? DEFAULT_MODELS[type]);

/** The models of all analyses that can have one, with the engine that is in use. Throws ModelError. */
export const configuredModels = (settings: EngineSettings): ConfiguredModel[] =>
  MODEL_ANALYSES.map((type) => ({
    type,
    engine: settings.engines?.[type] ?? DEFAULT_ENGINES[type],
    model: modelOf(type, settings),
    select: selectTextModelFiles,
  }));

/** Throws ModelError when no folder for models is configured. */
export function placesOf({ modelsDir, offline = false, hub = { endpoint: HUB } }: EngineSettings): ModelPlaces {
  if (modelsDir === undefined) throw new ModelError("absent", "No folder for models is configured: set MODELS_DIR.");
  return { modelsDir, offline, hub };
}
