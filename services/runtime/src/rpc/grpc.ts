import type { DescService } from "@bufbuild/protobuf";
import type { GrpcClient, GrpcClientOptions } from "./grpc/client.js";
import type { GrpcServer, GrpcServerOptions } from "./grpc/server.js";

export type { GrpcClient, GrpcClientOptions } from "./grpc/client.js";
export type { GrpcServer, GrpcServerOptions } from "./grpc/server.js";
export type { TlsFiles } from "./grpc/credentials.js";

/**
 * Makes a server for routes; it answers once `listen` is called. The gRPC stack is loaded here and not at import: a
 * process without ports does not pay for it.
 */
export async function createGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const server = await import("./grpc/server.js");
  return server.buildGrpcServer(options);
}

/**
 * Makes a client of a service at `address` (`host:port` or a gRPC name such as `dns:///host:port`). It connects with
 * the first call; while nobody answers, calls fail at once with AppError `unavailable`.
 */
export async function createGrpcClient<S extends DescService>(
  service: S,
  address: string,
  options: GrpcClientOptions = {},
): Promise<GrpcClient<S>> {
  const client = await import("./grpc/client.js");
  return client.buildGrpcClient(service, address, options);
}
