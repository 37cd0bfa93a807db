import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import {
  AppError,
  callerIdOf,
  isTracing,
  loopWatch,
  startSpan,
  type Logger,
  type MeasuredRequest,
  type Principal,
  type Span,
  type TraceContext,
} from "@hourglass/runtime";
import type { GatewaySettings } from "../config.js";
import type { ReadClientAddress } from "./client-address.js";
import { isShed, type Quota } from "./errors.js";
import { sameName, type Rename } from "./field-errors.js";
import type { HeaderList } from "./headers.js";
import type { LargeRecords } from "./large-records.js";
import type { Budget, CallerId, Holder, SlowTransfers, Transfer } from "./limits.js";

/** Called for every request once its response has been sent or its client has disconnected. */
export type ObserveRequest = (request: MeasuredRequest) => void;

/** Parameters of a path. */
export interface PathParams {
  readonly id?: string;
  readonly asset?: string;
  readonly key?: string;
  readonly token?: string;
  /** The rest of the path, of a route for all that begin alike. */
  readonly path?: readonly string[];
}

/** Kinds of records that the log lines of requests name, as `operationId` and so on. */
export type RecordKind = "operation" | "file" | "insight" | "export";

/** What all requests of a gateway share. */
export interface GatewayState {
  readonly log: Logger;
  /** Logs one line per request. */
  readonly requestLog: Logger;
  readonly settings: Required<GatewaySettings>;
  readonly clientAddressOf: ReadClientAddress;
  readonly slowTransfers: SlowTransfers;
  readonly budget: Budget;
  readonly largeRecords: LargeRecords;
  readonly observe: ObserveRequest;
  /** Counts refusals because of overload, by code. */
  readonly countShed: (code: string) => void;
  /** Requests whose response has not been sent. */
  readonly open: Set<RequestContext>;
  /** If true: no new connections, no waiting. */
  stopping: boolean;
}

/** Status in logs and metrics for a client that disconnected before its response; never sent. */
const CLIENT_LEFT = 499;
const UNMATCHED = "unmatched";
const NO_HEADERS: HeaderList = [];
const NO_PARAMS: PathParams = {};
const SANE_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** One request and its response. */
export class RequestContext implements Transfer, Holder {
  readonly requestId: string;
  /** Reported by trusted proxies, if there are any. */
  readonly clientAddress: string;
  /** Undefined with tracing off. */
  readonly span: Span | undefined;
  /** Pattern of the path, never the path itself: it labels metrics. */
  route = UNMATCHED;
  principal: Principal | undefined;
  /** The caller's access token, which services check again; empty on open routes. */
  token = "";
  /** Parameters of the path. */
  params: PathParams = NO_PARAMS;
  /** The body as its route declares it, once it has been read. */
  body: unknown;
  /** The record that the request created or is about, for the log. */
  recordKind: RecordKind | undefined;
  /** How its route names the fields of the contract. */
  rename: Rename = sameName;
  recordId: bigint | undefined;
  /** RateLimit headers of the response. */
  rateHeaders: HeaderList = NO_HEADERS;
  /** Named in the headers if the service refuses with `too-many`. */
  quota: Quota | undefined;
  heldBytes = 0;
  /** The client waits for 100 Continue before it sends its body (Expect: 100-continue). */
  awaitsContinue = false;
  /** The rest of the body is not read: the client was too slow. */
  abandoned = false;
  /** The client asked to wait for the end of a job: its time is counted apart. */
  waited = false;
  /** The body may be as large as a file. */
  sendsFile = false;

