import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger, Principal, Span } from "@hourglass/runtime";
import type { Quota } from "../errors.js";
import type { Budget, Holder } from "./budget.js";
import type { ReadClientAddress } from "./client-address.js";
import type { HeaderList } from "./headers.js";
import type { LargeRecords } from "./large-records.js";
import type { LoopTurns } from "./loop-turns.js";
import { endRequestSpan, startRequestSpan } from "./request-span.js";
import type { GatewaySettings } from "./settings.js";
import type { SlowTransfers, Transfer } from "./slow-transfers.js";

/** Called for every request once its answer has been sent or its client has left. */
export type ObserveRequest = (request: { method: string; route: string; status: number; seconds: number }) => void;

/** What all exchanges of one gateway share. */
export interface GatewayContext {
  readonly log: Logger;
  /** For one line about each request. */
  readonly requestLog: Logger;
  readonly settings: Required<GatewaySettings>;
  readonly clientAddressOf: ReadClientAddress;
  readonly slowTransfers: SlowTransfers;
  readonly budget: Budget;
  readonly largeRecords: LargeRecords;
  /** In which the pieces of large answers are made and sent, by their users in turn. */
  readonly pieceTurns: LoopTurns<number | undefined>;
  readonly observe: ObserveRequest;
  /** Told of what the gateway refuses because of too much to do, by its code. */
  readonly countShed: (code: string) => void;
  /** Exchanges whose answer has not been sent. */
  readonly open: Set<Exchange>;
  /** No new connections, no waiting. */
  stopping: boolean;
}

/** Status in log and metrics of an answer whose client did not wait for it; nobody is sent it. */
const CLIENT_LEFT = 499;
const UNMATCHED = "unmatched";
const NO_HEADERS: HeaderList = [];
const SANE_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** One request and its answer. */
export class Exchange implements Transfer, Holder {
  readonly requestId: string;
  /** Taken from trusted proxies where there are some. */
  readonly clientAddress: string;
  /** Undefined with tracing off. */
  readonly span: Span | undefined;
  /** Pattern of the path, never the path itself: it labels metrics. */
  route = UNMATCHED;
  principal: Principal | undefined;
  /** How much the user may still do. */
  rateHeaders: HeaderList = NO_HEADERS;
  /** Named when the service refuses because of too many. */
  quota: Quota | undefined;
  heldBytes = 0;
  /** The client sends its body only when told to (Expect: 100-continue). */
  awaitsContinue = false;
  /** The rest of the body is left unread: its client was too slow. */
  abandoned = false;
  /** The body may be as large as a file. */
  sendsFile = false;

  private readonly startedAt = performance.now();
  private over = false;
  private leaving: AbortController | undefined;
  private waiting: AbortController | undefined;
  /** Whether the body that comes waits for the client; undefined while none comes. */
  private inbound: (() => boolean) | undefined;
  private transferred: () => number = none;
  private onCut: () => void = nothing;

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    readonly context: GatewayContext,
    /** Told once when the exchange is over. */
    private readonly onEnd: () => void,
  ) {
    const id = req.headers["x-request-id"];
    this.requestId = typeof id === "string" && SANE_ID.test(id) ? id : randomUUID();
    this.clientAddress = context.clientAddressOf(req);
    this.span = startRequestSpan(req, this.requestId);
    context.open.add(this);
    res.on("close", () => this.end());
  }

  get userId(): number | undefined {
    return this.principal?.userId;
  }

  /** Whether nobody waits for the answer any more. */
  get isOver(): boolean {
    return this.over || this.res.destroyed;
  }

  /** Aborted when the client has left before it had its answer. Made when asked for: few need it. */
  get clientLeft(): AbortSignal {
    this.leaving ??= new AbortController();
    if (this.isOver) this.leaving.abort();
    return this.leaving.signal;
  }

  /** Aborted when there is no use in waiting: the client has left or the gateway stops. */
  get patience(): AbortSignal {
    this.waiting ??= new AbortController();
    if (this.isOver || this.context.stopping) this.waiting.abort();
    return this.waiting.signal;
  }

  /** Ends what waits on `patience`. */
  hurry(): void {
    this.waiting?.abort();
  }

  /** The body is on its way here; `cut` is told when it comes too slowly while it is the client's turn. */
  receiving(moved: () => number, cut: () => void, clientsTurn: () => boolean = always): void {
    this.inbound = clientsTurn;
    this.transfer(moved, cut);
  }

  /** The answer is on its way to the client. */
  sending(moved: () => number): void {
    this.inbound = undefined;
    this.transfer(moved, () => this.disconnect());
  }

  /** The body has arrived. */
  received(): void {
    this.context.slowTransfers.delete(this);
  }

  get clientsTurn(): boolean {
    if (this.inbound !== undefined) return this.inbound();
    return this.req.socket.writableLength > 0; // else the next piece comes from a service
  }

  moved(): number {
    return this.transferred();
  }

  cut(): void {
    this.onCut();
  }

  disconnect(): void {
    this.req.socket.destroy();
  }

  /** Gives back all that the exchange holds: its answer has gone out, or its connection is closed. Only once. */
  end(): void {
    if (this.over) return;
    this.over = true;
    const { open, slowTransfers, budget } = this.context;
    open.delete(this);
    slowTransfers.delete(this);
    budget.release(this);
    if (!this.res.writableFinished) {
      this.leaving?.abort();
      this.waiting?.abort();
    }
    this.report();
    this.onEnd();
  }

  private transfer(moved: () => number, cut: () => void): void {
    if (this.isOver) return;
    this.transferred = moved;
    this.onCut = cut;
    this.context.slowTransfers.add(this);
  }

  private report(): void {
    const { requestLog, observe } = this.context;
    const complete = this.res.writableFinished;
    const status = complete || this.res.headersSent ? this.res.statusCode : CLIENT_LEFT;
    const ms = performance.now() - this.startedAt;
    const method = this.req.method ?? "";
    observe({ method, route: this.route, status, seconds: ms / 1000 });
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
        user_id: this.userId,
        client_address: this.clientAddress,
        ...(complete ? undefined : { incomplete: true }),
        ...(this.span === undefined ? undefined : { trace_id: this.span.traceId }),
      },
      "request",
    );
  }
}

function none(): number {
  return 0;
}

function always(): boolean {
  return true;
}

function nothing(): void {
  // Replaced as soon as there is something to cut.
}
