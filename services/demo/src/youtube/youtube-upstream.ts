import { Timeline } from "../timeline/timeline.js";
import type { Reply, UpstreamRequest } from "../upstream/exchange.js";
import { Upstream } from "../upstream/upstream.js";
import { type DemoComment, inventComment } from "./comment.js";
import { answerMethod } from "./methods.js";
import { DailyQuota } from "./daily-quota.js";
import { problem, RequestRefused } from "./problem.js";
import { type DemoVideo, inventVideo } from "./video.js";

const SEARCHES_PER_DAY = 100;
const UNITS_PER_DAY = 10_000;

/** What a test or the demo decides about the fake. */
export interface YoutubeUpstreamOptions {
  /** The API key that it accepts. */
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default: any free one. */
  readonly port?: number;
  /** Default: as YouTube's own, 100 and 10,000. */
  readonly searchesPerDay?: number;
  readonly unitsPerDay?: number;
}

/**
 * A fake of YouTube's Data API v3, made from its documentation: search, videos, channels, threads of comments and replies,
 * with paging, daily quotas and errors. Its videos and comments are invented.
 */
export class YoutubeUpstream extends Upstream {
  readonly videos = new Timeline<DemoVideo>();
  /** Comments of all videos, replies included. */
  readonly comments = new Timeline<DemoComment>();
  /** Calls of search.list a day. */
  readonly searches: DailyQuota;
  /** Units of all other methods a day. */
  readonly units: DailyQuota;
  private added = 0;

  private constructor(private readonly options: YoutubeUpstreamOptions) {
    super();
    this.searches = new DailyQuota(options.searchesPerDay ?? SEARCHES_PER_DAY, options.now);
    this.units = new DailyQuota(options.unitsPerDay ?? UNITS_PER_DAY, options.now);
  }

  static start(options: YoutubeUpstreamOptions): Promise<YoutubeUpstream> {
    return new YoutubeUpstream(options).listen(options.port);
  }

  /** What `describeConnector` makes irregular. */
  get timeline(): Timeline<DemoVideo> {
    return this.videos;
  }

  /** Adds an invented video; default time: now. Returns its id. */
  post(values: Partial<DemoVideo> = {}): string {
    this.added += 1;
    const video = inventVideo(this.added, values.at ?? this.options.now(), values);
    this.videos.add(video);
    return video.id;
  }

  /** Adds an invented comment on a video; default time: now. Returns its id. */
  comment({ videoId, at = this.options.now(), ...values }: Partial<DemoComment> & { videoId: string }): string {
    this.added += 1;
    const comment = inventComment(this.added, { ...values, videoId, at });
    this.comments.add(comment);
    return comment.id;
  }

  protected answer(request: UpstreamRequest): Reply {
    const key = request.headers["x-goog-api-key"] ?? request.query.get("key") ?? undefined;
    if (key === undefined) return problem(403, "forbidden", "Method doesn't allow unregistered callers.");
    if (key !== this.options.key) {
      return problem(400, "badRequest", "API key not valid. Please pass a valid API key.", "API_KEY_INVALID");
    }
    const quota = request.path.endsWith("/search") ? this.searches : this.units;
    if (!quota.take()) return problem(403, "quotaExceeded", "You have exceeded your <a>quota</a>.");
    try {
      return { body: answerMethod(this, request, this.options.now()) };
    } catch (error) {
      if (error instanceof RequestRefused) return problem(error.status, error.reason, error.message);
      throw error;
    }
  }
}
