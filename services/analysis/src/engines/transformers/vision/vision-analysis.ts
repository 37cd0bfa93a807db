import type { EngineSettings } from "../../../engine-settings.js";
import { type ModelId, parseModelId } from "../../../model-hub/index.js";
import type { ModelSettings } from "../models/model-settings.js";

/** The visual analyses that a Hugging Face model can serve, in the interface's order. */
export const VISION_MODEL_ANALYSES = ["object-id", "activity-id", "logo-id", "caption"] as const;

export type VisionModelAnalysis = (typeof VISION_MODEL_ANALYSES)[number];

/** The model of each analysis where none is configured. */
const DEFAULTS: Readonly<Record<VisionModelAnalysis, string>> = {
  "object-id": "Xenova/detr-resnet-50",
  "activity-id": "Xenova/clip-vit-base-patch32",
  "logo-id": "Xenova/clip-vit-base-patch32",
  caption: "Xenova/vit-gpt2-image-captioning",
};

/** What the folders of known models do not say of themselves. A hourglass.json of the operator goes before it. */
export const KNOWN_VISION_SETTINGS: Readonly<Record<string, ModelSettings>> = {
  // Sure of too much: what its authors show is cut at 0.7 and above.
  "Xenova/detr-resnet-50": { threshold: 0.7 },
  "Xenova/detr-resnet-101": { threshold: 0.7 },
};

/** The model of an analysis: the configured one, else its default. Throws ModelError when it is spelled wrong. */
export const visionModelOf = (type: VisionModelAnalysis, { media }: EngineSettings): ModelId =>
  parseModelId(media?.models?.[type] ?? DEFAULTS[type]);
