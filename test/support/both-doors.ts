import type { DescService } from "@bufbuild/protobuf";
import { buildAuthService } from "@hourglass/auth";
import { buildExportService } from "@hourglass/export";
import { openGateway, type Clients } from "@hourglass/gateway";
import { buildInsightService } from "@hourglass/insight";
import { buildMediaService } from "@hourglass/media";
import { buildOperationService } from "@hourglass/operation";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { readStandaloneConfig } from "@hourglass/standalone";
import {
  ALL_PARTS,
  createGrpcClient,
  createGrpcServer,
  createLogger,
  createMetrics,
  createServiceAuthenticator,
  Dispatcher,
  Lifecycle,
  openStorage,
  ServiceTokens,
  type Client,
  type Route,
} from "@hourglass/runtime";
import { openTestStorage } from "./test-storage.js";
import { EMAIL, PASSWORD, sender, TEST_SETTINGS, type TestServer } from "./server.js";

/** The same services behind their gRPC port and behind the REST gateway; no worker analyzes accepted operations. */
export interface BothDoors {
  /** Sends a REST request. */
  send: TestServer["send"];
  /** Clients of another program over the gRPC port. */
  grpc: Clients;
  /** A valid token of the first user. */
  token(): Promise<string>;
  /** Moves the clocks of all services forward, in milliseconds. */
  pass(ms: number): void;
  close(): Promise<void>;
}

/** Opens both interfaces on separate state. */
export async function openBothDoors(): Promise<BothDoors> {
  const testStorage = await openTestStorage();
  const config = readStandaloneConfig({ PORT: "0", LOG_LEVEL: "silent", ...TEST_SETTINGS, ...testStorage.env });
  const log = createLogger(config.logLevel);
  const lifecycle = new Lifecycle(log);
  const clock = { ahead: 0 };
  const now = () => Date.now() + clock.ahead;
  const storage = await openStorage({ config, log, lifecycle, parts: ALL_PARTS });
  const secret = "a secret that all services share";
  const built = await buildAuthService({ store: storage.store, config, serviceSecret: secret, log, now });
  lifecycle.add("auth", () => built.close());
  await built.bootstrap();
  const { authenticate } = built;
  const report = { authenticate, reportFailure: () => undefined };
  const auth = await served({ service: AuthService, routes: built.routes, lifecycle }, new Dispatcher(report));
  const authenticateService = createServiceAuthenticator({ auth, log, now });
  const dispatcher = new Dispatcher({ ...report, authenticateService });
  const { routes: mediaRoutes } = await buildMediaService({ ...storage, config: config.media, log });
  const media = await served({ service: MediaService, routes: mediaRoutes, lifecycle }, dispatcher);
  const operations = await buildOperationService({
    ...storage,
    media: { client: media, serviceTokens: new ServiceTokens({ auth, service: "operation", secret, log, now }) },
    config: config.operation,
    log,
    stopping: lifecycle.signal,
  });
  const insights = await buildInsightService({ ...storage, config, log, clock: now });
  lifecycle.add("requests to platforms", () => insights.close());
  const insight = await served({ service: InsightService, routes: insights.routes, lifecycle }, dispatcher);
  const exports = await buildExportService({
    ...storage,
    insight: { client: insight, serviceTokens: new ServiceTokens({ auth, service: "export", secret, log, now }) },
    config: config.export,
    log,
    clock: now,
    stopping: lifecycle.signal,
  });
  const grpc: Clients = {
    auth,
    media,
    operation: await served({ service: OperationService, routes: operations.routes, lifecycle }, dispatcher),
    insight,
    export: await served({ service: ExportService, routes: exports.routes, lifecycle }, dispatcher),
  };
  const readiness = () => Promise.resolve({ ready: true, dependencies: {} });
  const gateway = { config, log, lifecycle, readiness, metrics: createMetrics(), monitoredHere: true, clients: grpc };
  const url = await openGateway({ ...gateway, authenticate, authenticateService });
  return {
    send: sender(url),
    grpc,
    token: async () => (await grpc.auth.signIn({ user: { email: EMAIL, password: PASSWORD } })).token,
    pass: (ms) => void (clock.ahead += ms),
    close: async () => {
      await lifecycle.stop(5000);
      await testStorage.remove();
    },
  };
}

interface Served<S extends DescService> {
  service: S;
  routes: readonly Route[];
  lifecycle: Lifecycle;
}

/** Serves a service on a separate port and returns a client of it. */
async function served<S extends DescService>(
  { service, routes, lifecycle }: Served<S>,
  dispatcher: Dispatcher,
): Promise<Client<S>> {
  const server = await createGrpcServer({ routes, dispatcher, log: createLogger("silent") });
  const port = await server.listen({ port: 0 });
  lifecycle.add(`port of ${service.typeName}`, (graceMs) => server.stop(graceMs));
  const { client, close } = await createGrpcClient(service, `127.0.0.1:${port}`);
  lifecycle.add(`client of ${service.typeName}`, () => close());
  return client;
}
