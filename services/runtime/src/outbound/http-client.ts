import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { Attempt, HttpFailure } from "./http-attempt.js";
import { checkBody, readBody, type BodyOptions, type PaceLimit } from "./response-body.js";
import {
  addressesOf,
  bareHost,
  checkHost,
  lookupIn,
  parseUrl,
  resolveBySystem,
  type DestinationRules,
  type ResolveHost,
  refusal,
} from "./ssrf.js";

const BYTES_MAX = 10_000_000;
const TIMEOUT_MS = 15_000;
const REDIRECTS_MAX = 3;
const CONNECTIONS_MAX = 2;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const PERMANENT_REDIRECTS: ReadonlySet<number> = new Set([301, 308]);
/** Generous, so that a slow handshake does not exclude an address; the deadline bounds all attempts. */
const ADDRESS_ATTEMPT_MS = 2000;

export interface HttpClientOptions {
  /** Disables only the check of addresses; default false. */
  allowPrivateUrls?: boolean;
  /** For example `media.example.com` or `*.example.org`; also checked at every redirect. Default: any host. */
  allowedHosts?: readonly string[] | undefined;
  /** Origins set by the operator, such as `http://proxy.internal:8080`: they may have any address. Default: none. */
  trustedOrigins?: readonly string[];
  /** Limit of one body, after decompression; default 10 MB. */
  bytesMax?: number;
  /** Time limit from DNS lookup to the last byte, including the wait for the host and redirects; default 15 s. */
  timeoutMs?: number;
  /** Minimum rate of a body; default: only the deadline. */
  pace?: PaceLimit;
  /** Default 3. */
  redirectsMax?: number;
  /** Whether bodies may be compressed with gzip, br or deflate; default true. */
  compressed?: boolean;
  /** Connections to one host at a time, kept alive for further requests; 0 opens one per request. Default 2. */
  connectionsMax?: number;
  /** Least time from one request to a host to the next, in milliseconds; default 0. */
  gapMs?: number;
  userAgent?: string;
  /** Default: the system's resolver. */
  resolve?: ResolveHost;
  /** Opens the connection to an address that `options.lookup` gives; default: as node:http and node:https do. */
  connect?: NonNullable<RequestOptions["createConnection"]>;
}

export interface HttpRequest {
  /** Default GET. Redirects are followed for GET and HEAD; for other methods they are returned as the response. */
  method?: string;
  /** On a redirect to another origin, only `accept` is sent. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Cancels the request and the reading of its body, which then reject with the signal's reason. */
  signal?: AbortSignal;
}

/** A response of any status. The deadline includes the reading of the body: read it at once, or call `close`. */
export interface HttpAnswer {
  /** The final URL after all redirects. */
  readonly url: string;
  /** The URL to use from now on: where the permanent redirects lead that precede any temporary one. */
  readonly permanentUrl: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Decompressed; can be read once, by one of these three. Throws HttpFailure if it is incomplete. */
  readonly body: AsyncIterable<Uint8Array>;
  bytes(): Promise<Buffer>;
  /** As UTF-8. */
  text(): Promise<string>;
  /** Discards the rest of the body. */
  close(): void;
}

export interface HttpClient {
  /** Throws HttpFailure if there is no response; a response of any status is not a failure. */
  request(url: string, request?: HttpRequest): Promise<HttpAnswer>;
  /** Closes kept-alive connections. */
  close(): void;
}

type Settings = Required<Omit<HttpClientOptions, "allowedHosts" | "connect" | "pace">> &
  Pick<HttpClientOptions, "connect" | "pace"> &
  DestinationRules & { connections: Connections | undefined };

