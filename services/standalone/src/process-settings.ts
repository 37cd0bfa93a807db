import { authSettings } from "@hourglass/auth";
import { exportSettings } from "@hourglass/export";
import { gatewaySettings } from "@hourglass/gateway";
import { insightSettings } from "@hourglass/insight";
import { mediaSettings } from "@hourglass/media";
import { operationSettings } from "@hourglass/operation";
import { outboundSettings, type Owners } from "@hourglass/runtime";
import { WORKER_SETTINGS } from "@hourglass/worker";
import { ADMIN_SETTINGS } from "./admin/config.js";

/**
 * The settings of every process of a deployment of several, by its name there. docker-compose.yml and the list of all
 * names of variables are generated from them.
 */
export const PROCESS_SETTINGS: Readonly<Record<string, Owners>> = {
  gateway: { gateway: gatewaySettings },
  auth: { auth: authSettings },
  media: { media: mediaSettings },
  operation: { operation: operationSettings },
  insight: { insight: insightSettings, outbound: outboundSettings },
  export: { export: exportSettings },
  worker: WORKER_SETTINGS,
  admin: ADMIN_SETTINGS,
};
