import type { EngineSettings } from "../../../engine-settings.js";
import type { ModelId } from "../../../model-hub/index.js";
import type { VisualAnalysis } from "../../../visual.js";
import { parseConfigured } from "../models/configured-models.js";
import type { ModelSettings } from "../models/model-settings.js";

/** The visual analyses that a Hugging Face model can serve. */
export type VisionModelAnalysis = Exclude<VisualAnalysis, "face-id">;

/** What the folders of known models do not say of themselves. A hourglass.json of the operator goes before it. */
export const KNOWN_VISION_SETTINGS: Readonly<Record<string, ModelSettings>> = {
  // Sure of too much: what its authors show is cut at 0.7 and above.
  "Xenova/detr-resnet-50": { threshold: 0.7 },
  "Xenova/detr-resnet-101": { threshold: 0.7 },
};

/** The model of an analysis; the registry fills in defaults. Throws ModelError when it is missing or spelled wrong. */
export const visionModelOf = (type: VisionModelAnalysis, { media }: EngineSettings): ModelId =>
  parseConfigured(type, media?.models?.[type]);
