import type { EngineSettings } from "../../../types.js";
import type { ModelId } from "../../../models/model.js";
import { parseConfigured } from "../models/configured-models.js";
import type { ModelSettings } from "../models/model-settings.js";

/** Settings that the folders of known models lack. An operator's hourglass.json takes precedence. */
export const KNOWN_VISION_SETTINGS: Readonly<Record<string, ModelSettings>> = {
  // Overconfident: its authors' examples use a threshold of 0.7 and above.
  "Xenova/detr-resnet-50": { threshold: 0.7 },
  "Xenova/detr-resnet-101": { threshold: 0.7 },
};

/** The model of an analysis; the registry fills in defaults. Throws ModelError if it is missing or malformed. */
export const visionModelOf = (type: string, { media }: EngineSettings): ModelId =>
  parseConfigured(type, media?.models?.[type]);
