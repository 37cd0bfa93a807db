import {
  connect,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
} from "node:http2";
import { createConnection, type Socket } from "node:net";

/** A gRPC call without any library: what another implementation, or an attacker, can send. */
export interface RawAnswer {
  /** The gRPC status code, from headers or trailers. */
  status: number;
  message: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export class RawClient {
  private readonly session: ClientHttp2Session;
  private readonly socket: Socket;

  constructor(port: number) {
    this.socket = createConnection(port, "127.0.0.1");
    this.session = connect(`http://127.0.0.1:${port}`, { createConnection: () => this.socket });
    this.session.on("error", () => undefined); // some tests disconnect it
  }

  /** Sends whole frames and reads the response to its end. */
  call(path: string, frames: readonly Buffer[], headers: Record<string, string> = {}): Promise<RawAnswer> {
    const stream = this.open(path, headers);
    for (const frame of frames) stream.write(frame);
    stream.end();
    return answerOf(stream);
  }

  /** Opens a call, which the test then controls. */
  open(path: string, headers: Record<string, string> = {}): ClientHttp2Stream {
    const stream = this.session.request({
      [constants.HTTP2_HEADER_METHOD]: "POST",
      [constants.HTTP2_HEADER_PATH]: path,
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    });
    stream.on("error", () => undefined);
    return stream;
  }

  /** Resolves when the server has answered; rejects while there is no connection, or no longer one. */
  async ping(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const sent = this.session.ping((error) => (error === null ? resolve() : reject(error)));
      if (!sent) reject(new Error("there is no connection"));
    });
  }

  /** Drops the connection without a GOAWAY. */
  cut(): void {
    this.socket.destroy();
  }

  close(): void {
    this.session.destroy();
  }
}

/** A message on the wire: one byte that says whether it is compressed, its length, its bytes. */
export function frame(message: Uint8Array, compressed = false): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(compressed ? 1 : 0, 0);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Reads the response to a call to its end. */
export function answerOf(stream: ClientHttp2Stream): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let headers: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    stream.on("response", (received: IncomingHttpHeaders) => (headers = received));
    stream.on("trailers", (received: IncomingHttpHeaders) => (trailers = received));
    stream.on("data", (part: Buffer) => parts.push(part));
    const finish = () => {
      const all = { ...headers, ...trailers };
      const message = decodeURIComponent(String(all["grpc-message"] ?? ""));
      resolve({ status: Number(all["grpc-status"]), message, headers, body: Buffer.concat(parts) });
    };
    stream.on("end", finish);
    stream.on("close", finish);
  });
}
