import type { Caption } from "../../types.js";
import type { VisualDescriptor } from "../../descriptor.js";
import { CAPTIONER } from "../../engines/hf-vision/model-parts.js";

export const caption: VisualDescriptor<"caption", Caption[]> = {
  type: "caption",
  kind: "visual",
  engines: {
    builtin: async () => (await import("./builtin.js")).createCaption(),
    models: async (settings) => (await import("./models.js")).createCaptionModel(settings),
  },
  defaultEngine: "builtin",
  defaultModel: "Xenova/vit-gpt2-image-captioning",
  modelParts: CAPTIONER,
  packages: ["sharp", "onnxruntime-node"],
};
