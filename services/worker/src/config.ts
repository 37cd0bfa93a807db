import { analysisSettings } from "@hourglass/analysis";
import { OPERATION_ROLES, operationSettings } from "@hourglass/operation";
import { defineSettings, outboundSettings, variable, type Config } from "@hourglass/runtime";

/** All roles exported by services. */
const ROLES: readonly string[] = OPERATION_ROLES.map(({ role }) => role);

/** The roles of a worker process; a role that no service exports is rejected. */
export const workSettings = defineSettings({ WORKER_ROLES: variable.list(ROLES) }, (values) => ({
  roles: values.WORKER_ROLES,
}));

/** All settings of a worker process. */
export const WORKER_SETTINGS = {
  work: workSettings,
  operation: operationSettings,
  analysis: analysisSettings,
  outbound: outboundSettings,
};

export type WorkerConfig = Config<typeof WORKER_SETTINGS>;
