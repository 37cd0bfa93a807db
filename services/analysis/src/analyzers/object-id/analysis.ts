import type { VisualDescriptor } from "../../descriptor.js";

export const objectId: VisualDescriptor<"object-id"> = {
  type: "object-id",
  kind: "visual",
  engines: {
    builtin: async () => (await import("./builtin.js")).createObjectId(),
    models: async (settings) => (await import("./models.js")).createObjectModel(settings),
  },
  defaultEngine: "builtin",
  defaultModel: "Xenova/detr-resnet-50",
  packages: ["sharp", "onnxruntime-node"],
};
