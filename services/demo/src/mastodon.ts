import { inventPerson, inventText, type Person, randomOf } from "./invented.js";
import { idOfToken, Timeline } from "./timeline.js";
import { type Reply, RequestWindow, Upstream, type UpstreamRequest, type WindowState } from "./upstream.js";

const FIVE_MINUTES_MS = 5 * 60_000;
const REQUESTS_MAX = 300;
const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 40;
const PATH = /^\/api\/v1\/timelines\/tag\/([^/]+)$/;

/** What a test decides about the fake. */
interface MastodonUpstreamOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default: any free one. */
  readonly port?: number;
}

/** A fake of a server of Mastodon, made from its documentation: public tag timelines, Link headers, rate limits. */
export class MastodonUpstream extends Upstream {
  readonly timeline = new Timeline<DemoStatus>();
  /** Requests of one address in five minutes. */
  readonly window: RequestWindow;
  /** Postings of a page, whatever is requested. */
  statusesMax = LIMIT_MAX;
  /** Whether it states where the next page is. */
  statesLinks = true;
  /** Whether timelines are shown to people only who have signed in. */
  isClosed = false;
  private added = 0;

  private constructor(private readonly options: MastodonUpstreamOptions) {
    super();
    this.window = new RequestWindow(REQUESTS_MAX, FIVE_MINUTES_MS, options.now);
  }

  static start(options: MastodonUpstreamOptions): Promise<MastodonUpstream> {
    return new MastodonUpstream(options).listen(options.port);
  }

  /** Adds an invented posting with the tag `kestrel`; default time: now. Returns its address, which is its id. */
  post(values: Partial<DemoStatus> = {}): string {
    this.added += 1;
    const status = inventStatus(this.added, values.at ?? this.options.now(), values);
    this.timeline.add(status);
    return uriOf(status);
  }

  protected respond({ method, path, query }: UpstreamRequest): Reply {
    const state = this.window.take();
    const reply = state.isExceeded ? problem(429, "Too many requests") : this.list(method, path, query);
    return { ...reply, headers: { ...reply.headers, ...limitHeaders(state) } };
  }

  private list(method: string, path: string, query: URLSearchParams): Reply {
    const [, tag] = PATH.exec(path) ?? [];
    if (method !== "GET" || tag === undefined) return problem(404, "Record not found");
    if (this.isClosed) return problem(422, "This method requires an authenticated user");
    const wanted = decodeURIComponent(tag).toLowerCase();
    const maxId = query.get("max_id");
    const { items, nextToken } = this.timeline.page({
      wants: ({ tags, arrivedAt }) =>
        arrivedAt <= this.options.now() && tags.some((each) => each.toLowerCase() === wanted),
      limit: Math.min(limitOf(query), this.statusesMax),
      token: maxId === null ? undefined : this.timeline.tokenAfter(maxId),
    });
    const next = nextToken === undefined ? undefined : idOfToken(nextToken);
    const [newest] = items;
    const links = [
      ...(next === undefined ? [] : [`<${this.origin}${path}?max_id=${next}>; rel="next"`]),
      ...(newest === undefined ? [] : [`<${this.origin}${path}?min_id=${newest.id}>; rel="prev"`]),
    ];
    return {
      body: items.map(statusJson),
      ...(links.length > 0 && this.statesLinks && { headers: { Link: links.join(", ") } }),
    };
  }
}

function problem(status: number, error: string): Reply {
  return { status, body: { error } };
}

function limitOf(query: URLSearchParams): number {
  const limit = Number(query.get("limit") ?? LIMIT_DEFAULT);
  return Number.isInteger(limit) && limit >= 1 ? Math.min(limit, LIMIT_MAX) : LIMIT_DEFAULT;
}

function limitHeaders({ limit, left, resetAt }: WindowState): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(left),
    "X-RateLimit-Reset": new Date(resetAt).toISOString(),
  };
}

/** A posting as the fake keeps it. */
interface DemoStatus {
  /** Grows with the time of posting, as ids of Mastodon do. */
  readonly id: string;
  /** When it was posted, in milliseconds since the epoch. */
  readonly at: number;
  /** When this server learned of it, in milliseconds since the epoch. */
  readonly arrivedAt: number;
  /** Plain text. */
  readonly text: string;
  /** Without `#`. */
  readonly tags: readonly string[];
  readonly author: Person;
  readonly likes: number;
  /** Fields that replace or add to those of the response. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Where the invented people are. */
const DEMO_HOME = "invented.example";

/** An invented posting of this number and time; `values` replaces parts of it. */
function inventStatus(number: number, at: number, values: Partial<DemoStatus> = {}): DemoStatus {
  const random = randomOf(number);
  return {
    id: ((BigInt(at) << 16n) + BigInt(number)).toString(),
    at,
    arrivedAt: at,
    text: inventText(random),
    tags: ["kestrel"],
    author: inventPerson(random),
    likes: Math.floor(random() * 50),
    extra: {},
    ...values,
  };
}

/** The id of a posting on every server. */
function uriOf({ id }: Pick<DemoStatus, "id">): string {
  return `https://${DEMO_HOME}/ap/users/1/statuses/${id}`;
}

/** A posting as the API gives it. */
function statusJson(status: DemoStatus): Record<string, unknown> {
  const { id, at, text, tags, author, likes, extra } = status;
  const added = tags.filter((tag) => !text.toLowerCase().includes(`#${tag.toLowerCase()}`));
  return {
    id,
    uri: uriOf(status),
    url: `https://${DEMO_HOME}/@${author.username}/${id}`,
    created_at: new Date(at).toISOString(),
    edited_at: null,
    in_reply_to_id: null,
    in_reply_to_account_id: null,
    reblog: null,
    sensitive: false,
    spoiler_text: "",
    visibility: "public",
    language: "en",
    content: [`<p>${escaped(text)}</p>`, ...(added.length > 0 ? [`<p>${added.map(tagLink).join(" ")}</p>`] : [])].join(
      "",
    ),
    replies_count: Math.floor(likes / 5),
    reblogs_count: Math.floor(likes / 3),
    favourites_count: likes,
    account: {
      id: author.id,
      username: author.username,
      acct: `${author.username}@${DEMO_HOME}`,
      display_name: author.name,
      uri: `https://${DEMO_HOME}/users/${author.username}`,
      url: `https://${DEMO_HOME}/@${author.username}`,
      bot: false,
      group: false,
    },
    media_attachments: [],
    mentions: [],
    tags: tags.map((name) => ({ name, url: `https://${DEMO_HOME}/tags/${name}` })),
    emojis: [],
    card: null,
    poll: null,
    demo: true,
    ...extra,
  };
}

function tagLink(tag: string): string {
  return `<a href="https://${DEMO_HOME}/tags/${tag}" class="mention hashtag" rel="tag">#<span>${tag}</span></a>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
