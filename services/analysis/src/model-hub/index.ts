export { inMegabytes } from "./download-file.js";
export type { HubFile, HubSettings } from "./hub.js";
export { type Manifest, MANIFEST_FILE } from "./manifest.js";
export { ModelError, type ModelErrorKind, pullCommand } from "./model-error.js";
export { folderOfModel, type ModelId, parseModelId, spellModelId } from "./model-id.js";
export { inspectModel, type LocalModel, type ModelState, provideModel } from "./provide-model.js";
export { OWN_SETTINGS_FILE, pullModel, type PullOptions, type PullProgress } from "./pull-model.js";
