import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  createHttpClient,
  createLogger,
  type HttpClient,
  type HttpClientOptions,
  type Json,
  openSqliteStore,
  type Store,
} from "@hourglass/runtime";
import { expect } from "vitest";
import { parseQuery } from "../../../query/parser.js";
import { type Connector, type Page, type PageRequest, PlatformError, type PlatformSearch } from "../../connector.js";
import { EVERYWHERE } from "../../places.js";
import type { PostingDraft } from "../../posting-draft.js";
import type { NewsConfig } from "../config.js";
import { readFeed } from "../feeds/read-feed.js";
import { openNews } from "../sources.js";
import { FeedServer } from "./feed-server.js";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** The platform on an embedded store and a loopback server of feeds, with a clock that tests move. */
export class NewsWorld {
  time = Date.UTC(2026, 10, 22, 12);
  readonly now = (): number => this.time;
  private readonly closing: (() => unknown)[] = [];

  private constructor(
    readonly server: FeedServer,
    readonly store: Store,
    readonly dataDir: string,
  ) {}

  static async open(): Promise<NewsWorld> {
    const dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-news-"));
    const store = await openSqliteStore({ dataDir, log: createLogger("silent") });
    const server = await FeedServer.start();
    const world = new NewsWorld(server, store, dataDir);
    world.closing.push(
      () => server.close(),
      () => store.close(),
      () => rm(dataDir, { recursive: true, force: true }),
    );
    return world;
  }

  async close(): Promise<void> {
    for (const close of this.closing) await close();
  }

  /** A worker of its own; several share the store. */
  async connector(config: Partial<NewsConfig> = {}, http: HttpClientOptions = {}): Promise<Connector> {
    const deps = { http: this.client(http), store: this.store, log: createLogger("silent"), now: this.now };
    const pauses = { intervalMs: 5 * MINUTE, isExplicit: false };
    const readiness = await openNews(
      { ...deps, spend: () => Promise.resolve() },
      { newsFeeds: [], collectInterval: pauses, ...config },
      async (document) => readFeed(document),
    );
    if (!("connector" in readiness)) throw new Error(readiness.missing);
    return readiness.connector;
  }

  private client(options: HttpClientOptions): HttpClient {
    const client = createHttpClient({ allowPrivateUrls: true, redirectsMax: 5, ...options });
    this.closing.unshift(() => client.close());
    return client;
  }

  search(feeds: readonly string[], preview = false): PlatformSearch {
    const follow = { feeds, subreddits: [], pages: [], organisations: [] };
    return { query: parseQuery("ship"), places: EVERYWHERE, follow, preview };
  }

  request(feeds: readonly string[], values: Partial<PageRequest> = {}): PageRequest {
    const since = this.time - 7 * 24 * HOUR;
    const signal = new AbortController().signal;
    return {
      search: this.search(feeds),
      cursor: null,
      pageToken: null,
      since,
      startedAt: 0,
      limit: 100,
      signal,
      ...values,
    };
  }
}

/** A search that polls as the collector does: page after page, keeping the cursor of the last one. */
export class Poller {
  cursor: Json = null;
  readonly postings: PostingDraft[] = [];

  constructor(
    private readonly world: NewsWorld,
    private readonly connector: Connector,
    private readonly feeds: readonly string[],
  ) {}

  /** Returns the pages of one poll. */
  async poll(): Promise<Page[]> {
    const pages: Page[] = [];
    for (let pageToken: Json = null; pages.length === 0 || pageToken !== null;) {
      const request = this.world.request(this.feeds, { cursor: this.cursor, pageToken });
      const page = await this.connector.fetchPage(request);
      pages.push(page);
      pageToken = page.nextPage;
    }
    this.cursor = pages.at(-1)!.cursor;
    this.postings.push(...pages.flatMap(({ postings }) => postings));
    return pages;
  }

  /** Titles of the postings of one poll. */
  async titles(): Promise<string[]> {
    const pages = await this.poll();
    return pages.flatMap(({ postings }) => postings.map(({ text }) => text ?? ""));
  }
}

/** The error with which work of a connector fails. */
export async function failureOf(work: Promise<unknown>): Promise<PlatformError> {
  const error: unknown = await work.then(
    () => "no failure",
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PlatformError);
  return error as PlatformError;
}
