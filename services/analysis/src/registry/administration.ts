/** The exports used by the operator's command `models`. */
export {
  inMegabytes,
  inspectModel,
  type LocalModel,
  ModelError,
  type ModelId,
  type ModelState,
  parseModelId,
  pullModel,
  type PullProgress,
  spellModelId,
} from "../model-hub/index.js";
export { type ModelPlaces, placesOf } from "../engines/transformers/models/configured-models.js";
export { inSteps } from "../engines/transformers/models/download-model.js";
export { type ConfiguredModel, configuredModels, selectFilesOfAnyModel } from "./model-list.js";
