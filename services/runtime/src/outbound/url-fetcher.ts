import { lookup as systemLookup, type LookupAddress } from "node:dns";
import http, { type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { promisify } from "node:util";
import { isAllowedHost } from "./allowed-host.js";
import { FetchAttempt } from "./fetch-attempt.js";
import { Pace, type PaceLimit } from "./pace.js";
import { isPublicAddress } from "./public-address.js";
import { noAddress, refusal, unknownHost } from "./refusals.js";
import { UnreachableUrlError } from "./unreachable-url-error.js";

const BYTES_MAX = 100_000_000;
const TIMEOUT_MS = 30_000;
/** A site that sends less than so much in ten seconds would take a fetching place for as long as it likes. */
const PACE: PaceLimit = { bytes: 80 * 1024, everyMs: 10_000 };
const REDIRECTS_MAX = 3;
const URL_CHARACTERS_MAX = 2048;
/** A slow handshake is no reason to give up an address: the deadline bounds them all. */
const ADDRESS_ATTEMPT_MS = 2000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Answers that may differ next time, beside those of 500 and above. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Every address of a name. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

export interface UrlFetcherOptions {
  /** Lifts the check of addresses, and only that; default false. */
  allowPrivateUrls?: boolean;
  /** Such as `media.example.com` or `*.example.org`, checked at every redirect too; default: any host. */
  allowedHosts?: readonly string[] | undefined;
  /** Of one file; default 100 MB. */
  bytesMax?: number;
  /** From the look-up of the name to the last byte, redirects included; default 30 s. */
  timeoutMs?: number;
  /** Of a file's bytes; default 80 KiB in 10 s, which is 8 KiB a second. */
  pace?: PaceLimit;
  /** Default 3. */
  redirectsMax?: number;
  /** Default: the resolver of the system. */
  resolve?: ResolveHost;
  /** Opens the connection to an address that `options.lookup` gives; default: as node:http and node:https do. */
  connect?: NonNullable<RequestOptions["createConnection"]>;
}

/** A file on its way. Its time runs while the bytes are read: read them at once, or `close`. */
export interface Fetched {
  /** Where the file was found, after all redirects. */
  readonly url: string;
  /** In bytes, as far as the other side has said it. */
  readonly sizeStated: number | undefined;
  /**
   * To be read once. Throws UnreachableUrlError when the file is larger than allowed, late, too slow, or breaks off: then
   * what has been read is not the file.
   */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Lets go of a file that is not (further) wanted. */
  close(): void;
}

export interface UrlFetcher {
  /**
   * Fetches a file of the public internet. Throws UnreachableUrlError for every reason why there is none; when `signal`
   * stops it, that signal's reason.
   */
  fetch(url: string, options?: { signal?: AbortSignal }): Promise<Fetched>;
}

type Settings = Required<Omit<UrlFetcherOptions, "allowedHosts" | "connect">> &
  Pick<UrlFetcherOptions, "allowedHosts" | "connect">;

/**
 * Fetches files that strangers name, without letting them reach this server's own network: each host, also of a
 * redirect, is looked up once, all its addresses must be public, and the connection goes to those very addresses. Any
 * port will do. No proxy, no credentials, no cookies, no reused connections.
 */
export function createUrlFetcher(options: UrlFetcherOptions = {}): UrlFetcher {
  const settings: Settings = {
    allowPrivateUrls: false,
    bytesMax: BYTES_MAX,
    timeoutMs: TIMEOUT_MS,
    pace: PACE,
    redirectsMax: REDIRECTS_MAX,
    resolve: resolveBySystem,
    ...options,
  };
  return { fetch: (url, { signal } = {}) => fetchUrl(settings, url, signal) };
}

const lookupAll = promisify(systemLookup);

async function resolveBySystem(host: string): Promise<readonly LookupAddress[]> {
  return lookupAll(host, { all: true });
}

async function fetchUrl(settings: Settings, text: string, signal: AbortSignal | undefined): Promise<Fetched> {
  const first = parseUrl(text, "The URL");
  const attempt = new FetchAttempt(first.host, settings.timeoutMs, signal);
  try {
    const { url, response } = await follow(settings, first, attempt);
    return accept({ settings, attempt, host: first.host, url, response });
  } catch (error) {
    attempt.cancel();
    throw attempt.failure(error);
  }
}

interface Answer {
  url: URL;
  response: IncomingMessage;
}

/** Requests `first` and where it redirects to, until something else than a redirect is the answer. */
async function follow(settings: Settings, first: URL, attempt: FetchAttempt): Promise<Answer> {
  let url = first;
  for (let redirects = 0; ; redirects++) {
    const subject = redirects === 0 ? url.host : `A redirect of ${first.host}`;
    checkHost(settings, url, subject);
    const addresses = await addressesOf(settings, url, { attempt, subject });
    const response = await request(settings, url, { attempt, addresses });
    const location = response.headers.location;
    if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return { url, response };
    response.destroy();
    if (redirects === settings.redirectsMax) {
      throw refusal(`${first.host} redirects more than ${settings.redirectsMax} times.`);
    }
    url = parseUrl(location, `A redirect of ${first.host}`, url);
  }
}

/** `subject` begins the sentence if the URL is wrong. */
function parseUrl(text: string, subject: string, base?: URL): URL {
  const url = text.length <= URL_CHARACTERS_MAX && URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (url === undefined || url.hostname === "") {
    throw refusal(`${subject} is not a whole URL such as https://media.example.com/photo.jpg.`);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw refusal(`${subject} must begin with https:// or http://.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw refusal(`${subject} holds a user name or password; name a file that anyone may read.`);
  }
  return url;
}

function checkHost(settings: Settings, url: URL, subject: string): void {
  const { allowedHosts } = settings;
  if (allowedHosts === undefined || isAllowedHost(url.hostname, allowedHosts)) return;
  throw refusal(`${subject} is not among the hosts from which this server may fetch files.`);
}

/** A host without brackets: node's URL has already made one spelling out of all those of a literal address. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** The addresses of the URL's host, all of them checked. */
async function addressesOf(
  settings: Settings,
  url: URL,
  { attempt, subject }: { attempt: FetchAttempt; subject: string },
): Promise<readonly LookupAddress[]> {
  const host = bareHost(url);
  const literal = isIP(host);
  const addresses =
    literal === 0 ? await resolve(settings, host, { attempt, subject }) : [{ address: host, family: literal }];
  const usable = addresses.length > 0 && addresses.every(({ address }) => isIP(address) !== 0);
  const allowed = settings.allowPrivateUrls || addresses.every(({ address }) => isPublicAddress(address));
  if (usable && allowed) return addresses;
  throw noAddress(subject);
}

async function resolve(
  settings: Settings,
  host: string,
  { attempt, subject }: { attempt: FetchAttempt; subject: string },
): Promise<readonly LookupAddress[]> {
  return attempt.within(() =>
    settings.resolve(host).catch((error: unknown) => {
      if (!isPassingLookupFailure(error)) throw unknownHost(subject, error);
      const message = `${subject} could not be looked up just now.`;
      throw new UnreachableUrlError(message, { permanent: false, cause: error });
    }),
  );
}

function isPassingLookupFailure(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EAI_AGAIN" || error.code === "ETIMEOUT");
}

/** Sends the request and waits for the head of the answer. */
function request(
  settings: Settings,
  url: URL,
  { attempt, addresses }: { attempt: FetchAttempt; addresses: readonly LookupAddress[] },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method: "GET",
      protocol: url.protocol,
      hostname: bareHost(url),
      port: url.port,
      path: `${url.pathname}${url.search}`,
      headers: { "User-Agent": "hourglass", Accept: "*/*", "Accept-Encoding": "identity", Connection: "close" },
      lookup: lookupIn(addresses),
      signal: attempt.signal,
      insecureHTTPParser: false,
      // A connection of its own: another one, to the same name, may lead to an address checked at another time.
      ...(settings.connect === undefined ? { agent: false } : { createConnection: settings.connect }),
    };
    const sending = (url.protocol === "https:" ? https : http).request({
      ...options,
      autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
    } as RequestOptions);
    sending.on("response", (response) => {
      // Told to who reads; before anybody does it must not end the process.
      response.on("error", () => undefined);
      // Where nothing states the size, node takes a connection that fails for the end of the body.
      sending.on("error", (error) => response.destroy(error));
      resolve(response);
    });
    sending.on("upgrade", (_response, socket) => {
      socket.destroy();
      reject(refusal(`${attempt.host} does not answer in HTTP.`));
    });
    sending.on("error", reject);
    sending.end();
  });
}

/** Answers with the addresses that were checked, whatever is asked. */
function lookupIn(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    process.nextTick(() => {
      const [first] = addresses;
      if (all === true) callback(null, [...addresses]);
      else callback(null, first?.address ?? "", first?.family);
    });
  };
}

interface Arrival extends Answer {
  settings: Settings;
  attempt: FetchAttempt;
  host: string;
}

/** The file, if the head of the answer promises one that may be read. */
function accept(arrival: Arrival): Fetched {
  const { settings, attempt, host, url, response } = arrival;
  const status = response.statusCode ?? 0;
  if (status !== 200 && status !== 203) {
    const permanent = status < 500 && !PASSING.has(status);
    throw new UnreachableUrlError(`${host} answered with HTTP status ${status} instead of the file.`, { permanent });
  }
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  // Unpacking would let a few bytes become many.
  if (encoding !== "identity" && encoding !== "") {
    throw refusal(`${host} sends the file compressed, which was not asked for.`);
  }
  const stated = response.headers["content-length"];
  const sizeStated = stated === undefined ? undefined : Number(stated);
  if (sizeStated !== undefined && sizeStated > settings.bytesMax) throw tooLarge(arrival);
  return { url: url.href, sizeStated, bytes: bodyOf(arrival), close: () => attempt.cancel() };
}

function tooLarge({ host, settings }: Arrival): UnreachableUrlError {
  return refusal(`The file at ${host} is larger than ${Math.floor(settings.bytesMax / 1_000_000)} MB.`);
}

async function* bodyOf(arrival: Arrival): AsyncGenerator<Uint8Array> {
  const { settings, attempt, response } = arrival;
  let size = 0;
  const pace = new Pace(settings.pace, () => attempt.endSlow());
  try {
    pace.wait();
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      pace.received(chunk.length);
      size += chunk.length;
      if (size > settings.bytesMax) throw tooLarge(arrival);
      yield chunk;
      pace.wait();
    }
    if (!response.complete || attempt.signal.aborted) throw new Error("The answer ended before its end.");
  } catch (error) {
    throw attempt.failure(error);
  } finally {
    pace.end();
    attempt.cancel();
  }
}