  private readonly startedAt = performance.now();
  private over = false;
  private hungUp = false;
  private leaving: AbortController | undefined;
  private waiting: AbortController | undefined;
  /** Whether an incoming body waits for the client; undefined if there is none. */
  private inbound: (() => boolean) | undefined;
  private transferred: () => number = none;
  private onCut: () => void = nothing;

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    readonly gateway: GatewayState,
    /** Called once when the request is over. */
    private readonly onEnd: () => void,
  ) {
    const id = req.headers["x-request-id"];
    this.requestId = typeof id === "string" && SANE_ID.test(id) ? id : randomUUID();
    this.clientAddress = gateway.clientAddressOf(req);
    this.span = startRequestSpan(req, this.requestId);
    gateway.open.add(this);
    res.on("close", () => this.end());
  }

  get callerId(): CallerId | undefined {
    return this.principal === undefined ? undefined : callerIdOf(this.principal);
  }

  /** Whether the client no longer waits for the response. */
  get isOver(): boolean {
    return this.over || this.res.destroyed;
  }

  /** Notes that a piece of the work for this request has just been done, in case it made the event loop stand still. */
  noteWork(): void {
    loopWatch.note({ route: this.route, companyId: this.principal?.companyId });
  }

  /** Aborted when the client disconnects before it has its response. Created on demand: few requests need it. */
  get clientLeft(): AbortSignal {
    this.leaving ??= new AbortController();
    if (this.isOver) this.leaving.abort();
    return this.leaving.signal;
  }

  /** Aborted when waiting is pointless: the client has disconnected or the gateway stops. */
  get patience(): AbortSignal {
    this.waiting ??= new AbortController();
    if (this.isOver || this.gateway.stopping) this.waiting.abort();
    return this.waiting.signal;
  }

  /** Ends all waits on `patience`. */
  hurry(): void {
    this.waiting?.abort();
  }

  /** Asks a client that waits for 100 Continue to send its body. */
  sendContinue(): void {
    if (!this.awaitsContinue) return;
    this.awaitsContinue = false;
    this.res.writeContinue();
  }

  /** Watches the incoming body; `cut` is called if it is too slow while it is the client's turn. */
  receiving(moved: () => number, cut: () => void, clientsTurn: () => boolean = always): void {
    this.inbound = clientsTurn;
    this.transfer(moved, cut);
  }

  /** Watches the outgoing response; by default, what its socket has sent from now on. */
  sending(moved = sentSince(this.req.socket)): void {
    this.inbound = undefined;
    this.transfer(moved, () => this.reset());
  }

  /** Stops watching the body, which has arrived. */
  received(): void {
    this.gateway.slowTransfers.delete(this);
  }

  get clientsTurn(): boolean {
    if (this.inbound !== undefined) return this.inbound();
    return this.req.socket.writableLength > 0; // otherwise the next piece comes from a service
  }

  moved(): number {
    return this.transferred();
  }

  cut(): void {
    this.onCut();
  }

  /** Ends this side of the connection after a whole response; what the client still sends is read. */
  hangUp(): void {
    this.hungUp = true;
    this.req.socket.end();
  }

  /** Closes the connection; what has been written still reaches the client. */
  disconnect(): void {
    this.req.socket.destroy();
  }

  /**
   * Ends the connection together with what the client has not read. A plain close would leave that to the kernel, which
   * keeps megabytes for minutes for a client that does not read.
   */
  reset(): void {
    this.req.socket.resetAndDestroy();
  }

  /**
   * The failure to answer this request with. A refusal because of overload is counted; an unexpected error is logged in
   * full, for the client gets none of its internals. Errors of services have been logged where they occurred.
   */
  failure(error: unknown): AppError {
    const { log, countShed } = this.gateway;
    const failure = AppError.from(error);
    if (isShed(failure)) countShed(failure.code);
    if (failure !== error) log.error({ err: error, request_id: this.requestId }, "request failed");
    return failure;
  }

  /** Releases all that the request holds: its response has been sent, or its connection is closed. Runs only once. */
  end(): void {
    if (this.over) return;
    this.over = true;
    const { open, slowTransfers, budget } = this.gateway;
    open.delete(this);
    slowTransfers.delete(this);
    budget.release(this);
    if (!this.res.writableFinished) {
      this.leaving?.abort();
      this.waiting?.abort();
    }
    this.noteWork();
    this.report();
    this.onEnd();
  }

  private transfer(moved: () => number, cut: () => void): void {
    if (this.isOver) return;
    this.transferred = moved;
    this.onCut = cut;
    this.gateway.slowTransfers.add(this);
  }

  private record(): Record<string, number> | undefined {
    const { recordKind, recordId } = this;
    return recordKind === undefined || recordId === undefined ? undefined : { [`${recordKind}Id`]: Number(recordId) };
  }

  private report(): void {
    const { requestLog, observe } = this.gateway;
    const complete = this.hungUp || this.res.writableFinished;
    const status = complete || this.res.headersSent ? this.res.statusCode : CLIENT_LEFT;
    const ms = performance.now() - this.startedAt;
    const method = this.req.method ?? "";
    observe({ method, route: this.route, status, waited: this.waited, seconds: ms / 1000 });
    if (this.span !== undefined) {
      endRequestSpan(this.span, this.req, { route: this.route === UNMATCHED ? undefined : this.route, status });
    }
    requestLog.info(
      {
        request_id: this.requestId,
        method,
        route: this.route,
        status,
        ms: Math.round(ms * 10) / 10,
        user_id: this.principal?.userId,
        ...(this.principal?.key === undefined ? undefined : { key_id: this.principal.key.id }),
        client_address: this.clientAddress,
        ...this.record(),
        ...(complete ? undefined : { incomplete: true }),
        ...(this.span === undefined ? undefined : { trace_id: this.span.traceId }),
      },
      "request",
    );
  }
}

