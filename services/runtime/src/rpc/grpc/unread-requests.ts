import type { ServerHttp2Session } from "node:http2";

/**
 * Closes the streams of calls that were answered before their request had arrived in full. grpc-js 1.14 leaves them
 * open, and keeps what has arrived of the message, for as long as the client likes.
 */
export function dropUnreadRequests(session: ServerHttp2Session): void {
  session.on("stream", (stream) => {
    stream.once("finish", () => {
      // After the turn in which the trailers are sent.
      if (!stream.readableEnded) setImmediate(() => stream.close());
    });
  });
}
