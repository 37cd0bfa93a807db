import type { EngineSettings } from "../../../types.js";
import type { HubSettings } from "../../../models/hub.js";
import { ModelError, type ModelId, parseModelId } from "../../../models/model.js";

/** Where models are stored and downloaded from. */
export interface ModelPlaces {
  modelsDir: string;
  offline: boolean;
  hub: HubSettings;
}

const HUB = "https://huggingface.co";

/** The model of an analysis; the registry fills in defaults. Throws ModelError if it is missing or malformed. */
export const modelOf = (type: string, { models }: EngineSettings): ModelId => parseConfigured(type, models?.[type]);

/** Throws ModelError if the id is missing or malformed. */
export function parseConfigured(type: string, id: string | undefined): ModelId {
  if (id === undefined) throw new ModelError("absent", `No model is configured for ${type}.`);
  return parseModelId(id);
}

/** Throws ModelError if no folder for models is configured. */
export function placesOf({ modelsDir, offline = false, hub = { endpoint: HUB } }: EngineSettings): ModelPlaces {
  if (modelsDir === undefined) throw new ModelError("absent", "No folder for models is configured: set MODELS_DIR.");
  return { modelsDir, offline, hub };
}
