import type { Detection } from "../../types.js";
import type { VisualDescriptor } from "../../descriptor.js";
import { DETECTOR } from "../../engines/hf-vision/model-parts.js";

export const objectId: VisualDescriptor<"object-id", Detection[]> = {
  type: "object-id",
  kind: "visual",
  engines: {
    builtin: async () => (await import("./builtin.js")).createObjectId(),
    models: async (settings) => (await import("./models.js")).createObjectModel(settings),
  },
  defaultEngine: "builtin",
  defaultModel: "Xenova/detr-resnet-50",
  modelParts: DETECTOR,
  packages: ["sharp", "onnxruntime-node"],
};
