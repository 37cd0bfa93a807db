import type { DescService } from "@bufbuild/protobuf";
import { traceClient } from "./rpc-spans.js";
import type { GrpcClient, GrpcClientOptions } from "./grpc/client.js";
import type { GrpcServer, GrpcServerOptions } from "./grpc/server.js";

export type { GrpcClient, GrpcClientOptions } from "./grpc/client.js";
export type { GrpcServer, GrpcServerOptions } from "./grpc/server.js";
export type { HoldMessages, MessageHold } from "./grpc/handlers.js";
export { certificatesOf, type Certificates, type TlsFiles } from "../tls-certificates.js";

/**
 * Creates a server for routes; it answers after `listen` is called. A process without routes also gets a server, for
 * the health service. Throws ConfigError for unusable TLS files. The gRPC stack is loaded here and not at import, so
 * that a process without ports does not load it.
 */
export async function createGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const server = await import("./grpc/server.js");
  return server.buildGrpcServer(options);
}

/**
 * Creates a client of a service at one address or several, each `host:port` or `dns:///host:port`. Calls are spread
 * round-robin over all reachable replicas at these addresses; connections to the others are retried in the background.
 * The client connects on the first call. While no replica answers, calls fail with AppError `unavailable`: at once, or
 * within half a second if `idempotency_level` in proto/ allows a retry. Throws TypeError for an invalid address, and
 * ConfigError for unusable TLS files.
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
