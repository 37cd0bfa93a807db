import { createHash } from "node:crypto";
import { Timeline } from "../timeline/timeline.js";
import type { Reply, UpstreamRequest } from "../upstream/exchange.js";
import type { Fault } from "../upstream/fault.js";
import { UpstreamServer } from "../upstream/upstream-server.js";
import { DEMO_GAZETTE, DEMO_HAFENBLATT, type FeedArticle, type DemoPublisher, inventArticle } from "./feed-article.js";
import { feedDocument, mediaTypeOf } from "./feed-documents.js";

/** Entries of one document: feeds drop older ones. */
const ENTRIES_MAX = 200;

/** What a test or the demo decides about the fake. */
export interface FeedUpstreamOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default: any free one. */
  readonly port?: number;
}

/** A server of feeds of publishers that do not exist: RSS 2.0 and Atom, with tags for conditional requests. */
export class FeedUpstream {
  readonly timeline = new Timeline<FeedArticle>();
  readonly publishers: readonly DemoPublisher[] = [DEMO_GAZETTE, DEMO_HAFENBLATT];
  private added = 0;
  private server: UpstreamServer | undefined;

  private constructor(private readonly options: FeedUpstreamOptions) {}

  static async start(options: FeedUpstreamOptions): Promise<FeedUpstream> {
    const upstream = new FeedUpstream(options);
    upstream.server = await UpstreamServer.start((request) => upstream.answer(request), options.port);
    return upstream;
  }

  get origin(): string {
    return this.running.origin;
  }

  /** Addresses of all feeds. */
  get feeds(): readonly string[] {
    return this.publishers.map(({ path }) => this.origin + path);
  }

  get seen(): readonly UpstreamRequest[] {
    return this.running.seen;
  }

  failNext(...faults: readonly Fault[]): void {
    this.running.failNext(...faults);
  }

  failAlways(fault: Fault | undefined): void {
    this.running.failAlways(fault);
  }

  close(): Promise<void> {
    return this.running.close();
  }

  /** Adds an invented article; default time: now. Returns its id. */
  post(values: Partial<FeedArticle> = {}): string {
    this.added += 1;
    const article = inventArticle(this.added, values.at ?? this.options.now(), values);
    this.timeline.add(article);
    return article.id;
  }

  private get running(): UpstreamServer {
    if (this.server === undefined) throw new Error("the upstream has not been started");
    return this.server;
  }

  private answer({ method, path, headers }: UpstreamRequest): Reply {
    const publisher = this.publishers.find((each) => each.path === path);
    if (method !== "GET" || publisher === undefined) return { status: 404, body: "There is no such feed." };
    const wants = (article: FeedArticle): boolean => article.publisher === publisher;
    const { items } = this.timeline.page({ wants, limit: ENTRIES_MAX, token: undefined });
    const body = feedDocument(publisher, items);
    const tag = `"${createHash("sha256").update(body).digest("hex").slice(0, 32)}"`;
    const isKnown = headers["if-none-match"] === tag;
    return {
      status: isKnown ? 304 : 200,
      headers: { ETag: tag, "Content-Type": mediaTypeOf(publisher) },
      body: isKnown ? "" : body,
    };
  }
}
