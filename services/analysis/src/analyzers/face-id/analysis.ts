import type { Detection } from "../../types.js";
import type { VisualDescriptor } from "../../descriptor.js";

export const faceId: VisualDescriptor<"face-id", Detection[]> = {
  type: "face-id",
  kind: "visual",
  engines: {
    builtin: async () => (await import("./builtin.js")).createFaceId(),
  },
  defaultEngine: "builtin",
  packages: ["sharp", "onnxruntime-node"],
};
