import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A fake of a platform: a loopback server to which a subclass responds. */
export abstract class Upstream {
  private server: UpstreamServer | undefined;

  /** Such as `http://127.0.0.1:40001`. */
  get origin(): string {
    return this.running.origin;
  }

  /** Every request, oldest first, those included that got a fault. */
  get seen(): readonly UpstreamRequest[] {
    return this.running.seen;
  }

  /** The next requests get these faults, one each. Requests of the spared path, such as those for tokens, get none. */
  failNext(...faults: readonly Fault[]): void {
    this.running.failNext(...faults);
  }

  /** All requests get this fault from now on, except those of the spared path; undefined: none does. */
  failAlways(fault: Fault | undefined): void {
    this.running.failAlways(fault);
  }

  close(): Promise<void> {
    return this.running.close();
  }

  /** The reply to a request that gets no fault, or to one whose fault spoils the reply. */
  protected abstract respond(request: UpstreamRequest): Reply;

  /** Starts the server. Default port: any free one; `sparedPath` is that of `UpstreamServer.start`. */
  protected async listen(port?: number, sparedPath?: string): Promise<this> {
    this.server = await UpstreamServer.start((request) => this.respond(request), port, sparedPath);
    return this;
  }

  private get running(): UpstreamServer {
    if (this.server === undefined) throw new Error("the upstream has not been started");
    return this.server;
  }
}

/** Bytes of a request's body. */
const BODY_MAX = 1_000_000;
/** The demo may run for days. */
const SEEN_MAX = 10_000;

/** A loopback server that stands for a platform: it responds by a function, records requests, and has faults on command. */
export class UpstreamServer {
  /** The last requests, oldest first, those included that got a fault. */
  readonly seen: UpstreamRequest[] = [];
  private readonly faults: Fault[] = [];
  private lasting: Fault | undefined;
  private readonly server = http.createServer((request, response) => void this.serve(request, response));

  private constructor(
    private readonly respond: (request: UpstreamRequest) => Reply,
    private readonly sparedPath: string | undefined,
  ) {}

  /**
   * Starts a server on the loopback address. Default port: any free one. Requests of `sparedPath`, such as those for tokens,
   * get no faults.
   */
  static async start(
    respond: (request: UpstreamRequest) => Reply,
    port = 0,
    sparedPath?: string,
  ): Promise<UpstreamServer> {
    const started = new UpstreamServer(respond, sparedPath);
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
    const reply = (): Reply => signInReply(request.path) ?? this.respond(request);
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

/** A request as a server got it. */
export interface UpstreamRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A response of a server. A body that is neither a string nor bytes is sent as JSON, a bigint in it with all its digits. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What a server does instead of responding properly. */
export type Fault =
  /** Responds with this status; a body that is no string is sent as JSON. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  /** Responds 200 with a web page. */
  | { readonly kind: "web-page" }
  /** Redirects to a page that asks people to sign in; on this server, or at the given address. */
  | { readonly kind: "sign-in-page"; readonly at?: string }
  /** Responds 200 with half of the JSON. */
  | { readonly kind: "broken-json" }
  /** Responds 200 without a body. */
  | { readonly kind: "empty" }
  /** Sends spaces, which JSON allows, before the response. */
  | { readonly kind: "padded"; readonly bytes: number }
  /** Sends spaces without end. */
  | { readonly kind: "endless" }
  /** Accepts the request and never responds. */
  | { readonly kind: "silent" }
  /** Sends half of the response and then nothing more. */
  | { readonly kind: "stalled" }
  /** Closes the connection within the response. */
  | { readonly kind: "cut" }
  /** Changes the JSON of the response. */
  | { readonly kind: "changed"; readonly change: (body: unknown) => unknown };

const SIGN_IN_PATH = "/sign-in";
const WEB_PAGE = "<!doctype html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>";
const CHUNK = Buffer.alloc(65_536, " ");

/** Sends a reply as it is. */
function sendReply(response: ServerResponse, { status = 200, headers = {}, body }: Reply): void {
  const isText = typeof body === "string";
  const type = isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8";
  response.writeHead(status, { "Content-Type": type, ...headers });
  response.end(contentOf(body));
}

/** Does what a fault says; `reply` makes the response that it spoils. */
function sendFault(response: ServerResponse, fault: Fault, reply: () => Reply): void {
  switch (fault.kind) {
    case "status":
      return sendReply(response, { ...fault, body: fault.body ?? {} });
    case "web-page":
      return sendReply(response, { headers: { "Content-Type": "text/html" }, body: WEB_PAGE });
    case "sign-in-page":
      return sendSignIn(response, fault.at);
    case "empty":
      return sendReply(response, { body: "" });
    case "changed": {
      const good = reply();
      return sendReply(response, { ...good, body: fault.change(good.body) });
    }
    case "silent":
      return;
    default:
      return sendSpoiled(response, fault, reply());
  }
}

type Spoiling = Extract<Fault, { kind: "broken-json" | "padded" | "endless" | "stalled" | "cut" }>;

function sendSpoiled(response: ServerResponse, fault: Spoiling, { status = 200, headers = {}, body }: Reply): void {
  const content = contentOf(body);
  const half = content.slice(0, Math.ceil(content.length / 2));
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8", ...headers });
  if (fault.kind === "broken-json") response.end(half);
  else if (fault.kind === "padded") pad(response, fault.bytes, () => response.end(content));
  else if (fault.kind === "endless") pad(response, Infinity, () => undefined);
  else response.write(half, () => (fault.kind === "cut" ? response.destroy() : undefined));
}

/** Sends spaces as fast as they are taken. */
function pad(response: ServerResponse, bytes: number, done: () => void): void {
  let left = bytes;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= CHUNK.length;
      if (!response.write(CHUNK)) return void response.once("drain", more);
    }
    if (!response.destroyed) done();
  };
  more();
}

