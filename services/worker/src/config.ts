import { analysisSettings } from "@hourglass/analysis";
import { OPERATION_ROLES, operationSettings } from "@hourglass/operation";
import { defineSettings, outboundSettings, variable, type Config } from "@hourglass/runtime";

/** Every role that some service exports. */
const ROLES: readonly string[] = OPERATION_ROLES.map(({ role }) => role);

/** What a worker process does; a role that no service exports is refused. */
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
