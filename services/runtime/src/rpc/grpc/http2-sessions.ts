import type { Server } from "@grpc/grpc-js";
import type { Http2Server, ServerHttp2Session } from "node:http2";

/** Calls back for every connection to a server. If the patched internal method of grpc-js is missing, it never does. */
export function onHttp2Session(server: Server, prepare: (session: ServerHttp2Session) => void): void {
  const internals = server as unknown as { createHttp2Server?: (...parameters: unknown[]) => Http2Server };
  const create = internals.createHttp2Server?.bind(server);
  if (create === undefined) return;
  internals.createHttp2Server = (...parameters) => create(...parameters).on("session", prepare);
}
