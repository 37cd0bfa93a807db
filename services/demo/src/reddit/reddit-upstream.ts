import { QueryRefused } from "../query/query-reader.js";
import { idOfToken, Timeline } from "../timeline/timeline.js";
import type { Reply, UpstreamRequest } from "../upstream/exchange.js";
import { RequestWindow, type WindowState } from "../upstream/request-window.js";
import { Upstream } from "../upstream/upstream.js";
import { UpstreamServer } from "../upstream/upstream-server.js";
import { listingAnswer } from "./answer.js";
import { type ListingRequest, readListing } from "./listing-request.js";
import { problem } from "./problem.js";
import { type DemoThing, inventThing } from "./thing.js";
import { type Credentials, TokenDesk } from "./token-desk.js";

const TEN_MINUTES_MS = 10 * 60_000;
const REQUESTS_MAX = 1000;
const LISTING_MAX = 1000;
const USER_AGENT = /^\S+:\S+:\S+ \(by \/u\/[\w-]+\)$/;

/** What a test or the demo decides about the fake. */
export interface RedditUpstreamOptions extends Credentials {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default: any free one. */
  readonly port?: number;
}

/**
 * A fake of Reddit's data API, made from its documentation: tokens of apps on a server of their own, search of
 * submissions, listings of subreddits, windows of requests and errors. What it lists is invented.
 */
export class RedditUpstream extends Upstream {
  readonly timeline = new Timeline<DemoThing>();
  /** Requests of a window of ten minutes. */
  readonly window: RequestWindow;
  /** Whether answers have the headers of the window: some of Reddit's have none. */
  statesWindow = true;
  /** Items after which a listing, and a search, ends. */
  readonly ends = { listing: LISTING_MAX, search: LISTING_MAX };
  /** Subreddits, in lower case, that cannot be read, and why. */
  readonly closed = new Map<string, "private" | "banned" | "missing">();
  private added = 0;

  private constructor(
    private readonly options: RedditUpstreamOptions,
    readonly tokens: TokenDesk,
    /** The server that gives tokens; it has faults of its own. */
    readonly tokenServer: UpstreamServer,
  ) {
    super();
    this.window = new RequestWindow(REQUESTS_MAX, TEN_MINUTES_MS, options.now);
  }

  static async start(options: RedditUpstreamOptions): Promise<RedditUpstream> {
    const tokens = new TokenDesk(options, options.now);
    const tokenServer = await UpstreamServer.start((request) => tokens.answer(request));
    return new RedditUpstream(options, tokens, tokenServer).listen(options.port);
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), this.tokenServer.close()]);
  }

  /** Adds an invented submission, or comment if the kind is `t1`; default time: now. Returns its fullname. */
  post(values: Partial<DemoThing> = {}): string {
    this.added += 1;
    const thing = inventThing(this.added, values.at ?? this.options.now(), values);
    this.timeline.add(thing);
    return thing.id;
  }

  /** Edits a text; Reddit keeps the id. */
  edit(id: string, text: string): void {
    this.timeline.edit(id, (thing) => ({ ...thing, text, editedAt: this.options.now() }));
  }

  /** Takes a thing away: no listing shows it any more. */
  remove(id: string, by: "deleted" | "moderator" = "deleted"): void {
    this.timeline.edit(id, (thing) => ({ ...thing, removedBy: by }));
  }

  protected answer(request: UpstreamRequest): Reply {
    if (!this.tokens.accepts(request)) return problem(401);
    // Reddit gives clients without a name of their own hardly any requests.
    if (!USER_AGENT.test(request.headers["user-agent"] ?? "")) return problem(429);
    const state = this.window.take();
    const reply = state.isExceeded ? problem(429) : this.list(request);
    return this.statesWindow ? { ...reply, headers: { ...reply.headers, ...this.headersOf(state) } } : reply;
  }

  private list({ method, path, query }: UpstreamRequest): Reply {
    try {
      if (method === "GET" && path === "/api/info") return this.things(query);
      const listing = method === "GET" ? readListing(path, query) : undefined;
      return listing === undefined ? problem(404) : (this.refusalOf(listing) ?? this.page(listing));
    } catch (error) {
      if (error instanceof QueryRefused) return problem(400);
      throw error;
    }
  }

  /** Things by their fullnames; those that were taken away are shown without text and author, unknown ones are missing. */
  private things(query: URLSearchParams): Reply {
    const ids = (query.get("id") ?? "").split(",");
    if (ids.length > 100) throw new QueryRefused("There are more than 100 fullnames.");
    const found = [...new Set(ids)].flatMap((id) => this.timeline.get(id) ?? []);
    const isShown = ({ subreddit }: DemoThing) => !this.closed.has(subreddit.toLowerCase());
    const isRaw = query.get("raw_json") === "1";
    return { body: listingAnswer(found.filter(isShown), { after: null, isRaw }) };
  }

  /** What Reddit answers for one subreddit that cannot be read. Of several it leaves such a one out. */
  private refusalOf({ subreddits }: ListingRequest): Reply | undefined {
    const [only = ""] = subreddits.length === 1 ? subreddits : [];
    switch (this.closed.get(only)) {
      case "private":
        return problem(403, "private");
      case "banned":
        return problem(404, "banned");
      case "missing":
        return { status: 302, headers: { Location: `/subreddits/search?q=${only}` }, body: "" };
      default:
        return undefined;
    }
  }

  private page({ wants, limit, after, isSearch, isRaw }: ListingRequest): Reply {
    const token = after === undefined ? undefined : this.timeline.tokenAfter(after);
    const isListed = (thing: DemoThing) => wants(thing) && !this.closed.has(thing.subreddit.toLowerCase());
    const shown = after === undefined ? 0 : this.placeOf(after, isListed);
    const left = (isSearch ? this.ends.search : this.ends.listing) - shown;
    const { items, nextToken } = this.timeline.page({ wants: isListed, limit: Math.min(limit, left), token });
    const next = nextToken === undefined || items.length >= left ? null : idOfToken(nextToken);
    return { body: listingAnswer(items, { after: next, isRaw }) };
  }

  /** How many things a listing has shown up to this one. */
  private placeOf(id: string, wants: (thing: DemoThing) => boolean): number {
    const last = this.timeline.get(id);
    return last === undefined ? 0 : this.timeline.count((thing) => wants(thing) && thing.at >= last.at);
  }

  private headersOf({ limit, left, resetAt }: WindowState): Record<string, string> {
    return {
      "x-ratelimit-used": String(limit - left),
      "x-ratelimit-remaining": left.toFixed(1),
      "x-ratelimit-reset": String(Math.ceil((resetAt - this.options.now()) / 1000)),
    };
  }
}
