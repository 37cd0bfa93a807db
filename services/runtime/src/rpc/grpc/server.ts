import type { Http2Server, ServerHttp2Session } from "node:http2";
import { Server, type ServerCredentials, setLogger } from "@grpc/grpc-js";
import type { Logger } from "../../log.js";
import type { TlsFiles } from "../../tls-certificates.js";
import type { Dispatcher } from "../dispatch.js";
import type { Route } from "../service.js";
import { serverCredentials } from "./credentials.js";
import { addRoute, type HoldMessages, holdNothing } from "./handlers.js";
import { HealthReporter } from "./health.js";
import { MESSAGE_BYTES_MAX, RECEIVE_WINDOW_BYTES } from "./wire.js";
import { addReflection } from "./reflection.js";

export interface GrpcServerOptions {
  /** May be empty: health and reflection are served anyway. */
  routes: readonly Route[];
  dispatcher: Dispatcher;
  log: Logger;
  /** Largest accepted message, after decompression; default 64 MiB. */
  maxMessageBytes?: number;
  /** Age at which connections are renewed, so that clients find new replicas; default 5 minutes. */
  connectionAgeMs?: number;
  /** Default: no accounting. */
  holdMessages?: HoldMessages;
  /** Plaintext if absent. */
  tls?: TlsFiles | undefined;
}

/** A gRPC port: the routes, `grpc.health.v1` and server reflection. */
export interface GrpcServer {
  /** Opens the port and returns its number; port 0 takes a free one. */
  listen: (at: { host?: string; port: number }) => Promise<number>;
  /** Sets the readiness that the health service reports; true initially. */
  setServing: (serving: boolean) => void;
  /** Reports NOT_SERVING, refuses new calls, and aborts those still running after `graceMs`. */
  stop: (graceMs: number) => Promise<void>;
}

/** Calls may continue this long after their connection's age limit; enough for the longest uploads and reads. */
const CONNECTION_GRACE_MS = 1_800_000;

/** Time for connections to end after the server asked them to, in milliseconds. */
const FORCED_MS = 1000;

export async function buildGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const credentials = await serverCredentials(options.tls);
  logThrough(options.log);
  const health = new HealthReporter(options.routes.map(({ service }) => service.typeName));
  const routes = [...options.routes, health.route];
  const server = new Server({
    "grpc.max_receive_message_length": options.maxMessageBytes ?? MESSAGE_BYTES_MAX,
    "grpc.max_send_message_length": -1,
    "grpc.max_concurrent_streams": 1000,
    // Drops clients that disappeared without closing the connection.
    "grpc.keepalive_time_ms": 30_000,
    "grpc.keepalive_timeout_ms": 10_000,
    "grpc.max_connection_age_ms": options.connectionAgeMs ?? 300_000,
    "grpc.max_connection_age_grace_ms": CONNECTION_GRACE_MS,
    // channelz is not used, but without its list of connections forceShutdown of grpc-js 1.14 closes none.
    "grpc.enable_channelz": 1,
  });
  const connections = new Connections();
  onHttp2Session(server, (session) => {
    connections.add(session);
    widenReceiveWindow(session);
    dropUnreadRequests(session);
  });
  const drained = (peer: string) => connections.drained(peer);
  const serving = { ...options, holdMessages: options.holdMessages ?? holdNothing, drained };
  for (const route of routes) addRoute(server, route, serving);
  addReflection(
    server,
    routes.map(({ service }) => service),
  );
  return {
    listen: ({ host = "127.0.0.1", port }) => bind(server, authority(host, port), credentials),
    setServing: (serving) => health.setServing(serving),
    stop: async (graceMs) => {
      health.stop();
      await stop(server, graceMs);
    },
  };
}

/** Redirects the log of grpc-js from stderr. It is global to the process; the last server created wins. */
function logThrough(log: Logger): void {
  const line = (message: unknown) => log.info({ source: "grpc-js" }, String(message));
  setLogger({ error: line, info: line, debug: line });
}

function authority(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function bind(server: Server, address: string, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => {
      if (error === null) resolve(port);
      else reject(new Error(`Cannot listen on ${address}: ${error.message}`, { cause: error }));
    });
  });
}

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => {
      server.forceShutdown();
      // grpc-js 1.14 sometimes still counts a connection that ended in the middle of its handshake, and never calls back.
      setTimeout(resolve, FORCED_MS);
    }, graceMs);
    // Also called once a forced shutdown is complete.
    server.tryShutdown(() => {
      clearTimeout(force);
      resolve();
    });
  });
}

/** Calls back for every connection to a server. If the patched internal method of grpc-js is missing, it never does. */
function onHttp2Session(server: Server, prepare: (session: ServerHttp2Session) => void): void {
  const internals = server as unknown as { createHttp2Server?: (...parameters: unknown[]) => Http2Server };
  const create = internals.createHttp2Server?.bind(server);
  if (create === undefined) return;
  internals.createHttp2Server = (...parameters) => create(...parameters).on("session", prepare);
}

/** Time in which a reset follows the end of its stream, if the peer cannot be asked; in milliseconds. */
const RESET_FOLLOWS_MS = 5;

/** The open connections of a server by the address and port of their peer. */
class Connections {
  private readonly sessions = new Map<string, ServerHttp2Session>();

  add(session: ServerHttp2Session): void {
    const { remoteAddress, remotePort } = session.socket;
    const peer = `${remoteAddress}:${remotePort}`;
    this.sessions.set(peer, session);
    session.once("close", () => this.sessions.delete(peer));
  }

  /**
   * Resolves when all that the peer had sent until now has been read: it acknowledges a ping, and what arrived with that
   * or before has had its effect.
   */
  drained(peer: string): Promise<void> {
    const session = this.sessions.get(peer);
    return new Promise((resolve) => {
      if (session === undefined || session.destroyed) return resolve();
      session.ping((error) => {
        if (error === null) setImmediate(resolve);
        else setTimeout(resolve, RESET_FOLLOWS_MS);
      });
    });
  }
}

/**
 * Closes the streams of calls that were answered before their request had arrived in full. grpc-js 1.14 leaves them
 * open, and keeps what has arrived of the message, for as long as the client likes.
 */
function dropUnreadRequests(session: ServerHttp2Session): void {
  session.on("stream", (stream) => {
    stream.once("finish", () => {
      // After the turn in which the trailers are sent.
      if (!stream.readableEnded) setImmediate(() => stream.close());
    });
  });
}

/**
 * Sets this window on a server's connection. grpc-js 1.14 reads `grpc-node.flow_control_window` on clients only; once
 * its servers do (grpc/grpc-node#3058), that option replaces this.
 */
function widenReceiveWindow(session: ServerHttp2Session): void {
  session.settings({ initialWindowSize: RECEIVE_WINDOW_BYTES });
  session.setLocalWindowSize(RECEIVE_WINDOW_BYTES);
}
