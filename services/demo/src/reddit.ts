import { inventPerson, inventText, oneOf, type Person, randomOf } from "./invented.js";
import { type Condition, contains, piecesOf, QueryReader, QueryRefused, wordsOf } from "./query.js";
import { idOfToken, Timeline } from "./timeline.js";
import {
  type Reply,
  RequestWindow,
  Upstream,
  type UpstreamRequest,
  UpstreamServer,
  type WindowState,
} from "./upstream.js";

const TEN_MINUTES_MS = 10 * 60_000;
const REQUESTS_MAX = 1000;
const LISTING_MAX = 1000;
const USER_AGENT = /^\S+:\S+:\S+ \(by \/u\/[\w-]+\)$/;

/** What a test or the demo decides about the fake. */
interface RedditUpstreamOptions extends Credentials {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default: any free one. */
  readonly port?: number;
}

/**
 * A fake of Reddit's data API, made from its documentation: tokens of apps on another server, search of
 * submissions, listings of subreddits, windows of requests and errors. What it lists is invented.
 */
export class RedditUpstream extends Upstream {
  readonly timeline = new Timeline<DemoThing>();
  /** Requests of a window of ten minutes. */
  readonly window: RequestWindow;
  /** Whether responses have the headers of the window: some of Reddit's have none. */
  statesWindow = true;
  /** Items after which a listing, and a search, ends. */
  readonly ends = { listing: LISTING_MAX, search: LISTING_MAX };
  /** Subreddits, in lower case, that cannot be read, and why. */
  readonly closed = new Map<string, "private" | "banned" | "missing">();
  private added = 0;

  private constructor(
    private readonly options: RedditUpstreamOptions,
    readonly tokens: TokenIssuer,
    /** The server that gives tokens; its faults are separate. */
    readonly tokenServer: UpstreamServer,
  ) {
    super();
    this.window = new RequestWindow(REQUESTS_MAX, TEN_MINUTES_MS, options.now);
  }

