import { inventText, randomOf } from "./invented.js";
import { Timeline } from "./timeline.js";
import { type Reply, RequestWindow, Upstream, type UpstreamRequest } from "./upstream.js";

const DAY_MS = 24 * 60 * 60_000;
const REQUESTS_MAX = 100_000;
const TOKEN_PATH = "/oauth/v2/accessToken";
const TOKEN_DAYS = 60;
const TOKEN_SECONDS = TOKEN_DAYS * 24 * 60 * 60;

/** What a test or the demo decides about the fake. */
interface LinkedinUpstreamOptions {
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
 * A fake of LinkedIn's Community Management API, made from LinkedIn's documentation: posts of organizations by offset,
 * reactions, share statistics, names, versions, renewal of tokens and errors. Its posts are invented.
 */
export class LinkedinUpstream extends Upstream {
  /** By the time of the last change. */
  readonly timeline = new Timeline<DemoOrganizationPost>();
  /** Requests of a day. */
  readonly quota: RequestWindow;
  /** Versions that are active. */
  readonly versions = new Set(["202606", "202607"]);
  /** Organizations that the member administers. */
  readonly organizations = new Map<string, { vanityName: string; localizedName: string }>([
    [DEMO_ORGANIZATION.id, DEMO_ORGANIZATION],
  ]);
  /** Posts of a page, whatever is requested. */
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
  post(values: Partial<DemoOrganizationPost> = {}): string {
    this.added += 1;
    const post = inventOrganizationPost(this.added, values.at ?? this.options.now(), values);
    this.timeline.add(post);
    return post.id;
  }

  /** Edits a post, which becomes the one that was changed last. */
  edit(id: string, text: string): void {
    this.timeline.edit(id, (post) => ({ ...post, text, at: this.options.now() }));
  }

  /** Ends the access token, as LinkedIn does when the member revokes it. */
  revokeToken(): void {
    this.token = "";
  }

  protected respond(request: UpstreamRequest): Reply {
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
    const names = this.organizations.get(/^\/rest\/organizations\/(\d+)$/.exec(path)?.[1] ?? "");
    return names === undefined ? linkedinProblem(404) : { body: { ...names, demo: true } };
  }

  private administered(request: UpstreamRequest): Reply {
    checkMethod(request, "FINDER");
    const elements = [...this.organizations.keys()].map((id) => ({ organization: `urn:li:organization:${id}` }));
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
    const { organization, start, count: requested } = readPostsRequest(request);
    const count = Math.min(requested, this.postsMax);
    if (!this.organizations.has(organization)) return linkedinProblem(403);
    const wants = (post: DemoOrganizationPost): boolean => post.organization === organization;
    const token = this.startTokens.get(`${organization} ${start}`);
    const isBehind = start > 0 && token === undefined;
    const { items, nextToken } = isBehind
      ? { items: [], nextToken: undefined }
      : this.timeline.page({ wants, limit: count, token });
    if (nextToken !== undefined) this.startTokens.set(`${organization} ${start + count}`, nextToken);
    const next = `/rest/posts?start=${start + count}&count=${count}`;
    const links = nextToken === undefined ? [] : [{ type: "application/json", rel: "next", href: next }];
    return { body: { paging: { start, count, links }, elements: items.map(postJson) } };
  }

  private metadata(request: UpstreamRequest): Reply {
    checkMethod(request, "BATCH_GET");
    const known = this.known(listOf(request.query.get("ids")));
    const results = Object.fromEntries(known.map((post) => [post.id, metadataJson(post)]));
    return { body: { results, statuses: {}, errors: {} } };
  }

  private statistics(request: UpstreamRequest): Reply {
    checkMethod(request, "FINDER");
    const { query } = request;
    const organization = organizationOf(query.get("organizationalEntity"));
    if (!this.organizations.has(organization)) return linkedinProblem(403);
    const known = this.known([...listOf(query.get("shares")), ...listOf(query.get("ugcPosts"))]);
    return { body: { paging: { start: 0, count: 10, links: [] }, elements: known.map(statisticsJson) } };
  }

