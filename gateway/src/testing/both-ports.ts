import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from "node:http2";
import { AppError, createLogger, createMetrics, Lifecycle, readConfig, type Metrics } from "@hourglass/runtime";
import { gatewaySettings, type GatewaySettings } from "../config.js";
import { openGrpcPort } from "../connect/grpc-port.js";
import { createSharedLimits } from "../http/shared-limits.js";
import {
  authenticate,
  AUTHORIZATION,
  createFakeClients,
  startGateway,
  type FakeHandlers,
  type GatewayUnderTest,
} from "./gateway-under-test.js";

/** A gateway with its HTTP port and its gRPC port, which share their limits. */
export interface BothPorts {
  readonly gateway: GatewayUnderTest;
  readonly grpcPort: number;
  /** Of the gRPC port. */
  readonly metrics: Metrics;
  stop(): Promise<void>;
}

export async function startBothPorts(
  handlers: FakeHandlers,
  settings: GatewaySettings & { readonly bodyBytesMax: number },
): Promise<BothPorts> {
  const limits = createSharedLimits(settings);
  const gateway = await startGateway(handlers, { config: settings, limits });
  const env = { GRPC_PORT: "0", MAX_BODY_BYTES: String(settings.bodyBytesMax), LOG_LEVEL: "silent" };
  const config = readConfig(env, { gateway: gatewaySettings });
  const log = createLogger(config.logLevel);
  const lifecycle = new Lifecycle(log);
  const metrics = createMetrics();
  const edge = { config, log, lifecycle, metrics, clients: createFakeClients(handlers), limits };
  const authenticateService = () => Promise.reject(new AppError("unauthenticated", "No service is known here."));
  const grpcPort = (await openGrpcPort({ ...edge, authenticate, authenticateService })) ?? 0;
  const stop = async () => {
    await lifecycle.stop(1000);
    await gateway.stop();
  };
  return { gateway, grpcPort, metrics, stop };
}

/** Begins a call of a gRPC method by a user, on its own connection. */
export function openGrpcCall(
  grpcPort: number,
  path: string,
): { readonly session: ClientHttp2Session; readonly stream: ClientHttp2Stream } {
  const session = connect(`http://127.0.0.1:${grpcPort}`);
  const { HTTP2_HEADER_METHOD, HTTP2_HEADER_PATH } = constants;
  const headers = { "content-type": "application/grpc", te: "trailers", authorization: AUTHORIZATION };
  const stream = session.request({ [HTTP2_HEADER_METHOD]: "POST", [HTTP2_HEADER_PATH]: path, ...headers });
  return { session, stream };
}
