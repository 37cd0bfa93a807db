import type { Server } from "@grpc/grpc-js";
import type { Http2Server } from "node:http2";

/**
 * So many bytes a peer may send before it hears that they were taken, on a stream and on all streams of a connection
 * together. HTTP/2 begins with 64 KiB, and a file then waits for an answer 16 times a mebibyte.
 */
export const RECEIVE_WINDOW_BYTES = 1_048_576;

/**
 * Has a server take that much. grpc-js 1.14 reads `grpc-node.flow_control_window` on clients alone; once its servers do
 * (grpc/grpc-node#3058), that option replaces this. Without the method that it makes connections by, nothing is changed.
 */
export function widenReceiveWindow(server: Server): void {
  const internals = server as unknown as { createHttp2Server?: (...parameters: unknown[]) => Http2Server };
  const create = internals.createHttp2Server?.bind(server);
  if (create === undefined) return;
  internals.createHttp2Server = (...parameters) =>
    create(...parameters).on("session", (session) => {
      session.settings({ initialWindowSize: RECEIVE_WINDOW_BYTES });
      session.setLocalWindowSize(RECEIVE_WINDOW_BYTES);
    });
}
