import type { DescService } from "@bufbuild/protobuf";
import { traceClient } from "../telemetry/rpc-spans.js";
import type { GrpcClient, GrpcClientOptions } from "./grpc/client.js";
import type { GrpcServer, GrpcServerOptions } from "./grpc/server.js";

export type { GrpcClient, GrpcClientOptions } from "./grpc/client.js";
export type { GrpcServer, GrpcServerOptions } from "./grpc/server.js";
export type { TlsFiles } from "./grpc/credentials.js";

/**
 * Makes a server for routes; it answers once `listen` is called. A process without routes of its own gets one for its
 * health. Throws ConfigError for TLS files that cannot be used. The gRPC stack is loaded here and not at import: a
 * process without ports does not pay for it.
 */
export async function createGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const server = await import("./grpc/server.js");
  return server.buildGrpcServer(options);
}

/**
 * Makes a client of a service at one address or several, each `host:port` or `dns:///host:port`. Calls take turns over
 * all replicas that these stand for and that can be reached; the others are tried again in the background. It connects
 * with the first call. While nobody answers, calls fail with AppError `unavailable`: at once, or within half a second
 * those that `idempotency_level` in proto/ says may be tried again. Throws TypeError for what is no address, and
 * ConfigError for TLS files that cannot be used.
 */
export async function createGrpcClient<S extends DescService>(
  service: S,
  addresses: string | readonly string[],
  options: GrpcClientOptions = {},
): Promise<GrpcClient<S>> {
  const client = await import("./grpc/client.js");
  const built = await client.buildGrpcClient(service, addresses, options);
  return { ...built, client: traceClient(service, built.client) };
}