/**
 * Client for servers that users and operators name. Each host, including redirect targets, is resolved, all its
 * addresses must be public, and new connections use exactly these addresses. Any port is allowed. No proxy, no cookies.
 * Based on node:http: undici takes the half of a body without a stated size for the whole when its connection is reset.
 */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const { connectionsMax = CONNECTIONS_MAX, gapMs = 0, connect } = options;
  const connections = connectionsMax === 0 ? undefined : new Connections({ connectionsMax, gapMs, connect });
  const settings: Settings = {
    allowPrivateUrls: false,
    trustedOrigins: [],
    bytesMax: BYTES_MAX,
    timeoutMs: TIMEOUT_MS,
    redirectsMax: REDIRECTS_MAX,
    compressed: true,
    userAgent: "hourglass",
    resolve: resolveBySystem,
    ...options,
    connectionsMax,
    gapMs,
    connections,
  };
  return {
    request: (url, request = {}) => performRequest(settings, url, request),
    close: () => connections?.close(),
  };
}

async function performRequest(settings: Settings, text: string, request: HttpRequest): Promise<HttpAnswer> {
  const first = parseUrl(text, "The URL");
  const attempt = new Attempt(first.host, settings.timeoutMs, request.signal);
  try {
    const final = await follow(settings, first, { attempt, request });
    const { response } = final;
    const { method = "GET" } = request;
    const { compressed, bytesMax, pace } = settings;
    const body: BodyOptions = { response, attempt, method, compressed, bytesMax, pace };
    // The body of an error response is checked when it is read, because its status is needed first.
    if ((response.statusCode ?? 0) < 300) checkBody(body);
    return toAnswer(final, body);
  } catch (error) {
    const failure = attempt.failure(error);
    attempt.cancel();
    throw failure;
  }
}

interface RequestContext {
  attempt: Attempt;
  request: HttpRequest;
}

interface FinalResponse {
  url: URL;
  permanentUrl: URL;
  response: IncomingMessage;
}

/** Requests `first` and follows redirects until a response is not a redirect. */
async function follow(settings: Settings, first: URL, { attempt, request }: RequestContext): Promise<FinalResponse> {
  const follows = ["GET", "HEAD"].includes(request.method ?? "GET");
  let url = first;
  let permanentUrl = first;
  for (let redirects = 0; ; redirects++) {
    const subject = redirects === 0 ? url.host : `A redirect of ${first.host}`;
    checkHost(settings, url, subject);
    await settings.connections?.waitForGap(url.host, attempt.signal);
    const addresses = await addressesOf(settings, url, { attempt, subject });
    const options: RequestOptions = {
      headers: headersFor(settings, request, url.origin === first.origin),
      lookup: lookupIn(addresses),
    };
    const response = await send(settings, url, { attempt, request, options });
    const location = response.headers.location;
    if (!follows || !REDIRECTS.has(response.statusCode ?? 0) || location === undefined) {
      return { url, permanentUrl, response };
    }
    response.destroy();
    if (redirects === settings.redirectsMax) {
      throw refusal(`${first.host} redirects more than ${settings.redirectsMax} times.`);
    }
    const target = parseUrl(location, `A redirect of ${first.host}`, url);
    if (permanentUrl === url && PERMANENT_REDIRECTS.has(response.statusCode ?? 0)) permanentUrl = target;
    url = target;
  }
}

function headersFor(settings: Settings, { headers = {} }: HttpRequest, isSameOrigin: boolean): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    "user-agent": settings.userAgent,
    accept: "*/*",
    ...Object.fromEntries(given.filter(([name]) => isSameOrigin || name === "accept")),
    "accept-encoding": settings.compressed ? "gzip, br" : "identity",
    ...(settings.connections === undefined ? { connection: "close" } : {}),
  };
}

interface Sending extends RequestContext {
  options: RequestOptions;
}

/** Sends the request and waits for the response head. Retries if the server has closed a kept-alive connection. */
async function send(settings: Settings, url: URL, sending: Sending): Promise<IncomingMessage> {
  for (;;) {
    // `within` is needed because a request waiting for a connection does not notice the end of the attempt.
    const { response, isStale } = await sending.attempt.within(() => sendOnce(settings, url, sending));
    if (!isStale) return response;
  }
}

type Sent = { response: IncomingMessage; isStale: false } | { response: undefined; isStale: true };

