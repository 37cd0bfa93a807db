import {
  EXTRA_PLATFORM_VARIABLES,
  readRetentionDays,
  type RetentionDays,
  retentionVariables,
} from "@hourglass/posting";
import { defineSettings, variable } from "@hourglass/runtime";
import { PLATFORM_VARIABLES } from "./platforms/registry.js";
import type { CollectInterval, PlatformValues } from "./platforms/connector.js";

const COLLECT_INTERVAL_SECONDS = 300;

const ownVariables = {
  ...EXTRA_PLATFORM_VARIABLES,
  /** Pause between two collections of one insight from one platform. */
  COLLECT_INTERVAL_SECONDS: variable.optionalInteger(1, 86_400),
  ...retentionVariables,
};

export interface InsightConfig {
  readonly collectInterval: CollectInterval;
  /** Values of the variables of all platforms. */
  readonly platforms: PlatformValues;
  /** Platforms of this server beside those of the interface. */
  readonly extraPlatforms: readonly string[];
  readonly retentionDays: RetentionDays;
}

/** The settings of Insight, those of its platforms included. */
export const insightSettings = defineSettings<typeof ownVariables, InsightConfig>(
  { ...PLATFORM_VARIABLES, ...ownVariables },
  (values) => ({
    collectInterval: {
      intervalMs: (values.COLLECT_INTERVAL_SECONDS ?? COLLECT_INTERVAL_SECONDS) * 1000,
      isExplicit: values.COLLECT_INTERVAL_SECONDS !== undefined,
    },
    platforms: values,
    extraPlatforms: values.EXTRA_PLATFORMS,
    retentionDays: readRetentionDays(values),
  }),
);
