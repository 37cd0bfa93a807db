import { Timeline } from "../timeline/timeline.js";
import { QueryRefused } from "../query/query-reader.js";
import type { Reply, UpstreamRequest } from "../upstream/exchange.js";
import { RequestWindow, type WindowState } from "../upstream/request-window.js";
import { Upstream } from "../upstream/upstream.js";
import { lookUpAnswer, type Naming, searchAnswer } from "./answer.js";
import { type DemoPost, inventPost } from "./post.js";
import { problem } from "./problem.js";
import { readQuery } from "./query.js";
import { readLookUp, readSearch, RequestRefused } from "./search-request.js";
import { snowflakeOf, timeOfSnowflake } from "./snowflake.js";

const QUARTER_HOUR_MS = 15 * 60_000;
const REQUESTS_MAX = 450;
const SEARCH_PATH = "/2/tweets/search/recent";
const LOOK_UP_PATH = "/2/tweets";
const COUNTS_PATH = "/2/tweets/counts/recent";
const CHARACTERS_MAX = 512;

/** What a test or the demo decides about the fake. */
export interface TwitterUpstreamOptions {
  /** The token that it accepts. */
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default: any free one. */
  readonly port?: number;
}

/**
 * A fake of X's recent search and look-up of posts, made from X's documentation of API v2: paging, `since_id`, windows
 * of requests, operators and errors. Its posts are invented.
 */
export class TwitterUpstream extends Upstream {
  readonly timeline = new Timeline<DemoPost>();
  /** Requests of a window of 15 minutes. */
  readonly window: RequestWindow;
  /** Posts that X would have billed. */
  postsRead = 0;
  /** By how much its clock is ahead of `now`. */
  clockAheadMs = 0;
  /** Which names of fields it uses. */
  naming: Naming = "tweet";
  private added = 0;

  private constructor(private readonly options: TwitterUpstreamOptions) {
    super();
    this.window = new RequestWindow(REQUESTS_MAX, QUARTER_HOUR_MS, options.now);
  }

  static start(options: TwitterUpstreamOptions): Promise<TwitterUpstream> {
    return new TwitterUpstream(options).listen(options.port);
  }

  /** Adds an invented post; default time: now. Returns its id. */
  post(values: Partial<DemoPost> = {}): string {
    this.added += 1;
    const post = inventPost(this.added, values.at ?? this.options.now(), values);
    this.timeline.add(post);
    return post.id;
  }

  /** Edits a post as X does: the new version has an id of its own, which is returned. */
  edit(id: string, text: string): string {
    this.added += 1;
    const edited = snowflakeOf(this.options.now(), this.added);
    this.timeline.edit(id, (post) => ({ ...post, id: edited, text, history: [...post.history, edited] }));
    return edited;
  }

  protected answer(request: UpstreamRequest): Reply {
    if (request.headers.authorization !== `Bearer ${this.options.token}`) return problem(401);
    if (request.method !== "GET" || ![SEARCH_PATH, COUNTS_PATH, LOOK_UP_PATH].includes(request.path))
      return problem(404);
    const state = this.window.take();
    const reply = state.isExceeded ? problem(429) : this.reply(request);
    return { ...reply, headers: { ...reply.headers, ...this.headersOf(state) } };
  }

  private reply(request: UpstreamRequest): Reply {
    if (request.path === LOOK_UP_PATH) return this.lookUp(request);
    return request.path === SEARCH_PATH ? this.search(request) : this.count(request);
  }

  /** Reads no posts. */
  private count({ query }: UpstreamRequest): Reply {
    try {
      const count = this.timeline.count(readQuery(query.get("query") ?? "", CHARACTERS_MAX));
      return { body: { data: [], meta: { total_tweet_count: count } } };
    } catch (error) {
      if (error instanceof QueryRefused) return problem(400, error.message);
      throw error;
    }
  }

  /** Bills the posts that it finds. */
  private lookUp({ query }: UpstreamRequest): Reply {
    try {
      const { ids, expansions } = readLookUp(query);
      const posts = ids.flatMap((id) => this.timeline.get(id) ?? []);
      const missing = ids.filter((id) => this.timeline.get(id) === undefined);
      this.postsRead += posts.length;
      return { body: lookUpAnswer(posts, { missing, expansions, naming: this.naming }) };
    } catch (error) {
      if (error instanceof RequestRefused) return problem(400, error.message);
      throw error;
    }
  }

  private search({ query }: UpstreamRequest): Reply {
    try {
      const search = readSearch(query, this.options.now());
      const { items, nextToken } = this.timeline.page({
        wants: (post) =>
          search.matches(post) &&
          (search.sinceId === undefined || BigInt(post.id) > BigInt(search.sinceId)) &&
          timeOfSnowflake(post.id) >= search.from,
        limit: search.limit,
        token: search.token,
      });
      this.postsRead += items.length;
      return { body: searchAnswer(items, { nextToken, expansions: search.expansions, naming: this.naming }) };
    } catch (error) {
      if (error instanceof QueryRefused || error instanceof RequestRefused) return problem(400, error.message);
      throw error;
    }
  }

  private headersOf({ limit, left, resetAt }: WindowState): Record<string, string> {
    return {
      Date: new Date(this.options.now() + this.clockAheadMs).toUTCString(),
      "x-rate-limit-limit": String(limit),
      "x-rate-limit-remaining": String(left),
      "x-rate-limit-reset": String(Math.ceil((resetAt + this.clockAheadMs) / 1000)),
    };
  }
}
