import type { ServerHttp2Session } from "node:http2";

/**
 * Bytes that a peer may send before they are acknowledged, per stream and per connection. HTTP/2 starts with 64 KiB,
 * which makes a file wait 16 times per mebibyte.
 */
export const RECEIVE_WINDOW_BYTES = 1_048_576;

/**
 * Sets this window on a server's connection. grpc-js 1.14 reads `grpc-node.flow_control_window` on clients only; once
 * its servers do (grpc/grpc-node#3058), that option replaces this.
 */
export function widenReceiveWindow(session: ServerHttp2Session): void {
  session.settings({ initialWindowSize: RECEIVE_WINDOW_BYTES });
  session.setLocalWindowSize(RECEIVE_WINDOW_BYTES);
}
