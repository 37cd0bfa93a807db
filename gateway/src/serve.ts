import type { DescService } from "@bufbuild/protobuf";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { Health, HealthCheckResponse_ServingStatus as Status } from "@hourglass/proto/grpc/health/v1/health";
import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import {
  AppError,
  createProcessMetrics,
  createServiceAuthenticator,
  createTokenAuthenticator,
  Dependencies,
  GATEWAY_OPS_PORT,
  openOpsPort,
  reportLoopStalls,
  remoteClients,
  runProcess,
  type Ping,
  type ProcessConfig,
  type RemoteClients,
} from "@hourglass/runtime";
import { gatewaySettings } from "./config.js";
import { openGrpcPort } from "./connect/grpc-port.js";
import { openGateway } from "./gateway.js";
import { createSharedLimits } from "./http/shared-limits.js";
import type { Clients } from "./services.js";

const HEALTH_TIMEOUT_MS = 1500;

/** Entry point of the process that serves REST on top of services in other processes. */
runProcess({ name: "gateway", settings: { gateway: gatewaySettings } }, async (foundation) => {
  const { log } = foundation;
  const dependencies = new Dependencies();
  const metrics = createProcessMetrics(foundation.config, dependencies);
  reportLoopStalls({ ...foundation, metrics });
  const readiness = dependencies.read;
  const opsPort = await openOpsPort(foundation, { readiness, metrics, port: GATEWAY_OPS_PORT });
  const remote = remoteClients(foundation);
  const clients = await clientsOf(remote);
  await needServices(dependencies, remote);
  const checks = { auth: clients.auth, log };
  const authenticate = createTokenAuthenticator(checks);
  const authenticateService = createServiceAuthenticator(checks);
  const limits = createSharedLimits(foundation.config.gateway);
  const edge = { ...foundation, clients, metrics, limits, authenticate, authenticateService };
  const url = await openGateway({ ...edge, readiness, monitoredHere: false });
  const grpcPort = foundation.config.grpcPort === undefined ? undefined : await openGrpcPort(edge);
  dependencies.setStarted();
  log.info({ url, opsPort, grpcPort }, "ready");
});

async function clientsOf(remote: RemoteClients): Promise<Clients> {
  return {
    auth: await remote(AuthService, "auth"),
    operation: await remote(OperationService, "operation"),
    media: await remote(MediaService, "media"),
    insight: await remote(InsightService, "insight"),
    export: await remote(ExportService, "export"),
  };
}

/**
 * No request can be answered without Auth. Each other service is needed only for its own routes: a gateway that
 * reported itself unready because of one of them would take the other routes away too.
 */
async function needServices(dependencies: Dependencies, remote: RemoteClients): Promise<void> {
  dependencies.need("auth", await pingOf(remote, "auth", AuthService));
  dependencies.want("operation", await pingOf(remote, "operation", OperationService));
  dependencies.want("media", await pingOf(remote, "media", MediaService));
  dependencies.want("insight", await pingOf(remote, "insight", InsightService));
  dependencies.want("export", await pingOf(remote, "export", ExportService));
}

async function pingOf(
  remote: RemoteClients,
  part: keyof ProcessConfig["addresses"],
  service: DescService,
): Promise<Ping> {
  const health = await remote(Health, part);
  return async () => {
    const { status } = await health.check({ service: service.typeName }, { timeoutMs: HEALTH_TIMEOUT_MS });
    if (status !== Status.SERVING) throw new AppError("unavailable", `${part} is not ready.`);
  };
}
