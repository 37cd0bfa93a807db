import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Fault } from "./fault.js";
import type { Reply, UpstreamRequest } from "./exchange.js";
import { sendFault, sendReply, signInReply } from "./send.js";

/** Bytes of a request's body. */
const BODY_MAX = 1_000_000;
/** The demo runs for as long as somebody looks at it. */
const SEEN_MAX = 10_000;

/**
 * A loopback server that stands for a platform: it answers by a function, keeps what it was asked, and misbehaves when it
 * is told to.
 */
export class UpstreamServer {
  /** The last requests, oldest first, those included that got a fault. */
  readonly seen: UpstreamRequest[] = [];
  private readonly faults: Fault[] = [];
  private lasting: Fault | undefined;
  private readonly server = http.createServer((request, response) => void this.serve(request, response));

  private constructor(
    private readonly answer: (request: UpstreamRequest) => Reply,
    private readonly sparedPath: string | undefined,
  ) {}

  /**
   * Starts a server on the loopback address. Default port: any free one. Requests of `sparedPath`, such as those for tokens,
   * get no faults.
   */
  static async start(
    answer: (request: UpstreamRequest) => Reply,
    port = 0,
    sparedPath?: string,
  ): Promise<UpstreamServer> {
    const started = new UpstreamServer(answer, sparedPath);
    await new Promise<void>((resolve) => started.server.listen(port, "127.0.0.1", resolve));
    return started;
  }

  /** Such as `http://127.0.0.1:40001`. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The next requests get these faults, one each. */
  failNext(...faults: readonly Fault[]): void {
    this.faults.push(...faults);
  }

  /** All requests get this fault from now on; undefined: none does. */
  failAlways(fault: Fault | undefined): void {
    this.lasting = fault;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    const request = await readRequest(incoming);
    this.seen.push(request);
    if (this.seen.length > SEEN_MAX) this.seen.shift();
    const isSpared = signInReply(request.path) !== undefined || request.path === this.sparedPath;
    const fault = isSpared ? undefined : (this.faults.shift() ?? this.lasting);
    const reply = (): Reply => signInReply(request.path) ?? this.answer(request);
    if (fault === undefined) sendReply(response, reply());
    else sendFault(response, fault, reply);
  }
}

async function readRequest(incoming: IncomingMessage): Promise<UpstreamRequest> {
  const { method = "GET", url = "/", headers } = incoming;
  const { pathname, searchParams } = new URL(url, "http://upstream.invalid");
  let body = "";
  for await (const chunk of incoming.setEncoding("utf8")) if (body.length < BODY_MAX) body += String(chunk);
  return { method, path: pathname, query: searchParams, headers, body };
}
