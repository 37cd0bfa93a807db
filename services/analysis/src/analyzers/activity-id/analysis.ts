import type { VisualDescriptor } from "../../descriptor.js";

export const activityId: VisualDescriptor<"activity-id"> = {
  type: "activity-id",
  kind: "visual",
  engines: {
    builtin: async () => (await import("./builtin.js")).createActivityId(),
    models: async (settings) => (await import("./models.js")).createActivityModel(settings),
  },
  defaultEngine: "builtin",
  defaultModel: "Xenova/clip-vit-base-patch32",
  packages: ["sharp", "onnxruntime-node"],
};
