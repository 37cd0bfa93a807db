import { Gateway, type Clients } from "@hourglass/gateway";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { type Blobs, createInProcessClient, createLogger, Dispatcher, route } from "@hourglass/runtime";
import { CALLER, servedExport } from "./served-export.js";

/** A gateway in front of an export service of the same process, which has one export: the blob `ndjson`. */
export async function gatewayInOneProcess(blobs: Blobs) {
  const served = route(ExportService, await servedExport(blobs));
  return gatewayOver((dispatcher) => createInProcessClient(ExportService, served, dispatcher));
}

/** A gateway in front of an export service. */
export function gatewayOver(exports: (dispatcher: Dispatcher) => Clients["export"]) {
  const authenticate = () => Promise.resolve(CALLER);
  const dispatcher = new Dispatcher({ authenticate, reportFailure: () => undefined });
  const clients: Clients = {
    auth: createInProcessClient(AuthService, route(AuthService, {}), dispatcher),
    operation: createInProcessClient(OperationService, route(OperationService, {}), dispatcher),
    media: createInProcessClient(MediaService, route(MediaService, {}), dispatcher),
    insight: createInProcessClient(InsightService, route(InsightService, {}), dispatcher),
    export: exports(dispatcher),
  };
  return new Gateway({
    clients,
    authenticate,
    authenticateService: () => Promise.reject(new Error("no service calls")),
    config: { bodyBytesMax: 1024, rateLimitPerMinute: 0 },
    log: createLogger("silent"),
    readiness: () => Promise.resolve({ ready: true, dependencies: {} }),
  });
}