function sendOnce(settings: Settings, url: URL, { attempt, request, options }: Sending): Promise<Sent> {
  const { connections, connect } = settings;
  return new Promise((resolve, reject) => {
    const sending = (url.protocol === "https:" ? https : http).request({
      method: request.method ?? "GET",
      protocol: url.protocol,
      hostname: bareHost(url),
      port: url.port,
      path: `${url.pathname}${url.search}`,
      signal: attempt.signal,
      insecureHTTPParser: false,
      autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
      ...agentOptions(connections?.agentFor(url), connect),
      ...options,
    } as RequestOptions);
    sending.on("response", (response) => {
      // The reader gets the error; without this listener it would end the process before the body is read.
      response.on("error", () => undefined);
      // If no size is stated, node treats a failed connection as the end of the body.
      sending.on("error", (error) => response.destroy(error));
      resolve({ response, isStale: false });
    });
    sending.on("upgrade", (_response, socket) => {
      socket.destroy();
      reject(new HttpFailure("not-http", `${attempt.host} does not answer in HTTP.`));
    });
    sending.on("error", (error) => {
      const isIdempotent = ["GET", "HEAD", "PUT", "DELETE"].includes(request.method ?? "GET");
      if (sending.reusedSocket && isIdempotent && !attempt.signal.aborted && isReset(error)) {
        resolve({ response: undefined, isStale: true });
      } else reject(error);
    });
    sending.end(request.body);
  });
}

function agentOptions(agent: http.Agent | undefined, connect: HttpClientOptions["connect"]): RequestOptions {
  if (agent !== undefined) return { agent };
  return connect === undefined ? { agent: false } : { createConnection: connect };
}

function isReset(error: Error): boolean {
  return "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

function toAnswer({ url, permanentUrl }: FinalResponse, options: BodyOptions): HttpAnswer {
  const { response, attempt } = options;
  const body = readBody(options);
  const bytes = async (): Promise<Buffer> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  return {
    url: url.href,
    permanentUrl: permanentUrl.href,
    status: response.statusCode ?? 0,
    headers: response.headers,
    body,
    bytes,
    text: async () => (await bytes()).toString("utf8"),
    close: () => attempt.cancel(),
  };
}

/** Limits of connections and of the request rate. */
interface ConnectionOptions {
  /** Connections to one host at a time; further requests wait. */
  connectionsMax: number;
  /** Least time from the start of one request to a host to that of the next, in milliseconds. */
  gapMs: number;
  /** Opens a connection; default: as node:http and node:https do. */
  connect?: NonNullable<RequestOptions["createConnection"]> | undefined;
}

/** Idle connections are closed after this time, in milliseconds; most servers close theirs after 5 s or more. */
const IDLE_MS = 4000;
/** Hosts whose last request is remembered before hosts without a remaining gap are forgotten. */
const HOSTS_MAX = 1000;

/** Kept-alive connections by host, and the request rate per host. */
class Connections {
  private readonly agents: Readonly<Record<string, http.Agent>>;
  /** Earliest time of the next request by host. */
  private readonly nextAt = new Map<string, number>();

  constructor(private readonly options: ConnectionOptions) {
    const { connectionsMax, connect } = options;
    const settings = { keepAlive: true, maxSockets: connectionsMax, maxFreeSockets: connectionsMax, timeout: IDLE_MS };
    const agents = { "http:": new http.Agent(settings), "https:": new https.Agent(settings) };
    if (connect !== undefined)
      for (const agent of Object.values(agents)) Object.assign(agent, { createConnection: connect });
    this.agents = agents;
  }

  agentFor(url: URL): http.Agent | undefined {
    return this.agents[url.protocol];
  }

  /** Resolves when a request to the host may be sent. Rejects if the signal aborts the wait. */
  async waitForGap(host: string, signal: AbortSignal): Promise<void> {
    const { gapMs } = this.options;
    if (gapMs <= 0) return;
    const now = performance.now();
    const at = Math.max(now, this.nextAt.get(host) ?? 0);
    this.nextAt.set(host, at + gapMs);
    if (this.nextAt.size > HOSTS_MAX) this.forgetReady(now);
    if (at > now) await sleep(at - now, undefined, { signal });
  }

  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  private forgetReady(now: number): void {
    for (const [host, at] of this.nextAt) if (at <= now) this.nextAt.delete(host);
  }
}
