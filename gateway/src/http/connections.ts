import { randomUUID } from "node:crypto";
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type ErrorCode, loopDoor } from "@hourglass/runtime";
import type { GatewaySettings } from "../config.js";
import { API_HEADERS, hasBody } from "./headers.js";
import { JSON_TYPE } from "./reply.js";
import type { RequestContext } from "./request-context.js";

/** A connection with more waiting requests than this is cut. */
const WAITING_REQUESTS_MAX = 1000;
/** A connection is also cut if its next request would raise the waiting requests of all connections above this size. */
const WAITING_BYTES_MAX = 67_108_864;
/** Memory that Node uses per request besides its text. */
const REQUEST_BYTES = 4096;
/** Bytes that Node reads ahead of a body. */
const BODY_AHEAD_BYTES = 65_536;

/** Code under which connections cut for excessive pipelining are counted. */
export const PIPELINING_CUT = "too_many_pipelined";

/** A request whose headers have arrived. */
export interface Arrival {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** The client waits for 100 Continue before it sends the body (Expect: 100-continue). */
  readonly awaitsContinue: boolean;
}

/** Starts the work on a request; `ended` must be called once, when the request is over. */
export type BeginRequest = (arrival: Arrival, ended: () => void) => RequestContext;

interface ConnectionsOptions {
  readonly begin: BeginRequest;
  /** Called for every connection that is cut because of too many waiting requests. */
  readonly onCut: () => void;
  /** How long a refused client may continue to send, so that it reads the response. */
  readonly lingerMs: number;
}

interface Shared extends ConnectionsOptions {
  waitingRequests: number;
  waitingBytes: number;
}

interface Waiting {
  readonly arrival: Arrival;
  readonly bytes: number;
}

/** The open connections of a server, and the requests waiting on them. */
export class Connections {
  private readonly bySocket = new Map<Duplex, Connection>();
  private readonly shared: Shared;

  constructor(options: ConnectionsOptions) {
    this.shared = { ...options, waitingRequests: 0, waitingBytes: 0 };
  }

  /** Number of open connections. */
  get open(): number {
    return this.bySocket.size;
  }

  /** Number of requests that wait for an earlier one on their connection. */
  get waitingRequests(): number {
    return this.shared.waitingRequests;
  }

  add(socket: Socket): void {
    this.bySocket.set(socket, new Connection(socket, this.shared));
    socket.once("close", () => this.bySocket.delete(socket));
  }

  /** The open connection of a socket. */
  of(socket: Duplex): Connection | undefined {
    return this.bySocket.get(socket);
  }
}

/** Node closes a connection after this many requests, which redistributes clients over servers. */
const REQUESTS_PER_CONNECTION_MAX = 10_000;
const CONNECTIONS_MAX = 10_000;
const HEADER_BYTES_MAX = 16_384;
/** Bodies are limited by their pace; this limit only catches what that misses. */
const REQUEST_TIMEOUT_MS = 3_600_000;

/** Creates the server whose connections these are. */
export function createHttpServer(settings: Required<GatewaySettings>, connections: Connections): Server {
  const { headersTimeoutMs, keepAliveMs } = settings;
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: Math.min(1000, headersTimeoutMs / 4),
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: HEADER_BYTES_MAX,
    // Refused later instead, in the same form as all failures.
    requireHostHeader: false,
  });
  server.maxRequestsPerSocket = REQUESTS_PER_CONNECTION_MAX;
  server.maxConnections = CONNECTIONS_MAX;
  const accept = (awaitsContinue: boolean) => (req: IncomingMessage, res: ServerResponse) =>
    connections.of(req.socket)?.arrive({ req, res, awaitsContinue });
  server.on("connection", (socket) => connections.add(socket));
  server.on("request", accept(false));
  server.on("checkContinue", accept(true));
  server.on("checkExpectation", accept(false));
  server.on("connect", (_req, socket) => {
    if (connections.of(socket)?.isBusy === true) socket.destroy();
    else refuseTunnel(socket, settings.lingerMs);
  });
  server.on("clientError", (error, socket) => connections.of(socket)?.refuse(error));
  return server;
}

/** Who sent the request, as far as its headers say. */
function callerOf({ headers, socket }: IncomingMessage): string {
  return headers.authorization ?? headers.cookie ?? socket.remoteAddress ?? "";
}

/**
 * Processes the requests of one connection in turn: the next one begins once the previous response has been sent. Until
 * then only its headers take memory. Node reports a closed connection only to the first response of a pipeline, so no
 * other one is begun.
 */
class Connection {
  /** The next request to begin, at the door of the event loop. */
  private entering: Arrival | undefined;
  private current: RequestContext | undefined;
  private readonly waiting: Waiting[] = [];
  private malformed: Error | undefined;
  /** Its last response has been sent; what still arrives is ignored. */
  private refused = false;

  constructor(
    private readonly socket: Socket,
    private readonly shared: Shared,
  ) {
    socket.once("close", () => this.closed());
  }

  /** Whether a response is outstanding on the connection. */
  get isBusy(): boolean {
    return this.current !== undefined || this.entering !== undefined || this.waiting.length > 0;
  }

