import { Timeline } from "../timeline/timeline.js";
import type { Reply, UpstreamRequest } from "../upstream/exchange.js";
import { RequestWindow } from "../upstream/request-window.js";
import { Upstream } from "../upstream/upstream.js";
import { envelope, videoAnswer } from "./answer.js";
import { ParamsRefused, tiktokProblem } from "./problem.js";
import { readSearch } from "./search-request.js";
import { cursorOf, Searches } from "./searches.js";
import { type DemoVideo, inventVideo } from "./video.js";

const DAY_MS = 24 * 60 * 60_000;
const REQUESTS_MAX = 1000;
const TOKEN_SECONDS = 7200;
const TOKEN_PATH = "/v2/oauth/token/";
const SEARCH_PATH = "/v2/research/video/query/";

/** What a test or the demo decides about the fake. */
export interface TiktokUpstreamOptions {
  readonly key: string;
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default: any free one. */
  readonly port?: number;
}

/**
 * A fake of TikTok's Research API, made from TikTok's documentation: tokens of clients, conditions, days, cursors with
 * `search_id`, the daily quota and errors. Its videos are invented.
 */
export class TiktokUpstream extends Upstream {
  readonly timeline = new Timeline<DemoVideo>();
  readonly searches = new Searches();
  /** Requests of a day. */
  readonly quota: RequestWindow;
  /** Whether the client may use the Research API. */
  isApproved = true;
  /** Whether it gives tokens to the client. */
  isClientKnown = true;
  /** Videos of a page, however many are asked for: TikTok's pages may hold fewer. */
  pageMax = Infinity;
  private tokens = 0;
  /** When the token ends that was given last. */
  private tokenEndsAt = 0;
  private added = 0;

  private constructor(private readonly options: TiktokUpstreamOptions) {
    super();
    this.quota = new RequestWindow(REQUESTS_MAX, DAY_MS, options.now);
  }

  static start(options: TiktokUpstreamOptions): Promise<TiktokUpstream> {
    return new TiktokUpstream(options).listen(options.port, TOKEN_PATH);
  }

  /** Adds an invented video; default time: now. Returns its id. */
  post(values: Partial<DemoVideo> = {}): string {
    this.added += 1;
    const video = inventVideo(this.added, values.at ?? this.options.now(), values);
    this.timeline.add(video);
    return video.id;
  }

  /** Ends the token that was given last, as TikTok does when its owner revokes it. */
  revokeToken(): void {
    this.tokenEndsAt = 0;
  }

  protected answer(request: UpstreamRequest): Reply {
    if (request.method !== "POST") return tiktokProblem("not_found");
    if (request.path === TOKEN_PATH) return this.grant(request);
    if (request.path !== SEARCH_PATH) return tiktokProblem("not_found");
    if (!this.isAuthorized(request)) return tiktokProblem("access_token_invalid");
    if (!this.isApproved) return tiktokProblem("scope_not_authorized");
    if (this.quota.take().isExceeded) return tiktokProblem("daily_quota_limit_exceeded");
    return this.search(request);
  }

  private grant({ body, headers }: UpstreamRequest): Reply {
    const { key, secret, now } = this.options;
    const form = new URLSearchParams(body);
    const isForm = headers["content-type"] === "application/x-www-form-urlencoded";
    if (!isForm || form.get("grant_type") !== "client_credentials") return tokenProblem("invalid_request");
    const isKnown = this.isClientKnown && form.get("client_key") === key && form.get("client_secret") === secret;
    if (!isKnown) return tokenProblem("invalid_client");
    this.tokens += 1;
    this.tokenEndsAt = now() + TOKEN_SECONDS * 1000;
    return { body: { access_token: this.token, expires_in: TOKEN_SECONDS, token_type: "Bearer" } };
  }

  private get token(): string {
    return `clt.demo${this.tokens}`;
  }

  private isAuthorized({ headers }: UpstreamRequest): boolean {
    return headers.authorization === `Bearer ${this.token}` && this.options.now() < this.tokenEndsAt;
  }

  private search({ query, body }: UpstreamRequest): Reply {
    try {
      const asked = readSearch(query.get("fields") ?? "", body);
      const search = this.searches.of(asked.searchId, asked.key);
      const token = search.tokens.get(asked.cursor);
      if (asked.cursor > 0 && token === undefined) throw new ParamsRefused("The cursor is not one of this search");
      const limit = Math.min(asked.limit, this.pageMax);
      const { items, nextToken } = this.timeline.page({ wants: asked.matches, limit, token });
      const next = asked.cursor + asked.limit;
      return {
        body: envelope({
          videos: items.map((video) => videoAnswer(video, asked.fields)),
          cursor: nextToken === undefined ? next : cursorOf(search, nextToken, next),
          has_more: nextToken !== undefined,
          search_id: search.id,
        }),
      };
    } catch (error) {
      if (error instanceof ParamsRefused) return tiktokProblem("invalid_params", error.message);
      throw error;
    }
  }
}

function tokenProblem(error: string): Reply {
  const description = error === "invalid_client" ? "Client key or secret is incorrect." : "The request is malformed.";
  return { status: 400, body: { error, error_description: description, log_id: "20261122120000DEMO" } };
}
