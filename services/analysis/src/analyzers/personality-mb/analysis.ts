import type { Personality } from "../../types.js";
import type { TextualDescriptor } from "../../descriptor.js";

export const personalityMb: TextualDescriptor<"personality-mb", Personality> = {
  type: "personality-mb",
  kind: "textual",
  engines: { fast: async () => (await import("./fast.js")).createPersonality() },
  defaultEngine: "fast",
};
