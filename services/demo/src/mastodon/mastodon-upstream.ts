import { idOfToken, Timeline } from "../timeline/timeline.js";
import type { Reply, UpstreamRequest } from "../upstream/exchange.js";
import type { Fault } from "../upstream/fault.js";
import { RequestWindow, type WindowState } from "../upstream/request-window.js";
import { UpstreamServer } from "../upstream/upstream-server.js";
import { statusAnswer } from "./answer.js";
import { type DemoStatus, inventStatus, uriOf } from "./status.js";

const FIVE_MINUTES_MS = 5 * 60_000;
const REQUESTS_MAX = 300;
const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 40;
const PATH = /^\/api\/v1\/timelines\/tag\/([^/]+)$/;

/** What a test decides about the fake. */
export interface MastodonUpstreamOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default: any free one. */
  readonly port?: number;
}

/** A fake of a server of Mastodon, made from its documentation: public tag timelines, Link headers, rate limits. */
export class MastodonUpstream {
  readonly timeline = new Timeline<DemoStatus>();
  /** Requests of one address in five minutes. */
  readonly window: RequestWindow;
  /** Postings of a page, whatever is asked for. */
  statusesMax = LIMIT_MAX;
  /** Whether it states where the next page is. */
  statesLinks = true;
  /** Whether timelines are shown to people only who have signed in. */
  isClosed = false;
  private added = 0;
  private started: UpstreamServer | undefined;

  private constructor(private readonly options: MastodonUpstreamOptions) {
    this.window = new RequestWindow(REQUESTS_MAX, FIVE_MINUTES_MS, options.now);
  }

  static async start(options: MastodonUpstreamOptions): Promise<MastodonUpstream> {
    const upstream = new MastodonUpstream(options);
    upstream.started = await UpstreamServer.start((request) => upstream.answer(request), options.port);
    return upstream;
  }

  get origin(): string {
    return this.server.origin;
  }

  get seen(): readonly UpstreamRequest[] {
    return this.server.seen;
  }

  failNext(...faults: readonly Fault[]): void {
    this.server.failNext(...faults);
  }

  failAlways(fault: Fault | undefined): void {
    this.server.failAlways(fault);
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** Adds an invented posting with the tag `kestrel`; default time: now. Returns its address, which is its id. */
  post(values: Partial<DemoStatus> = {}): string {
    this.added += 1;
    const status = inventStatus(this.added, values.at ?? this.options.now(), values);
    this.timeline.add(status);
    return uriOf(status);
  }

  private get server(): UpstreamServer {
    if (this.started === undefined) throw new Error("the upstream has not been started");
    return this.started;
  }

  private answer({ method, path, query }: UpstreamRequest): Reply {
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
      body: items.map(statusAnswer),
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
