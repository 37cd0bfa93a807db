import { analysisSettings } from "@hourglass/analysis";
import { exportSettings } from "@hourglass/export";
import { insightSettings } from "@hourglass/insight";
import { operationSettings } from "@hourglass/operation";
import { defineSettings, outboundSettings, variable, type Config } from "@hourglass/runtime";
import { ROLES } from "./roles.js";

/** The roles of a worker process; a role that no service exports is rejected. */
export const workSettings = defineSettings({ WORKER_ROLES: variable.list(ROLES) }, (values) => ({
  roles: values.WORKER_ROLES,
}));

/** All settings of a worker process. */
export const WORKER_SETTINGS = {
  work: workSettings,
  operation: operationSettings,
  insight: insightSettings,
  export: exportSettings,
  analysis: analysisSettings,
  outbound: outboundSettings,
};

export type WorkerConfig = Config<typeof WORKER_SETTINGS>;
