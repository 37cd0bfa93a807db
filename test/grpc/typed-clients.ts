import type { DescService } from "@bufbuild/protobuf";
import { createClient, type Client, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import type { TestServer } from "../support/server.js";

/** The protocols of a typed client: those of the HTTP port, and gRPC on its own port. */
export const PROTOCOLS = [
  "Connect in JSON",
  "Connect in binary",
  "Connect by GET",
  "gRPC-web in JSON",
  "gRPC-web in binary",
  "gRPC",
] as const;

export type Protocol = (typeof PROTOCOLS)[number];

/** A typed client that sends `authorization` with every call, unless it is empty. */
export function typedClient<S extends DescService>(
  { service, protocol }: { service: S; protocol: Protocol },
  server: Pick<TestServer, "url" | "grpcUrl">,
  authorization = "",
): Client<S> {
  return createClient(service, transportOf(protocol, server, authorization));
}

/** The transport of a client that sends `authorization` with every call, unless it is empty. */
export function transportOf(
  protocol: Protocol,
  { url, grpcUrl }: Pick<TestServer, "url" | "grpcUrl">,
  authorization: string,
): Transport {
  const authorize: Interceptor = (next) => (request) => {
    if (authorization !== "") request.header.set("authorization", authorization);
    return next(request);
  };
  const interceptors = [authorize];
  const http = { baseUrl: url, httpVersion: "1.1", interceptors } as const;
  switch (protocol) {
    case "Connect in JSON":
      return createConnectTransport({ ...http, useBinaryFormat: false });
    case "Connect in binary":
      return createConnectTransport({ ...http, useBinaryFormat: true });
    case "Connect by GET":
      return createConnectTransport({ ...http, useHttpGet: true });
    case "gRPC-web in JSON":
      return createGrpcWebTransport({ ...http, useBinaryFormat: false });
    case "gRPC-web in binary":
      return createGrpcWebTransport({ ...http, useBinaryFormat: true });
    case "gRPC":
      return createGrpcTransport({ baseUrl: grpcUrl, interceptors });
  }
}
