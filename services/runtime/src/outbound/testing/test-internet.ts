import type { LookupAddress } from "node:dns";
import http, { type ClientRequestArgs, type RequestListener, type ServerResponse } from "node:http";
import net, { isIP, type AddressInfo, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { expect } from "vitest";
import { createHttpClient, type HttpClient, type HttpClientOptions } from "../http-client.js";
import {
  createUrlFetcher,
  type UrlFetcher,
  type UrlFetcherOptions,
  UnreachableUrlError,
  type Fetched,
} from "../url-fetcher.js";

/** Public addresses, because documentation addresses would be refused as special. */
export const PUBLIC = "93.184.216.34";
export const OTHER_PUBLIC = "2606:2800:220:1:248:1893:25c8:1946";

/**
 * An internet simulated in this process: sites answer at public addresses, and connections to any other address are
 * recorded and answered by the canary.
 */
export class TestInternet {
  /** Addresses other than the sites' to which a connection was made. */
  readonly canaryHits: string[] = [];
  /** Successive lookup results of each name; the last one is repeated. */
  readonly names = new Map<string, string[][]>();
  private readonly ports = new Map<string, number>();
  private readonly servers: Server[] = [];

  async site(address: string, answer: RequestListener): Promise<void> {
    const server = http.createServer(answer);
    this.ports.set(address, await this.listen(server));
  }

  /** A site with a custom answer on each raw connection. */
  async rawSite(address: string, answer: (socket: net.Socket) => void): Promise<void> {
    const server = net.createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => answer(socket));
    });
    this.ports.set(address, await this.listen(server));
  }

  fetcher(options: UrlFetcherOptions = {}): UrlFetcher {
    return createUrlFetcher({ ...this.ways(), ...options });
  }

  client(options: HttpClientOptions = {}): HttpClient {
    return createHttpClient({ ...this.ways(), ...options });
  }

  /** Client options for reaching the sites. */
  private ways(): Required<Pick<HttpClientOptions, "resolve" | "connect">> {
    const resolve = async (host: string): Promise<LookupAddress[]> => {
      const answers = this.names.get(host) ?? [];
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === undefined) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
      return answer.map((address) => ({ address, family: isIP(address) }));
    };
    return { resolve, connect: (request, connected) => this.connect(request, connected) };
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  /** Like node: connects to a literal address directly, and resolves a name with the lookup function of the request. */
  private connect(options: ClientRequestArgs, connected: (error: Error | null, socket: Duplex) => void): undefined {
    const host = options.hostname ?? "";
    const connectTo = (address: string): void => connected(null, this.dial(address));
    if (isIP(host) !== 0) {
      connectTo(host);
      return;
    }
    if (options.lookup === undefined) throw new Error("The request has no lookup function.");
    options.lookup(host, { all: true }, (_error, addresses) => {
      connectTo(typeof addresses === "string" ? addresses : (addresses[0]?.address ?? ""));
    });
  }

  private dial(address: string): net.Socket {
    const port = this.ports.get(address);
    if (port === undefined) this.canaryHits.push(address);
    return net.connect(port ?? 0, "127.0.0.1");
  }

  private async listen(server: Server): Promise<number> {
    this.servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  }
}

/** All bytes of a file; `onChunk` is called for each part. */
export async function drain({ bytes }: Fetched, onChunk: () => void = () => undefined): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) {
    chunks.push(chunk);
    onChunk();
  }
  return Buffer.concat(chunks);
}

/** The UnreachableUrlError of a rejected promise; anything else fails the test. */
export async function unreachableOf(promise: Promise<unknown>): Promise<UnreachableUrlError> {
  const error: unknown = await promise.then(
    () => "no failure",
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UnreachableUrlError);
  return error as UnreachableUrlError;
}

/** Sends byte by byte until the connection is closed. */
export function dribble(response: ServerResponse | Socket): void {
  const timer = setInterval(() => response.write("x"), 20);
  response.on("close", () => clearInterval(timer));
}
