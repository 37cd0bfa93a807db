import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An item of a feed. */
export interface FeedItem {
  guid: string;
  title: string;
  text: string;
  at: Date;
}

/** Answers a request instead of the feed at its path. */
export type FeedAnswer = (response: ServerResponse) => void;

/** Serves RSS feeds on the loopback interface; their items can be changed at any time. */
export class FeedServer {
  /** The items of each feed by path, newest first. */
  readonly feeds = new Map<string, FeedItem[]>();
  /** Other answers than feeds, by path. */
  readonly answers = new Map<string, FeedAnswer>();
  /** Paths in the order of their requests. */
  readonly requests: string[] = [];
  /** Called before a response; while its promise is pending, the request waits. */
  beforeAnswer: (path: string) => Promise<void> = () => Promise.resolve();
  /** Status of the responses of all feeds. */
  status = 200;
  private readonly arrivals = new Map<string, number[]>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      const path = request.url ?? "/";
      this.note(path);
      void this.beforeAnswer(path).then(() => this.answer(path, response));
    });
  }

  static async start(): Promise<FeedServer> {
    const feeds = new FeedServer();
    feeds.server.listen(0, "127.0.0.1");
    await once(feeds.server, "listening");
    return feeds;
  }

  url(path: string): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${path}`;
  }

  /** When the path was requested, in milliseconds since the epoch. */
  timesOf(path: string): readonly number[] {
    return this.arrivals.get(path) ?? [];
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  private note(path: string): void {
    this.requests.push(path);
    this.arrivals.set(path, [...this.timesOf(path), Date.now()]);
  }

  private answer(path: string, response: ServerResponse): void {
    const other = this.answers.get(path);
    if (other !== undefined) {
      other(response);
      return;
    }
    const items = this.feeds.get(path);
    response.statusCode = items === undefined ? 404 : this.status;
    response.setHeader("content-type", "application/rss+xml; charset=utf-8");
    response.end(this.status === 200 ? rss(path, items ?? []) : "");
  }
}

function rss(path: string, items: readonly FeedItem[]): string {
  const entries = items.map(
    ({ guid, title, text, at }) =>
      `<item><guid isPermaLink="false">${escaped(guid)}</guid><link>https://news.example.com/${encodeURIComponent(guid)}</link>` +
      `<title>${escaped(title)}</title><description>${escaped(text)}</description><pubDate>${at.toUTCString()}</pubDate></item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>${escaped(path)}</title><link>https://news.example.com</link><description>Test</description>${entries.join("")}</channel></rss>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