  private known(urns: readonly string[]): DemoOrganizationPost[] {
    return urns.flatMap((urn) => this.timeline.get(urn) ?? []);
  }
}

/** A post of an organization as the fake keeps it. */
interface DemoOrganizationPost {
  /** A URN. */
  readonly id: string;
  /** When it was published, in milliseconds since the epoch. */
  readonly postedAt: number;
  /** When it was changed last, by which posts are sorted. */
  readonly at: number;
  /** Id of the organization. */
  readonly organization: string;
  /** In LinkedIn's "little text". */
  readonly text: string;
  readonly likes: number;
  readonly shares: number;
  /** Fields that replace or add to those of the response. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The organization of invented posts. */
export const DEMO_ORGANIZATION = {
  id: "5515715",
  vanityName: "kestrel-invented",
  localizedName: "Kestrel (invented)",
} as const;

const TIME_BITS = 22n;
/** Of one millisecond. */
const SEQUENCES = 1 << 22;

/** An invented post of this number and time; `values` replaces parts of it. */
function inventOrganizationPost(
  number: number,
  at: number,
  values: Partial<DemoOrganizationPost> = {},
): DemoOrganizationPost {
  const random = randomOf(number);
  const id = (BigInt(at) << TIME_BITS) + BigInt(number % SEQUENCES);
  return {
    id: `urn:li:share:${id}`,
    postedAt: at,
    at,
    organization: DEMO_ORGANIZATION.id,
    text: littleTextOf(inventText(random)),
    likes: Math.floor(random() * 50),
    shares: Math.floor(random() * 9),
    extra: {},
    ...values,
  };
}

/** A text with its tags in braces and its signs escaped, as LinkedIn keeps it. */
function littleTextOf(text: string): string {
  const escaped = text.replaceAll(/[\\|{}@[\]()<>*_~]/g, "\\$&");
  return escaped.replaceAll(/#([\p{L}\p{N}]+)/gu, "{hashtag|\\#|$1}");
}

const COUNT_MAX = 100;

/** A request that LinkedIn would refuse. */
class RestRefused extends Error {
  override readonly name = "RestRefused";

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

interface PostsRequest {
  /** Id of the organization. */
  readonly organization: string;
  readonly start: number;
  readonly count: number;
}

/** Checks the headers that every call of Rest.li needs. Throws RestRefused. */
function checkHeaders({ headers }: UpstreamRequest, versions: ReadonlySet<string>): void {
  const version = headers["linkedin-version"];
  if (typeof version !== "string" || !versions.has(version)) {
    throw new RestRefused(426, `Requested version ${String(version)} is not active`);
  }
  if (headers["x-restli-protocol-version"] !== "2.0.0") throw new RestRefused(400, "Invalid protocol version");
}

/** Checks which method of Rest.li is requested. Throws RestRefused. */
function checkMethod({ headers }: UpstreamRequest, method: "FINDER" | "BATCH_GET"): void {
  if (headers["x-restli-method"] !== method) throw new RestRefused(400, `X-RestLi-Method must be ${method}`);
}

/** Reads a request for posts of an author. Throws RestRefused. */
function readPostsRequest({ query }: UpstreamRequest): PostsRequest {
  if (query.get("q") !== "author") throw new RestRefused(400, "The finder is not known");
  if (query.get("sortBy") !== "LAST_MODIFIED") throw new RestRefused(400, "sortBy is not known");
  const count = Number(query.get("count"));
  const start = Number(query.get("start"));
  if (!Number.isInteger(count) || count < 1 || count > COUNT_MAX) throw new RestRefused(400, "count is from 1 to 100");
  if (!Number.isInteger(start) || start < 0) throw new RestRefused(400, "start is not valid");
  return { organization: organizationOf(query.get("author")), start, count };
}

/** Id of the organization of a URN. Throws RestRefused. */
function organizationOf(urn: string | null): string {
  const id = /^urn:li:organization:(\d+)$/.exec(urn ?? "")?.[1];
  if (id === undefined) throw new RestRefused(400, `${urn} is no URN of an organization`);
  return id;
}

/** The entries of `List(…)`. Throws RestRefused. */
function listOf(text: string | null): string[] {
  const entries = /^List\((.*)\)$/.exec(text ?? "List()")?.[1];
  if (entries === undefined) throw new RestRefused(400, "A list has the form List(…)");
  return entries === "" ? [] : entries.split(",");
}

/** A post as LinkedIn states it. */
function postJson(post: DemoOrganizationPost): Record<string, unknown> {
  const { id, postedAt, at, organization, text, extra } = post;
  return {
    id,
    author: `urn:li:organization:${organization}`,
    commentary: text,
    visibility: "PUBLIC",
    lifecycleState: "PUBLISHED",
    lifecycleStateInfo: { isEditedByAuthor: at > postedAt },
    isReshareDisabledByAuthor: false,
    createdAt: postedAt,
    publishedAt: postedAt,
    lastModifiedAt: at,
    distribution: { feedDistribution: "MAIN_FEED", thirdPartyDistributionChannels: [] },
    demo: true,
    ...extra,
  };
}

/** Reactions to a post and comments on it. */
function metadataJson({ id, likes }: DemoOrganizationPost): Record<string, unknown> {
  const counts = { LIKE: likes, PRAISE: Math.floor(likes / 8), ENTERTAINMENT: 1 };
  const summaries = Object.entries(counts).map(([kind, count]) => [kind, { reactionType: kind, count }]);
  return {
    entity: id,
    commentsState: "OPEN",
    reactionSummaries: Object.fromEntries(summaries) as unknown,
    commentSummary: { count: Math.floor(likes / 5), topLevelCount: Math.floor(likes / 6) },
  };
}

/** How often a post was shared, beside what else LinkedIn counts. */
function statisticsJson({ id, organization, likes, shares }: DemoOrganizationPost): Record<string, unknown> {
  const kind = id.startsWith("urn:li:share:") ? "share" : "ugcPost";
  return {
    [kind]: id,
    organizationalEntity: `urn:li:organization:${organization}`,
    totalShareStatistics: { shareCount: shares, likeCount: likes, impressionCount: likes * 70, clickCount: likes },
  };
}

const PROBLEMS: Readonly<Record<number, readonly [code: string, serviceErrorCode: number, message: string]>> = {
  400: ["ILLEGAL_ARGUMENT", 100, "Syntax exception in path"],
  401: ["REVOKED_ACCESS_TOKEN", 65_601, "The token used in the request has been revoked by the user"],
  403: ["ACCESS_DENIED", 100, "Not enough permissions to access: partnerApiPostsExternal.FINDER-author"],
  404: ["RESOURCE_NOT_FOUND", 0, "No virtual resource found"],
  426: ["NONEXISTENT_VERSION", 0, "Requested version is not active"],
  429: [
    "TOO_MANY_REQUESTS",
    101,
    "Resource level throttle APPLICATION DAY limit for calls to this resource is reached.",
  ],
};

/** An error of LinkedIn. */
function linkedinProblem(status: number, detail?: string): Required<Pick<Reply, "status" | "body">> {
  const [code, serviceErrorCode, message] = PROBLEMS[status] ?? ["INTERNAL_SERVER_ERROR", 0, "Internal Server Error"];
  return { status, body: { message: detail ?? message, status, serviceErrorCode, code } };
}
