import type { Detection } from "../../types.js";
import type { VisualDescriptor } from "../../descriptor.js";
import { ZERO_SHOT } from "../../engines/hf-vision/model-parts.js";

export const activityId: VisualDescriptor<"activity-id", Detection[]> = {
  type: "activity-id",
  kind: "visual",
  engines: {
    builtin: async () => (await import("./builtin.js")).createActivityId(),
    models: async (settings) => (await import("./models.js")).createActivityModel(settings),
  },
  defaultEngine: "builtin",
  defaultModel: "Xenova/clip-vit-base-patch32",
  modelParts: ZERO_SHOT,
  packages: ["sharp", "onnxruntime-node"],
};
