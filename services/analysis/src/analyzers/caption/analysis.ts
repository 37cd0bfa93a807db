import type { VisualDescriptor } from "../../descriptor.js";

export const caption: VisualDescriptor<"caption"> = {
  type: "caption",
  kind: "visual",
  engines: {
    builtin: async () => (await import("./builtin.js")).createCaption(),
    models: async (settings) => (await import("./models.js")).createCaptionModel(settings),
  },
  defaultEngine: "builtin",
  defaultModel: "Xenova/vit-gpt2-image-captioning",
  packages: ["sharp", "onnxruntime-node"],
};
