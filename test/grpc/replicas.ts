import { constants, createServer, type Http2Server, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { createGrpcServer, createLogger, type GrpcServer } from "@hourglass/runtime";
import { FakeServices } from "./fake-services.js";

/** One of several servers of the same services. */
export interface Replica {
  readonly fake: FakeServices;
  readonly port: number;
  readonly address: string;
  server: GrpcServer;
}

/** Starts a server; on the port of an earlier one it acts like a restarted process. */
export async function startReplica(port = 0): Promise<Replica> {
  const fake = new FakeServices();
  const { routes, dispatcher } = fake;
  const server = await createGrpcServer({ routes, dispatcher, log: createLogger("silent") });
  const taken = await server.listen({ port });
  return { fake, server, port: taken, address: `127.0.0.1:${taken}` };
}

/** A server without any library that treats each call as scripted by the test, and counts them. */
export class ScriptedServer {
  calls = 0;
  private readonly http2: Http2Server;

  private constructor(answer: (stream: ServerHttp2Stream, call: number) => void) {
    this.http2 = createServer().on("stream", (stream) => {
      this.calls += 1;
      stream.on("error", () => undefined);
      answer(stream, this.calls);
    });
    this.http2.on("sessionError", () => undefined);
  }

  static async start(answer: (stream: ServerHttp2Stream, call: number) => void): Promise<ScriptedServer> {
    const server = new ScriptedServer(answer);
    await new Promise<void>((resolve) => server.http2.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get address(): string {
    return `127.0.0.1:${(this.http2.address() as AddressInfo).port}`;
  }

  /** Clients must close their connections first. */
  stop(): void {
    this.http2.close();
  }
}

/** Simulates a process that is killed while the call is in work. */
export function die(stream: ServerHttp2Stream): void {
  stream.session?.destroy();
}

/** Responds like a server that cannot reach its database. */
export function fail(stream: ServerHttp2Stream): void {
  const UNAVAILABLE = "14";
  stream.respond({ "content-type": "application/grpc", "grpc-status": UNAVAILABLE }, { endStream: true });
}

/** Responds like a server to a call that arrives while it stops. */
export function refuse(stream: ServerHttp2Stream): void {
  stream.close(constants.NGHTTP2_REFUSED_STREAM);
}
