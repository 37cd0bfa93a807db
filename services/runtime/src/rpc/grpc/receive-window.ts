import type { Server } from "@grpc/grpc-js";
import type { Http2Server } from "node:http2";

/**
 * Bytes that a peer may send before they are acknowledged, per stream and per connection. HTTP/2 starts with 64 KiB,
 * which makes a file wait 16 times per mebibyte.
 */
export const RECEIVE_WINDOW_BYTES = 1_048_576;

/**
 * Sets this window on a server. grpc-js 1.14 reads `grpc-node.flow_control_window` on clients only; once its servers do
 * (grpc/grpc-node#3058), that option replaces this. If the patched internal method is missing, nothing is changed.
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
