import http, { type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

/** How a path of the server answers. */
export interface FeedSite {
  readonly body?: string | Uint8Array;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Validators: requests that send one back get 304. */
  readonly etag?: string;
  readonly lastModified?: string;
  readonly gzip?: boolean;
  /** Bytes without end. */
  readonly endless?: boolean;
  /** Called before the answer. */
  readonly before?: () => Promise<void>;
}

/** A request that the server got. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly status: number;
}

/** A server of feeds on the loopback address; its answers may change at any time. */
export class FeedServer {
  readonly sites = new Map<string, FeedSite>();
  readonly seen: SeenRequest[] = [];
  private readonly server = http.createServer((request, response) => {
    void this.response(request.url ?? "/", request.headers, response);
  });

  static async start(): Promise<FeedServer> {
    const started = new FeedServer();
    await new Promise<void>((resolve) => started.server.listen(0, "127.0.0.1", resolve));
    return started;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  serve(path: string, site: FeedSite): string {
    this.sites.set(path, site);
    return this.url(path);
  }

  /** Statuses of the answers to a path, in order. */
  statusesOf(path: string): number[] {
    return this.seen.filter((request) => request.path === path).map(({ status }) => status);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async response(path: string, headers: IncomingHttpHeaders, response: ServerResponse): Promise<void> {
    const site = this.sites.get(path) ?? { status: 404 };
    await site.before?.();
    const status = isUnchanged(site, headers) ? 304 : (site.status ?? 200);
    this.seen.push({ path, headers, status });
    response.writeHead(status, headersOf(site));
    if (site.endless === true) flood(response);
    else response.end(status === 304 ? undefined : bodyOf(site));
  }
}

function isUnchanged({ etag, lastModified }: FeedSite, headers: IncomingHttpHeaders): boolean {
  if (headers["if-none-match"] !== undefined) return headers["if-none-match"] === etag;
  return lastModified !== undefined && headers["if-modified-since"] === lastModified;
}

function headersOf({ etag, lastModified, gzip, headers }: FeedSite): Record<string, string> {
  return {
    ...(etag === undefined ? {} : { ETag: etag }),
    ...(lastModified === undefined ? {} : { "Last-Modified": lastModified }),
    ...(gzip === true ? { "Content-Encoding": "gzip" } : {}),
    "Content-Type": "application/rss+xml",
    ...headers,
  };
}

function bodyOf({ body = "", gzip }: FeedSite): string | Uint8Array {
  return gzip === true ? gzipSync(body) : body;
}

function flood(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536, "x");
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  response.on("error", () => undefined);
  more();
}
