import { Timeline } from "../timeline/timeline.js";
import type { Reply, UpstreamRequest } from "../upstream/exchange.js";
import { RequestWindow } from "../upstream/request-window.js";
import { Upstream } from "../upstream/upstream.js";
import { metadataAnswer, postAnswer, statisticsAnswer } from "./answer.js";
import {
  checkHeaders,
  checkMethod,
  listOf,
  organisationOf,
  readPostsRequest,
  RestRefused,
} from "./linkedin-request.js";
import { DEMO_ORGANISATION, type DemoOrganisationPost, inventOrganisationPost } from "./organisation-post.js";
import { linkedinProblem } from "./problem.js";

const DAY_MS = 24 * 60 * 60_000;
const REQUESTS_MAX = 100_000;
const TOKEN_PATH = "/oauth/v2/accessToken";
const TOKEN_DAYS = 60;
const TOKEN_SECONDS = TOKEN_DAYS * 24 * 60 * 60;

/** What a test or the demo decides about the fake. */
export interface LinkedinUpstreamOptions {
  /** The access token that it accepts until one is renewed. */
  readonly token: string;
  readonly refreshToken?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default: any free one. */
  readonly port?: number;
}

/**
 * A fake of LinkedIn's Community Management API, made from LinkedIn's documentation: posts of organisations by offset,
 * reactions, share statistics, names, versions, renewal of tokens and errors. Its posts are invented.
 */
export class LinkedinUpstream extends Upstream {
  /** By the time of the last change. */
  readonly timeline = new Timeline<DemoOrganisationPost>();
  /** Requests of a day. */
  readonly quota: RequestWindow;
  /** Versions that it answers. */
  readonly versions = new Set(["202606", "202607"]);
  /** Organisations that the member administers. */
  readonly organisations = new Map<string, { vanityName: string; localizedName: string }>([
    [DEMO_ORGANISATION.id, DEMO_ORGANISATION],
  ]);
  /** Posts of a page, whatever is asked for. */
  postsMax = Infinity;
  /** Resources that the app may not use, such as `/rest/socialMetadata`. */
  readonly forbidden = new Set<string>();
  private readonly startTokens = new Map<string, string>();
  private token: string;
  private renewals = 0;
  private added = 0;

  private constructor(private readonly options: LinkedinUpstreamOptions) {
    super();
    this.token = options.token;
    this.quota = new RequestWindow(REQUESTS_MAX, DAY_MS, options.now);
  }

  static start(options: LinkedinUpstreamOptions): Promise<LinkedinUpstream> {
    return new LinkedinUpstream(options).listen(options.port, TOKEN_PATH);
  }

  /** Adds an invented post; default time: now. Returns its URN. */
  post(values: Partial<DemoOrganisationPost> = {}): string {
    this.added += 1;
    const post = inventOrganisationPost(this.added, values.at ?? this.options.now(), values);
    this.timeline.add(post);
    return post.id;
  }

  /** Edits a post, which thereby becomes the one that was changed last. */
  edit(id: string, text: string): void {
    this.timeline.edit(id, (post) => ({ ...post, text, at: this.options.now() }));
  }

  /** Ends the access token, as LinkedIn does when the member revokes it. */
  revokeToken(): void {
    this.token = "";
  }

  protected answer(request: UpstreamRequest): Reply {
    try {
      if (request.path === TOKEN_PATH && request.method === "POST") return this.renew(request);
      const authorization = request.headers.authorization;
      if (this.token === "" || authorization !== `Bearer ${this.token}`) return linkedinProblem(401);
      checkHeaders(request, this.versions);
      if (this.quota.take().isExceeded) return linkedinProblem(429);
      if (this.forbidden.has(request.path)) return linkedinProblem(403);
      return this.resource(request);
    } catch (error) {
      if (error instanceof RestRefused) return linkedinProblem(error.status, error.message);
      throw error;
    }
  }

  private resource(request: UpstreamRequest): Reply {
    const { path } = request;
    if (path === "/rest/organizationAcls") return this.administered(request);
    if (path === "/rest/posts") return this.posts(request);
    if (path === "/rest/socialMetadata") return this.metadata(request);
    if (path === "/rest/organizationalEntityShareStatistics") return this.statistics(request);
    const names = this.organisations.get(/^\/rest\/organizations\/(\d+)$/.exec(path)?.[1] ?? "");
    return names === undefined ? linkedinProblem(404) : { body: { ...names, demo: true } };
  }

  private administered(request: UpstreamRequest): Reply {
    checkMethod(request, "FINDER");
    const elements = [...this.organisations.keys()].map((id) => ({ organization: `urn:li:organization:${id}` }));
    return { body: { paging: { start: 0, count: 10, links: [] }, elements } };
  }

  private renew({ body }: UpstreamRequest): Reply {
    const form = new URLSearchParams(body);
    const { refreshToken, clientId, clientSecret } = this.options;
    const isKnown =
      refreshToken !== undefined &&
      form.get("refresh_token") === refreshToken &&
      form.get("client_id") === clientId &&
      form.get("client_secret") === clientSecret;
    if (form.get("grant_type") !== "refresh_token" || !isKnown) {
      const error_description = "The provided authorization grant or refresh token is invalid, expired or revoked";
      return { status: 400, body: { error: "invalid_grant", error_description } };
    }
    this.renewals += 1;
    this.token = `renewed-${this.renewals}`;
    return { body: { access_token: this.token, expires_in: TOKEN_SECONDS, refresh_token: refreshToken } };
  }

  private posts(request: UpstreamRequest): Reply {
    checkMethod(request, "FINDER");
    const { organisation, start, count: asked } = readPostsRequest(request);
    const count = Math.min(asked, this.postsMax);
    if (!this.organisations.has(organisation)) return linkedinProblem(403);
    const wants = (post: DemoOrganisationPost): boolean => post.organisation === organisation;
    const token = this.startTokens.get(`${organisation} ${start}`);
    const isBehind = start > 0 && token === undefined;
    const { items, nextToken } = isBehind
      ? { items: [], nextToken: undefined }
      : this.timeline.page({ wants, limit: count, token });
    if (nextToken !== undefined) this.startTokens.set(`${organisation} ${start + count}`, nextToken);
    const next = `/rest/posts?start=${start + count}&count=${count}`;
    const links = nextToken === undefined ? [] : [{ type: "application/json", rel: "next", href: next }];
    return { body: { paging: { start, count, links }, elements: items.map(postAnswer) } };
  }

  private metadata(request: UpstreamRequest): Reply {
    checkMethod(request, "BATCH_GET");
    const known = this.known(listOf(request.query.get("ids")));
    const results = Object.fromEntries(known.map((post) => [post.id, metadataAnswer(post)]));
    return { body: { results, statuses: {}, errors: {} } };
  }

  private statistics(request: UpstreamRequest): Reply {
    checkMethod(request, "FINDER");
    const { query } = request;
    const organisation = organisationOf(query.get("organizationalEntity"));
    if (!this.organisations.has(organisation)) return linkedinProblem(403);
    const known = this.known([...listOf(query.get("shares")), ...listOf(query.get("ugcPosts"))]);
    return { body: { paging: { start: 0, count: 10, links: [] }, elements: known.map(statisticsAnswer) } };
  }

  private known(urns: readonly string[]): DemoOrganisationPost[] {
    return urns.flatMap((urn) => this.timeline.get(urn) ?? []);
  }
}
