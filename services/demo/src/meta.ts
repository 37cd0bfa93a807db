import { createHmac } from "node:crypto";
import { FacebookPages } from "./facebook.js";
import { graphError, GraphRefused } from "./graph.js";
import { InstagramMedia } from "./instagram.js";
import { type Reply, RequestWindow, Upstream, type UpstreamRequest } from "./upstream.js";

const HOUR_MS = 60 * 60_000;
const CALLS_MAX = 1000;
/** The account in whose name Instagram is read, unless another one is given. */
const USER_ID = "17841400000000009";
const VERSION = /^\/v\d{1,2}\.\d(?=\/)/;

/** What a test or the demo decides about the fake. */
export interface MetaUpstreamOptions {
  /** The access token that it accepts. */
  readonly token: string;
  /** Set: every request must carry its proof. */
  readonly appSecret?: string;
  /** Id of the account in whose name Instagram is read; default `17841400000000009`. */
  readonly userId?: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default: any free one. */
  readonly port?: number;
}

/**
 * A fake of Meta's Graph API, made from its documentation: posts and comments of pages of Facebook, media of Instagram by
 * hashtag and by account, cursors, error codes and headers of usage. What it gives out is invented.
 */
export class MetaUpstream extends Upstream {
  readonly facebook: FacebookPages;
  readonly instagram: InstagramMedia;
  /** Calls of an hour, of which the headers of usage state the share. */
  readonly calls: RequestWindow;
  /** Replaces the headers of usage. */
  usage: Readonly<Record<string, string>> | undefined;

  private constructor(private readonly options: MetaUpstreamOptions) {
    super();
    this.facebook = new FacebookPages(options.now);
    this.instagram = new InstagramMedia(options.userId ?? USER_ID, options.now);
    this.calls = new RequestWindow(CALLS_MAX, HOUR_MS, options.now);
  }

  static start(options: MetaUpstreamOptions): Promise<MetaUpstream> {
    return new MetaUpstream(options).listen(options.port);
  }

  protected respond(request: UpstreamRequest): Reply {
    const { isExceeded, limit, left } = this.calls.take();
    const share = isExceeded ? 100 : Math.floor((100 * (limit - left)) / limit);
    const headers = this.usage ?? usageHeaders(share);
    const reply = isExceeded ? graphError(4) : this.graph(request);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  }

  private graph(request: UpstreamRequest): Reply {
    try {
      this.mustBeSigned(request);
      if (request.method !== "GET") throw new GraphRefused(graphError(100, "(#100) Unsupported request"));
      const path = request.path.replace(VERSION, "");
      const reply = this.facebook.respond(path, request) ?? this.instagram.respond(path, request);
      return reply ?? graphError(100, undefined, { subcode: 33 });
    } catch (error) {
      if (error instanceof GraphRefused) return error.reply;
      throw error;
    }
  }

  private mustBeSigned({ headers, query }: UpstreamRequest): void {
    const { token, appSecret } = this.options;
    const given = query.get("access_token") ?? headers.authorization?.replace(/^Bearer /, "");
    if (given === undefined) throw new GraphRefused(graphError(2500, "An active access token must be used."));
    if (given !== token) {
      throw new GraphRefused(graphError(190, `Malformed access token ${given}`, { subcode: 467 }));
    }
    if (appSecret === undefined) return;
    const proof = createHmac("sha256", appSecret).update(token).digest("hex");
    if (query.get("appsecret_proof") === proof) return;
    throw new GraphRefused(graphError(100, "Invalid appsecret_proof provided in the API argument"));
  }
}

function usageHeaders(share: number): Record<string, string> {
  return { "X-App-Usage": JSON.stringify({ call_count: share, total_time: share, total_cputime: 0 }) };
}
