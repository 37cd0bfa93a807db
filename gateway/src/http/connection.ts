import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Exchange } from "./exchange.js";
import { LoopTurns } from "./loop-turns.js";
import { answerMalformed } from "./raw-answer.js";
import { hasBody } from "./request-headers.js";

/** A connection on which more requests wait than this is cut. */
const WAITING_REQUESTS_MAX = 1000;
/** So is one that brings more while the waiting requests of all connections take so many bytes. */
const WAITING_BYTES_MAX = 67_108_864;
/** What Node makes of one request, beside its text. */
const REQUEST_BYTES = 4096;
/** What Node reads of a body that nobody asks for yet. */
const BODY_AHEAD_BYTES = 65_536;

/** So many waiting requests are begun in a turn of the event loop; a client that waits for each answer needs no turn. */
const BEGUN_PER_TURN = 4;

/** The code under which a connection that is cut for pipelining too much is counted. */
export const PIPELINING_CUT = "too_many_pipelined";

/** A request whose headers have arrived. */
export interface Arrival {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** The client sends the body only when told to (Expect: 100-continue). */
  readonly awaitsContinue: boolean;
}

/** Starts the work on a request; `ended` is to be called once, when the exchange is over. */
export type BeginExchange = (arrival: Arrival, ended: () => void) => Exchange;

interface Shared {
  readonly begin: BeginExchange;
  /** Told of every connection that is cut because too many requests wait on it. */
  readonly onCut: () => void;
  /** Connections take turns. */
  readonly turns: LoopTurns<Connection>;
  waitingRequests: number;
  waitingBytes: number;
}

interface Waiting {
  readonly arrival: Arrival;
  readonly bytes: number;
}

/** The open connections of a server, and the requests that wait on them. */
export class Connections {
  private readonly bySocket = new Map<Duplex, Connection>();
  private readonly shared: Shared;

  constructor(begin: BeginExchange, onCut: () => void) {
    this.shared = { begin, onCut, turns: new LoopTurns(BEGUN_PER_TURN), waitingRequests: 0, waitingBytes: 0 };
  }

  /** How many connections are open. */
  get open(): number {
    return this.bySocket.size;
  }

  /** How many requests wait for an earlier one on their connection. */
  get waitingRequests(): number {
    return this.shared.waitingRequests;
  }

  add(socket: Duplex): void {
    this.bySocket.set(socket, new Connection(socket, this.shared));
    socket.once("close", () => this.bySocket.delete(socket));
  }

  /** The open connection of a socket. */
  of(socket: Duplex): Connection | undefined {
    return this.bySocket.get(socket);
  }
}

/**
 * Takes the requests of one connection in turn: the next one is begun when the answer before it has gone out. Until
 * then it takes its headers and nothing else. Of the answers of a pipeline Node tells only the first one that the
 * connection is closed; so no other one is begun.
 */
export class Connection {
  private current: Exchange | undefined;
  private readonly waiting: Waiting[] = [];
  private malformed: Error | undefined;

  constructor(
    private readonly socket: Duplex,
    private readonly shared: Shared,
  ) {
    socket.once("close", () => this.closed());
  }

  /** Whether an answer is due on it. */
  get isBusy(): boolean {
    return this.current !== undefined || this.waiting.length > 0;
  }

  /** A request has arrived. */
  arrive(arrival: Arrival): void {
    // What was read together with the requests that the connection was cut for still comes here.
    if (this.socket.destroyed) return;
    if (!this.isBusy) this.begin(arrival);
    else this.queue({ arrival, bytes: bytesOf(arrival.req) });
  }

  /** What came is not HTTP: answers so, after the answers that are due. */
  refuse(error: NodeJS.ErrnoException): void {
    if (!this.isBusy || error.code === "ECONNRESET") {
      answerMalformed(error, this.socket);
    } else if (this.current?.req.complete !== false) {
      this.malformed ??= error;
      if (this.waiting.at(-1)?.arrival.req.complete === false) this.forget(this.waiting.pop());
    } else if (this.current.res.headersSent) {
      this.socket.destroy();
    } else {
      answerMalformed(error, this.socket);
    }
  }

  private begin(arrival: Arrival): void {
    this.current = this.shared.begin(arrival, () => this.next());
  }

  private next(): void {
    this.current = undefined;
    if (this.socket.destroyed) return;
    if (this.waiting.length > 0) this.shared.turns.take(this, () => this.beginWaiting());
    else if (this.malformed !== undefined) answerMalformed(this.malformed, this.socket);
  }

  private beginWaiting(): void {
    const waiting = this.waiting.shift();
    if (waiting === undefined) {
      this.next(); // the only one that waited was malformed, or the connection is closed
      return;
    }
    this.forget(waiting);
    this.begin(waiting.arrival);
  }

  private queue(waiting: Waiting): void {
    const { shared } = this;
    if (this.waiting.length >= WAITING_REQUESTS_MAX || shared.waitingBytes + waiting.bytes > WAITING_BYTES_MAX) {
      shared.onCut();
      this.socket.destroy();
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
    for (const waiting of this.waiting.splice(0)) this.forget(waiting);
    this.current?.end();
  }
}

function bytesOf(req: IncomingMessage): number {
  let bytes = REQUEST_BYTES + (req.url?.length ?? 0);
  for (const text of req.rawHeaders) bytes += text.length;
  return hasBody(req) ? bytes + BODY_AHEAD_BYTES : bytes;
}