function sentSince(socket: Socket): () => number {
  const sent = () => socket.bytesWritten - socket.writableLength;
  const before = sent();
  return () => sent() - before;
}

/** The path that a request names, without its query. */
export function pathOf({ url = "" }: IncomingMessage): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

function none(): number {
  return 0;
}

function always(): boolean {
  return true;
}

function nothing(): void {
  // Replaced once there is something to cut.
}

/** Orchestrators and monitors poll these paths all the time; the traces would be noise. */
const UNTRACED: readonly string[] = ["/healthz", "/readyz", "/metrics"];
/** All other methods are reported as one, as OpenTelemetry specifies. */
const METHODS: readonly (string | undefined)[] = "GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH".split(" ");
const OTHER_METHOD = "_OTHER";
const SERVER_FAILURE = 500;

/** The outcome of a request. */
interface Answered {
  /** Pattern of the path; undefined if none matches. */
  route: string | undefined;
  status: number;
}

/**
 * Begins the span of a request, in the trace of its client if it names one; undefined if tracing is off. The path, the
 * query and the headers are omitted, since they may contain private data.
 */
function startRequestSpan(req: IncomingMessage, requestId: string): Span | undefined {
  if (!isTracing() || UNTRACED.includes(pathOf(req))) return undefined;
  const method = methodOf(req);
  return startSpan({
    name: nameOf(method),
    kind: "server",
    parent: traceOf(req),
    attributes: {
      "http.request.method": method,
      "url.scheme": "http",
      "network.protocol.version": req.httpVersion,
      "hourglass.request_id": requestId,
    },
  });
}

/** Ends the span of a request once its response has been sent or its client has disconnected. */
function endRequestSpan(span: Span, req: IncomingMessage, { route, status }: Answered): void {
  span.set({ "http.response.status_code": status });
  if (route !== undefined) {
    span.rename(`${nameOf(methodOf(req))} ${route}`);
    span.set({ "http.route": route });
  }
  if (status >= SERVER_FAILURE) span.fail(String(status));
  span.end();
}

function methodOf({ method }: IncomingMessage): string {
  return method !== undefined && METHODS.includes(method) ? method : OTHER_METHOD;
}

function nameOf(method: string): string {
  return method === OTHER_METHOD ? "HTTP" : method;
}

function traceOf({ headers }: IncomingMessage): TraceContext | null {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== "string") return null;
  return typeof tracestate === "string" ? { traceparent, tracestate } : { traceparent };
}