/** A browser that follows the redirect gets a web page with status 200: the sign-in page redirects nowhere. */
function sendSignIn(response: ServerResponse, at: string = SIGN_IN_PATH): void {
  sendReply(response, { status: 302, headers: { Location: at }, body: "" });
}

/** The page to which `sign-in-page` redirects; undefined for requests of other paths. */
function signInReply(path: string): Reply | undefined {
  return path === SIGN_IN_PATH ? { headers: { "Content-Type": "text/html" }, body: WEB_PAGE } : undefined;
}

function contentOf(body: unknown): string | Uint8Array {
  return typeof body === "string" || body instanceof Uint8Array ? body : toJson(body);
}

const BIGINT = "\u0000bigint:";
const BIGINTS = /"\\u0000bigint:(-?\d+)"/g;

/** A value as JSON. A bigint becomes a number with all its digits, as platforms with ids of 64 bits send them. */
export function toJson(value: unknown): string {
  const replace = (_key: string, each: unknown): unknown => (typeof each === "bigint" ? `${BIGINT}${each}` : each);
  return JSON.stringify(value, replace).replaceAll(BIGINTS, "$1");
}

/** State of a window of requests after a request. */
export interface WindowState {
  readonly isExceeded: boolean;
  readonly limit: number;
  readonly left: number;
  /** When the window ends, in milliseconds since the epoch. */
  readonly resetAt: number;
}

/** Counts requests in windows of fixed length, as platforms do. */
export class RequestWindow {
  private start = -Infinity;
  private used = 0;

  constructor(
    public limit: number,
    private readonly lengthMs: number,
    private readonly now: () => number,
  ) {}

  /** Counts one request; a request beyond the limit is not counted. */
  take(): WindowState {
    if (this.now() >= this.start + this.lengthMs) {
      this.start = this.now();
      this.used = 0;
    }
    const isExceeded = this.used >= this.limit;
    if (!isExceeded) this.used += 1;
    return { isExceeded, limit: this.limit, left: this.limit - this.used, resetAt: this.start + this.lengthMs };
  }
}
