import type { Topic } from "../../types.js";
import type { TextualDescriptor } from "../../descriptor.js";

export const topic: TextualDescriptor<"topic", Topic[]> = {
  type: "topic",
  kind: "textual",
  engines: {
    fast: async () => (await import("./fast.js")).createTopic(),
    accurate: async () => (await import("./accurate.js")).createAccurateTopic(),
    models: async (settings) => (await import("./models.js")).createModelTopic(settings),
  },
  defaultEngine: "accurate",
  defaultModel: "Xenova/bert-base-NER",
};
