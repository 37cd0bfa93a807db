/** What the command `models` of the operator works with. */
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
} from "../../../model-hub/index.js";
export { type ModelPlaces, placesOf } from "./configured-models.js";
export { inSteps } from "./ensure-models.js";
export { type ConfiguredModel, configuredModels, selectFilesOfAnyModel } from "./model-list.js";