  static async start(options: RedditUpstreamOptions): Promise<RedditUpstream> {
    const tokens = new TokenIssuer(options, options.now);
    const tokenServer = await UpstreamServer.start((request) => tokens.respond(request));
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

  protected respond(request: UpstreamRequest): Reply {
    if (!this.tokens.accepts(request)) return redditProblem(401);
    // Reddit gives clients without a distinct name hardly any requests.
    if (!USER_AGENT.test(request.headers["user-agent"] ?? "")) return redditProblem(429);
    const state = this.window.take();
    const reply = state.isExceeded ? redditProblem(429) : this.list(request);
    return this.statesWindow ? { ...reply, headers: { ...reply.headers, ...this.headersOf(state) } } : reply;
  }

  private list({ method, path, query }: UpstreamRequest): Reply {
    try {
      if (method === "GET" && path === "/api/info") return this.things(query);
      const listing = method === "GET" ? readListing(path, query) : undefined;
      return listing === undefined ? redditProblem(404) : (this.refusalOf(listing) ?? this.page(listing));
    } catch (error) {
      if (error instanceof QueryRefused) return redditProblem(400);
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
    return { body: listingJson(found.filter(isShown), { after: null, isRaw }) };
  }

  /** The response for one subreddit that cannot be read. Of several it leaves such a one out. */
  private refusalOf({ subreddits }: ListingRequest): Reply | undefined {
    const [only = ""] = subreddits.length === 1 ? subreddits : [];
    switch (this.closed.get(only)) {
      case "private":
        return redditProblem(403, "private");
      case "banned":
        return redditProblem(404, "banned");
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
    return { body: listingJson(items, { after: next, isRaw }) };
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

const SECONDS_DEFAULT = 3600;

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Gives out tokens for the id and secret of an app, as `POST /api/v1/access_token` does. */
class TokenIssuer {
  /** How long new tokens last, in seconds. */
  lastsSeconds = SECONDS_DEFAULT;
  /** Whether the app has been taken away from its owner. */
  isRevoked = false;
  /** Tokens that it gave out. */
  given = 0;
  private readonly expiries = new Map<string, number>();

  constructor(
    private readonly credentials: Credentials,
    private readonly now: () => number,
  ) {}

  respond({ method, path, headers, body }: UpstreamRequest): Reply {
    if (method !== "POST" || path !== "/api/v1/access_token") return { status: 404, body: { error: 404 } };
    const { clientId, clientSecret } = this.credentials;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
    if (this.isRevoked || headers.authorization !== `Basic ${basic}`) {
      return { status: 401, body: { message: "Unauthorized", error: 401 } };
    }
    const grant = new URLSearchParams(body).get("grant_type");
    if (grant !== "client_credentials") return { status: 400, body: { error: "unsupported_grant_type" } };
    return { body: this.give() };
  }

  /** Whether a request has a token that is valid. */
  accepts({ headers }: UpstreamRequest): boolean {
    const [scheme = "", token = ""] = (headers.authorization ?? "").split(" ");
    return scheme.toLowerCase() === "bearer" && (this.expiries.get(token) ?? 0) > this.now();
  }

  /** Ends all tokens at once. */
  expireAll(): void {
    this.expiries.clear();
  }

  private give(): Record<string, unknown> {
    this.given += 1;
    const token = `demo-token-${this.given}`;
    this.expiries.set(token, this.now() + this.lastsSeconds * 1000);
    return { access_token: token, token_type: "bearer", expires_in: this.lastsSeconds, scope: "*" };
  }
}

/** A submission (`t3`) or a comment (`t1`) as the fake keeps it. */
interface DemoThing {
  readonly kind: "t1" | "t3";
  /** Its fullname: the kind and an id that grows, such as `t3_1000000`. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Of a submission, or of the one that a comment is on. */
  readonly title: string;
  /** Empty for a submission of a link. */
  readonly text: string;
  readonly subreddit: string;
  readonly author: Person;
  readonly score: number;
  /** When it was edited, in milliseconds since the epoch. */
  readonly editedAt: number | undefined;
  /** Who took it away; it is then shown without its text and author, where it is shown at all. */
  readonly removedBy: "deleted" | "moderator" | undefined;
  /** Of a comment: the fullname of its submission. */
  readonly linkId: string | undefined;
  /** Fields that replace or add to those of the response. */
  readonly extra: Readonly<Record<string, unknown>>;
}

const SUBREDDITS = ["demo_phones", "demo_gadgets", "demo_reviews"] as const;
/** Ids of seven characters, so that they sort as they grow. */
const FIRST_ID = 36 ** 6;

/** An invented submission or comment of this number and time; `values` replaces parts of it. */
function inventThing(number: number, at: number, values: Partial<DemoThing> = {}): DemoThing {
  const random = randomOf(number);
  const { kind = "t3" } = values;
  return {
    kind,
    id: `${kind}_${(FIRST_ID + number).toString(36)}`,
    at,
    title: inventText(random),
    text: inventText(random),
    subreddit: oneOf(SUBREDDITS, random),
    author: inventPerson(random),
    score: Math.floor(random() * 200),
    editedAt: undefined,
    removedBy: undefined,
    linkId: kind === "t1" ? `t3_${FIRST_ID.toString(36)}` : undefined,
    extra: {},
    ...values,
  };
}

const QUERY_CHARACTERS_MAX = 512;
const LIMIT_DEFAULT = 25;
const LIMIT_MAX = 100;

/** What a request lists. */
interface ListingRequest {
  readonly wants: (thing: DemoThing) => boolean;
  /** Subreddits that it names, in lower case; empty: all. */
  readonly subreddits: readonly string[];
  readonly isSearch: boolean;
  readonly limit: number;
  /** Fullname of the last thing of the page before. */
  readonly after: string | undefined;
  readonly isRaw: boolean;
}

const PATH = /^(?:\/r\/([A-Za-z0-9_+]+))?\/(search|new|comments)\/?$/;

/** Reads a request for a listing; undefined for another path. Throws QueryRefused. */
function readListing(path: string, query: URLSearchParams): ListingRequest | undefined {
  const [, names, what] = PATH.exec(path) ?? [];
  if (what === undefined) return undefined;
  const subreddits = names === undefined ? [] : names.toLowerCase().split("+");
  const isWithin = (thing: DemoThing) => subreddits.length === 0 || subreddits.includes(thing.subreddit.toLowerCase());
  const isFound =
    what === "search" ? foundBy(query) : ({ kind }: DemoThing) => (kind === "t1") === (what === "comments");
  const after = query.get("after") ?? "";
  if (after !== "" && !/^t[13]_[a-z0-9]+$/.test(after)) throw new QueryRefused(`${after} is no fullname.`);
  return {
    wants: (thing) => thing.removedBy === undefined && isWithin(thing) && isFound(thing),
    subreddits,
    isSearch: what === "search",
    limit: limitOf(query),
    after: after === "" ? undefined : after,
    isRaw: query.get("raw_json") === "1",
  };
}

/** Searches of other kinds than submissions, and in other orders, are none of this fake's business. */
function foundBy(query: URLSearchParams): (thing: DemoThing) => boolean {
  if (query.get("sort") !== "new" || query.get("type") !== "link") {
    throw new QueryRefused("This fake knows sort=new and type=link only.");
  }
  const matches = readRedditQuery(query.get("q") ?? "", QUERY_CHARACTERS_MAX);
  return (thing) => thing.kind === "t3" && matches(thing);
}

/** Reddit gives 25 without a limit, and never more than 100. */
function limitOf(query: URLSearchParams): number {
  const limit = Number(query.get("limit") ?? LIMIT_DEFAULT);
  return Number.isInteger(limit) && limit >= 1 ? Math.min(limit, LIMIT_MAX) : LIMIT_DEFAULT;
}

/** What a query is about. */
type Searched = Pick<DemoThing, "title" | "text">;

const PIECES = /\s*("[^"]*"|[()]|-(?=\S)|[^\s()"]+)/gy;

/**
 * Reads a query as Reddit's documentation describes it: words are all required, `OR`, `NOT` or `-`, quoted phrases and
 * parentheses; a space binds tighter than OR. Fields such as `title:` are known, but this fake has no use for them.
 */
export function readRedditQuery(text: string, charactersMax: number): Condition<Searched> {
  return new RedditQueryReader(piecesOf(text, PIECES, charactersMax)).read();
}

class RedditQueryReader extends QueryReader<Searched> {
  protected override readonly conjunction = "AND";

  protected conditionOf(piece: string): Condition<Searched> {
    if (piece === "NOT" || piece === "-") {
      const excluded = this.readOne();
      return (thing) => !excluded(thing);
    }
    if (/^[a-z_]+:/.test(piece)) throw new QueryRefused(`This fake does not know ${piece}.`);
    const wanted = wordsOf(piece);
    return ({ title, text }) => [title, text].some((part) => contains(wordsOf(part), wanted));
  }
}

interface ListingOptions {
  readonly after: string | null;
  /** Whether the request had `raw_json=1`: without it, Reddit escapes texts for HTML. */
  readonly isRaw: boolean;
}

/** A page of things. */
function listingJson(things: readonly DemoThing[], { after, isRaw }: ListingOptions): Record<string, unknown> {
  const children = things.map((thing) => ({ kind: thing.kind, data: thingAnswer(thing, isRaw) }));
  return { kind: "Listing", data: { after, before: null, dist: children.length, modhash: "", children } };
}

function thingAnswer(thing: DemoThing, isRaw: boolean): Record<string, unknown> {
  const shown = (text: string): string => (isRaw ? text : escaped(text));
  const own = thing.kind === "t3" ? submissionAnswer(thing, shown) : commentAnswer(thing, shown);
  return { ...commonAnswer(thing), ...own, demo: true, ...thing.extra };
}

function commonAnswer(thing: DemoThing): Record<string, unknown> {
  const { id, at, subreddit, author, score, editedAt, removedBy } = thing;
  const isGone = removedBy !== undefined;
  return {
    id: id.slice("t3_".length),
    name: id,
    subreddit,
    subreddit_id: "t5_demo",
    subreddit_name_prefixed: `r/${subreddit}`,
    author: isGone ? "[deleted]" : author.username,
    ...(!isGone && { author_fullname: `t2_${Number(author.id).toString(36)}` }),
    distinguished: null,
    created_utc: Math.floor(at / 1000),
    edited: editedAt === undefined ? false : Math.floor(editedAt / 1000),
    score,
    ups: score,
    score_hidden: false,
    over_18: false,
    permalink: permalinkOf(thing),
    total_awards_received: 0,
  };
}

type Shown = (text: string) => string;

function submissionAnswer(thing: DemoThing, shown: Shown): Record<string, unknown> {
  const { title, text, score, removedBy, subreddit } = thing;
  return {
    title: shown(title),
    selftext: goneTextOf(thing) ?? shown(text),
    selftext_html: null,
    url: `https://www.reddit.com${permalinkOf(thing)}`,
    domain: `self.${subreddit}`,
    is_self: true,
    is_video: false,
    post_hint: "self",
    upvote_ratio: 0.93,
    num_comments: Math.floor(score / 6),
    num_crossposts: Math.floor(score / 50),
    link_flair_text: "Invented",
    removed_by_category: removedBy ?? null,
  };
}

function commentAnswer(thing: DemoThing, shown: Shown): Record<string, unknown> {
  const { linkId, title, text, extra } = thing;
  return {
    body: goneTextOf(thing) ?? shown(text),
    body_html: null,
    link_id: linkId,
    parent_id: extra["parent_id"] ?? linkId,
    link_title: shown(title),
    replies: "",
  };
}

/** What stands where the text was. */
function goneTextOf({ removedBy }: DemoThing): string | undefined {
  if (removedBy === undefined) return undefined;
  return removedBy === "deleted" ? "[deleted]" : "[removed]";
}

function permalinkOf({ id, kind, subreddit, linkId }: DemoThing): string {
  const own = id.slice("t3_".length);
  const link = kind === "t3" ? own : (linkId ?? "").slice("t3_".length);
  return `/r/${subreddit}/comments/${link}/invented/${kind === "t3" ? "" : `${own}/`}`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const MESSAGES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  429: "Too Many Requests",
  503: "Service Unavailable",
};

/** An error of Reddit's data API; `reason` says why a subreddit is not shown. */
export function redditProblem(status: number, reason?: "private" | "banned"): Reply {
  const body = { message: MESSAGES[status] ?? "Error", error: status, ...(reason !== undefined && { reason }) };
  return { status, body };
}
