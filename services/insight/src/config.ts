import { defineSettings, variable, type ConfigOf } from "@hourglass/runtime";

/** The settings of Insight. */
export const insightSettings = defineSettings(
  {
    /** Pause between two collections of one insight from one platform. */
    COLLECT_INTERVAL_SECONDS: variable.integer(1, 86_400, 300),
  },
  (values) => ({ collectIntervalSeconds: values.COLLECT_INTERVAL_SECONDS }),
);

export type InsightConfig = ConfigOf<typeof insightSettings>;