  arrive(arrival: Arrival): void {
    // Requests read in the same chunk as the one that cut the connection still arrive here.
    if (this.socket.destroyed || this.refused) return;
    if (this.isBusy) {
      this.queue({ arrival, bytes: bytesOf(arrival.req) });
      return;
    }
    this.entering = arrival;
    loopDoor.enter(callerOf(arrival.req), () => this.begin(arrival));
  }

  /** Handles input that is not HTTP: answers with an error after the outstanding responses. */
  refuse(error: NodeJS.ErrnoException): void {
    if (this.entering?.req.complete === false) this.entering = undefined;
    if (!this.isBusy || error.code === "ECONNRESET") {
      this.reject(error);
    } else if (this.current?.req.complete !== false) {
      this.malformed ??= error;
      if (this.waiting.at(-1)?.arrival.req.complete === false) this.forget(this.waiting.pop());
    } else if (this.current.res.headersSent) {
      this.socket.destroy();
    } else {
      this.reject(error);
    }
  }

  private reject(error: NodeJS.ErrnoException): void {
    if (error.code === "ECONNRESET") this.socket.destroy();
    else if (!this.refused) refuseMalformed(error, this.socket, this.shared.lingerMs);
    this.refused = true;
  }

  private begin(arrival: Arrival): void {
    if (this.entering !== arrival) return; // malformed, or the connection is closed
    this.entering = undefined;
    this.current = this.shared.begin(arrival, () => this.next());
  }

  private next(): void {
    this.current = undefined;
    if (this.socket.destroyed) return;
    const waiting = this.waiting.shift();
    if (waiting === undefined) {
      if (this.malformed !== undefined) this.reject(this.malformed);
      return;
    }
    this.forget(waiting);
    const { arrival } = waiting;
    this.entering = arrival;
    loopDoor.enterLater(callerOf(arrival.req), () => this.begin(arrival));
  }

  private queue(waiting: Waiting): void {
    const { shared } = this;
    if (this.waiting.length >= WAITING_REQUESTS_MAX || shared.waitingBytes + waiting.bytes > WAITING_BYTES_MAX) {
      shared.onCut();
      this.socket.resetAndDestroy(); // most clients that do this do not read
      return;
    }
    this.waiting.push(waiting);
    shared.waitingRequests++;
    shared.waitingBytes += waiting.bytes;
  }

  private forget(waiting: Waiting | undefined): void {
    if (waiting === undefined) return;
    this.shared.waitingRequests--;
    this.shared.waitingBytes -= waiting.bytes;
  }

  private closed(): void {
    this.entering = undefined;
    for (const waiting of this.waiting.splice(0)) this.forget(waiting);
    this.current?.end();
  }
}

function bytesOf(req: IncomingMessage): number {
  let bytes = REQUEST_BYTES + (req.url?.length ?? 0);
  for (const text of req.rawHeaders) bytes += text.length;
  return hasBody(req) ? bytes + BODY_AHEAD_BYTES : bytes;
}

interface Refusal {
  status: 400 | 405 | 408 | 413 | 431;
  code: ErrorCode;
  error: string;
  allow?: string;
}

const NO_PROXY: Refusal = {
  status: 405,
  code: "method_not_allowed",
  error: "CONNECT is not possible here: this server is no proxy. Use the routes listed at /openapi.json.",
  allow: "",
};

const MALFORMED: Refusal = {
  status: 400,
  code: "malformed_request",
  error: "The request is not valid HTTP. Send it by HTTP/1.1.",
};

const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: "headers_too_large",
    error: "The headers of the request are too large. Send fewer or shorter ones.",
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: "body_too_large",
    error: "The chunk extensions are too large. Send chunks without any.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: "request_timeout",
    error: "The request did not arrive in time. Send it again.",
  },
};

/**
 * Answers input that Node's parser refused before there was a request, in the same form as every route; then closes,
 * at the latest after `lingerMs`.
 */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex, lingerMs: number): void {
  if (!socket.writable) socket.destroy();
  else refuse(socket, REFUSALS[error.code ?? ""] ?? MALFORMED, lingerMs);
}

/** Answers a CONNECT: this server is no proxy. */
function refuseTunnel(socket: Duplex, lingerMs: number): void {
  refuse(socket, NO_PROXY, lingerMs);
}

function refuse(socket: Duplex, { status, code, error, allow }: Refusal, lingerMs: number): void {
  const requestId = randomUUID();
  const body = JSON.stringify({ error, code, request_id: requestId });
  const more = allow === undefined ? [] : ["Allow", allow];
  const headers = [...API_HEADERS, ...more, "X-Request-Id", requestId, "Content-Type", JSON_TYPE];
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`];
  for (let index = 0; index < headers.length; index += 2) {
    lines.push(`${headers[index] ?? ""}: ${headers[index + 1] ?? ""}`);
  }
  lines.push(`Content-Length: ${Buffer.byteLength(body)}`, "Connection: close", "", body);
  socket.on("error", () => socket.destroy()); // the client may disconnect at any time
  socket.end(lines.join("\r\n"));
  // The client may still be sending. With anything unread, closing would break the connection and take the response
  // away from the client.
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
  socket.resume();
}
