import { createAnalysisPool } from "@hourglass/analysis";
import { buildAuthService, type Bootstrapped } from "@hourglass/auth";
import { buildExportService } from "@hourglass/export";
import { createGateway, type Clients } from "@hourglass/gateway";
import { buildInsightService } from "@hourglass/insight";
import { buildMediaService } from "@hourglass/media";
import { buildOperationService, RUN_QUEUE } from "@hourglass/operation";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import {
  createMetrics,
  createTokenAuthenticator,
  Dispatcher,
  type Authenticate,
  type Config,
  type Lifecycle,
  type Logger,
  type Metrics,
} from "@hourglass/runtime";
import { createHost, type Host, type Transport } from "./host.js";
import { createReadiness, watchModels } from "./readiness.js";
import { openStorage, type Storage } from "./storage.js";

export interface StandaloneOptions {
  config: Config;
  log: Logger;
  /** Receives every part as it starts; stopping it stops the server. */
  lifecycle: Lifecycle;
  transport?: Transport;
}

/** The running product. */
export interface Standalone {
  /** Such as `http://127.0.0.1:8080`. */
  url: string;
  /** The first user, when this start made one. */
  bootstrap: Bootstrapped | undefined;
}

/** What all parts are given. */
interface Foundation extends StandaloneOptions {
  storage: Storage;
  metrics: Metrics;
  host: Host;
}

/** Starts the whole product in this process: storage, five services, workers and the gateway, in that order. */
export async function startStandalone(options: StandaloneOptions): Promise<Standalone> {
  const { config, log, lifecycle, transport = "in-process" } = options;
  const storage = await openStorage(config, log, lifecycle);
  const foundation = { ...options, storage, metrics: createMetrics(), host: createHost(transport, options) };
  const bootstrap = await serveAuth(foundation);
  const authenticate = createTokenAuthenticator({ auth: await foundation.host.client(AuthService), log });
  const dispatcher = createDispatcher(foundation, authenticate);
  for (const build of [buildMediaService, buildInsightService, buildExportService]) {
    await foundation.host.serve(build().routes, dispatcher);
  }
  const models = await serveOperations(foundation, dispatcher);
  const url = await openGateway(foundation, authenticate, models);
  return { url, bootstrap };
}

async function serveAuth(foundation: Foundation): Promise<Bootstrapped | undefined> {
  const { config, log, lifecycle, storage, host } = foundation;
  const auth = await buildAuthService({ store: storage.store, config, log });
  lifecycle.add("auth", () => {
    auth.close();
  });
  await host.serve(auth.routes, createDispatcher(foundation, auth.authenticate));
  return auth.bootstrap();
}

async function serveOperations(
  foundation: Foundation,
  dispatcher: Dispatcher,
): Promise<ReturnType<typeof watchModels>> {
  const { config, log, lifecycle, storage, metrics, host } = foundation;
  const { store, queue } = storage;
  const pool = createAnalysisPool({ threads: config.analysis.threads });
  lifecycle.add("analysis", () => pool.close());
  const media = await host.client(MediaService);
  const operations = await buildOperationService({ store, queue, media, pool, config: config.operation, log });
  await host.serve(operations.routes, dispatcher);
  for (const start of ["startRelay", "startSweeper", "startWorker"] as const) {
    const part = operations[start]();
    lifecycle.add(start, (graceMs) => part.stop(graceMs));
  }
  metrics.gauge("hourglass_queue_depth", "Messages of operation.run that wait or are in work", () => {
    return queue.depth(RUN_QUEUE);
  });
  return watchModels(pool, log);
}

async function openGateway(
  { config, log, lifecycle, storage, metrics, host }: Foundation,
  authenticate: Authenticate,
  models: ReturnType<typeof watchModels>,
): Promise<string> {
  const gateway = createGateway({
    clients: await clientsOf(host),
    authenticate,
    config: {
      ...config.http,
      signInAttemptsPerMinute: config.auth.signInAttemptsPerMinute,
      unfinishedOperationsMax: config.operation.unfinishedMax,
    },
    log,
    readiness: createReadiness(storage, models),
    metrics: () => metrics.render(),
    onRequest: (request) => {
      metrics.observeHttp(request);
    },
  });
  const { url } = await gateway.listen(config.http.host, config.http.port);
  lifecycle.add("gateway", (graceMs) => gateway.stop(graceMs));
  return url;
}

async function clientsOf(host: Host): Promise<Clients> {
  return {
    auth: await host.client(AuthService),
    operation: await host.client(OperationService),
    media: await host.client(MediaService),
    insight: await host.client(InsightService),
    export: await host.client(ExportService),
  };
}

function createDispatcher({ log, metrics }: Foundation, authenticate: Authenticate): Dispatcher {
  return new Dispatcher({
    authenticate,
    reportFailure: (failure, method, call) => {
      log.error({ err: failure.cause, rpc: method.toString(), request_id: call.requestId }, "unexpected failure");
    },
    observeCall: (method, code, durationMs) => {
      metrics.observeRpc({ service: method.parent.typeName, method: method.name, code, seconds: durationMs / 1000 });
    },
  });
}
