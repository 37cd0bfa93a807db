/** The exports used by the operator's command `models`. */
export { inMegabytes, pullModel, type PullProgress } from "../models/pull.js";
export { inspectModel, type LocalModel, type ModelState } from "../models/provide.js";
export { ModelError, type ModelId, parseModelId, spellModelId } from "../models/model.js";
export { type ModelPlaces, placesOf } from "../engines/hugging-face/configured-models.js";
export { inSteps } from "../engines/hugging-face/configured-models.js";
export { type ConfiguredModel, configuredModels, selectFilesOfAnyModel } from "./models.js";
