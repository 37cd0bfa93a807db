import { inventPerson, inventText, type Person, randomOf } from "./invented.js";
import { contains, wordsOf } from "./query.js";
import { Timeline } from "./timeline.js";
import { type Reply, Upstream, type UpstreamRequest } from "./upstream.js";

const SEARCHES_PER_DAY = 100;
const UNITS_PER_DAY = 10_000;

/** What a test or the demo decides about the fake. */
interface YoutubeUpstreamOptions {
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
  readonly comments = new Timeline<DemoVideoComment>();
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
  comment({ videoId, at = this.options.now(), ...values }: Partial<DemoVideoComment> & { videoId: string }): string {
    this.added += 1;
    const comment = inventComment(this.added, { ...values, videoId, at });
    this.comments.add(comment);
    return comment.id;
  }

  protected respond(request: UpstreamRequest): Reply {
    const key = request.headers["x-goog-api-key"] ?? request.query.get("key") ?? undefined;
    if (key === undefined) return youtubeProblem(403, "forbidden", "Method doesn't allow unregistered callers.");
    if (key !== this.options.key) {
      return youtubeProblem(400, "badRequest", "API key not valid. Please pass a valid API key.", "API_KEY_INVALID");
    }
    const quota = request.path.endsWith("/search") ? this.searches : this.units;
    if (!quota.take()) return youtubeProblem(403, "quotaExceeded", "You have exceeded your <a>quota</a>.");
    try {
      return { body: callMethod(this, request, this.options.now()) };
    } catch (error) {
      if (error instanceof RequestRefused) return youtubeProblem(error.status, error.reason, error.message);
      throw error;
    }
  }
}

/** Google begins a new day at midnight in California. */
const DAY = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Los_Angeles" });

/** Counts what a project used on a day. A request beyond the limit is not counted here, although Google may. */
class DailyQuota {
  used = 0;
  private day = "";

  constructor(
    public limit: number,
    private readonly now: () => number,
  ) {}

  /** Uses a unit; false if none is left. */
  take(): boolean {
    const day = DAY.format(this.now());
    if (day !== this.day) [this.day, this.used] = [day, 0];
    if (this.used >= this.limit) return false;
    this.used += 1;
    return true;
  }
}

/** A video as the fake keeps it. */
interface DemoVideo {
  readonly id: string;
  /** When it was published, in milliseconds since the epoch. */
  readonly at: number;
  /** From when on a search finds it: YouTube indexes some videos late. */
  readonly indexedAt: number;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly channel: Channel;
  readonly views: number;
  /** Undefined: the channel hides them. */
  readonly likes: number | undefined;
  readonly broadcast: "none" | "live" | "upcoming";
  readonly hasComments: boolean;
  /** A deleted video stands in searches for a while. */
  readonly isDeleted: boolean;
  readonly place: VideoPlace | undefined;
  /** Fields that replace or add to those of the response. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Where a video was recorded. */
interface VideoPlace {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

const NUMBER_DIGITS = 7;

/** An invented video of this number and time; later numbers have higher ids. `values` replaces parts of it. */
function inventVideo(number: number, at: number, values: Partial<DemoVideo> = {}): DemoVideo {
  const random = randomOf(number);
  const text = inventText(random);
  return {
    id: `demo${String(number).padStart(NUMBER_DIGITS, "0")}`,
    at,
    indexedAt: at,
    title: text.slice(0, text.indexOf(" and ")),
    description: text,
    tags: ["kestrel", "invented"],
    channel: channelOf(inventPerson(random)),
    views: Math.floor(random() * 5000),
    likes: Math.floor(random() * 200),
    broadcast: "none",
    hasComments: true,
    isDeleted: false,
    place: undefined,
    extra: {},
    ...values,
  };
}

/** A channel, and so an author of videos and comments. */
interface Channel {
  readonly id: string;
  readonly title: string;
  /** With `@`. */
  readonly handle: string;
}

const CHANNEL_DIGITS = 18;

/** The channel of an invented person. */
function channelOf({ id, name, username }: Person): Channel {
  return { id: `UCdemo${id.padStart(CHANNEL_DIGITS, "0")}`, title: name, handle: `@${username}` };
}

/** A comment as the fake keeps it. */
interface DemoVideoComment {
  readonly id: string;
  readonly videoId: string;
  /** The comment to which it replies. */
  readonly parentId: string | undefined;
  readonly at: number;
  readonly editedAt: number;
  readonly text: string;
  /** Undefined: the account was deleted. */
  readonly author: Channel | undefined;
  readonly likes: number;
  /** Fields that replace or add to those of the response. */
  readonly extra: Readonly<Record<string, unknown>>;
}

const COMMENT_DIGITS = 13;

/** An invented comment of this number; later numbers have higher ids. `values` replaces parts of it. */
function inventComment(
  number: number,
  { videoId, at, ...values }: Partial<DemoVideoComment> & Pick<DemoVideoComment, "videoId" | "at">,
): DemoVideoComment {
  const random = randomOf(number);
  const own = `Ugdemo${String(number).padStart(COMMENT_DIGITS, "0")}`;
  return {
    id: values.parentId === undefined ? `${own}4AaABAg` : `${values.parentId}.${own}`,
    videoId,
    parentId: undefined,
    at,
    editedAt: at,
    text: inventText(random),
    author: channelOf(inventPerson(random)),
    likes: Math.floor(random() * 20),
    extra: {},
    ...values,
  };
}

const COMMENTS_MAX = 100;

/** What the methods read. */
interface Library {
  readonly videos: Timeline<DemoVideo>;
  readonly comments: Timeline<DemoVideoComment>;
}

/** The body of the response. Throws RequestRefused. */
function callMethod(library: Library, { method, path, query }: UpstreamRequest, now: number): Record<string, unknown> {
  if (method !== "GET") throw new RequestRefused(404, "notFound");
  switch (path) {
    case "/youtube/v3/search":
      return search(library, query, now);
    case "/youtube/v3/videos":
      return listVideos(library, query);
    case "/youtube/v3/channels":
      return listChannels(library, query);
    case "/youtube/v3/commentThreads":
      return listThreads(library, query);
    case "/youtube/v3/comments":
      return query.has("id") ? listComments(library, query) : listReplies(library, query);
    default:
      throw new RequestRefused(404, "notFound");
  }
}

function search({ videos }: Library, query: URLSearchParams, now: number): Record<string, unknown> {
  const { finds, limit, token } = readSearch(query, now);
  const { items, nextToken } = videos.page({ wants: finds, limit, token });
  return listJson("searchListResponse", items.map(searchResultJson), nextToken);
}

function listVideos(library: Library, query: URLSearchParams): Record<string, unknown> {
  checkNames(query, ["id"]);
  const found = idsOf(query).flatMap((id) => videoWith(library, id) ?? []);
  const items = found.map((video) =>
    videoJson(video, commentsOf(library, ({ videoId }) => videoId === video.id).length),
  );
  return listJson("videoListResponse", items);
}

function listChannels({ videos }: Library, query: URLSearchParams): Record<string, unknown> {
  checkNames(query, ["id", "maxResults"]);
  const ids = new Set(idsOf(query));
  const limit = limitOf(query, 50);
  const { items } = videos.page({ wants: ({ channel }) => ids.has(channel.id), limit: Infinity, token: undefined });
  const channels = new Map(items.map(({ channel }) => [channel.id, channel]));
  return listJson("channelListResponse", [...channels.values()].slice(0, limit).map(channelJson));
}

function listThreads(library: Library, query: URLSearchParams): Record<string, unknown> {
  checkNames(query, ["videoId", "order", "maxResults", "pageToken", "textFormat"]);
  const id = query.get("videoId");
  if (id === null) throw new RequestRefused(400, "missingRequiredParameter", "No filter selected.");
  const video = videoWith(library, id);
  if (video === undefined) throw new RequestRefused(404, "videoNotFound", "The video could not be found.");
  if (!video.hasComments) throw new RequestRefused(403, "commentsDisabled", "The video has disabled comments.");
  const { items, nextToken } = library.comments.page({
    wants: (comment) => comment.videoId === id && comment.parentId === undefined,
    limit: limitOf(query, COMMENTS_MAX),
    token: tokenOf(query),
  });
  const threads = items.map((comment) => {
    const replies = commentsOf(library, ({ parentId }) => parentId === comment.id);
    return threadJson(comment, { video, replies });
  });
  return listJson("commentThreadListResponse", threads, nextToken);
}

/** Comments that were deleted, and those on videos that were, are missing. */
function listComments(library: Library, query: URLSearchParams): Record<string, unknown> {
  checkNames(query, ["id", "textFormat"]);
  const items = idsOf(query).flatMap((id) => {
    const comment = library.comments.get(id);
    const video = comment && videoWith(library, comment.videoId);
    return comment && video ? [commentJson(comment, video)] : [];
  });
  return listJson("commentListResponse", items);
}

function listReplies(library: Library, query: URLSearchParams): Record<string, unknown> {
  checkNames(query, ["parentId", "maxResults", "pageToken", "textFormat"]);
  const parent = library.comments.get(query.get("parentId") ?? "");
  const video = parent && videoWith(library, parent.videoId);
  if (parent === undefined || video === undefined) throw new RequestRefused(404, "commentNotFound");
  const { items, nextToken } = library.comments.page({
    wants: ({ parentId }) => parentId === parent.id,
    limit: limitOf(query, COMMENTS_MAX),
    token: tokenOf(query),
  });
  const replies = items.map((comment) => commentJson(comment, video));
  return listJson("commentListResponse", replies, nextToken);
}

function videoWith({ videos }: Library, id: string): DemoVideo | undefined {
  const video = videos.get(id);
  return video?.isDeleted === true ? undefined : video;
}

/** Newest first. */
function commentsOf({ comments }: Library, wants: (comment: DemoVideoComment) => boolean): readonly DemoVideoComment[] {
  return comments.page({ wants, limit: Infinity, token: undefined }).items;
}

const TOKEN = /^[\w-]+$/;

/** Refuses parameters that a method does not have, and a request without `part`. */
function checkNames(query: URLSearchParams, known: readonly string[]): void {
  const unknown = [...query.keys()].find((name) => ![...known, "part", "key"].includes(name));
  if (unknown !== undefined) throw new RequestRefused(400, "badRequest", `Unknown name "${unknown}"`);
  if (!query.has("part")) throw new RequestRefused(400, "missingRequiredParameter", "No filter selected: part");
}

/** Results of a page: from 0 to `most`, 5 by default. */
function limitOf(query: URLSearchParams, most: number): number {
  const limit = Number(query.get("maxResults") ?? "5");
  if (Number.isInteger(limit) && limit >= 0 && limit <= most) return limit;
  throw new RequestRefused(400, "invalidParameter", `Invalid value for maxResults, which is at most ${most}.`);
}

function tokenOf(query: URLSearchParams): string | undefined {
  const token = query.get("pageToken") ?? undefined;
  if (token === undefined || TOKEN.test(token)) return token;
  throw new RequestRefused(400, "invalidPageToken", "The request specifies an invalid page token.");
}

/** Ids with commas between them, at most 50. */
function idsOf(query: URLSearchParams): string[] {
  const ids = (query.get("id") ?? "").split(",").filter((id) => id !== "");
  if (ids.length === 0) throw new RequestRefused(400, "missingRequiredParameter", "No filter selected.");
  if (ids.length > 50) throw new RequestRefused(400, "invalidFilters", "More than 50 ids.");
  return ids;
}

/** A time as RFC 3339 writes it, in milliseconds since the epoch. */
function timeOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new RequestRefused(400, "invalidSearchFilter", `Invalid ${name}: ${text}`);
  return time;
}

const RESULTS_MAX = 50;
const KNOWN = [
  ...["q", "type", "order", "maxResults", "pageToken", "publishedAfter", "publishedBefore", "regionCode"],
  ...["relevanceLanguage", "location", "locationRadius", "safeSearch"],
];

/** A search as YouTube understands it. */
interface SearchRequest {
  readonly finds: (video: DemoVideo) => boolean;
  readonly limit: number;
  readonly token: string | undefined;
}

/** Reads the parameters of a search. Throws RequestRefused. */
function readSearch(query: URLSearchParams, now: number): SearchRequest {
  checkNames(query, KNOWN);
  if (query.get("type") !== "video") throw new RequestRefused(400, "invalidSearchFilter", "This fake finds videos.");
  if (!["date", "relevance"].includes(query.get("order") ?? "relevance")) {
    throw new RequestRefused(400, "invalidSearchFilter", "The order is not known.");
  }
  const isThere = readPlace(query);
  const matches = readYoutubeQuery(query.get("q") ?? "");
  const from = timeOf(query, "publishedAfter") ?? -Infinity;
  const until = timeOf(query, "publishedBefore") ?? Infinity;
  return {
    finds: (video) =>
      video.indexedAt <= now &&
      video.at >= from &&
      video.at < until &&
      isThere(video) &&
      matches(wordsOf([video.title, video.description, ...video.tags].join(" | "))),
    limit: limitOf(query, RESULTS_MAX),
    token: tokenOf(query),
  };
}

const KM: Readonly<Record<string, number>> = { m: 0.001, km: 1, ft: 0.000_304_8, mi: 1.609_344 };
const EARTH_RADIUS_KM = 6371;

/** A place and its radius belong together; videos without a place are nowhere. */
function readPlace(query: URLSearchParams): (video: DemoVideo) => boolean {
  const [location, radius] = [query.get("location"), query.get("locationRadius")];
  if (location === null && radius === null) return () => true;
  const point = /^(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/.exec(location ?? "");
  if (point === null) throw new RequestRefused(400, "invalidLocation", "The location is not valid.");
  const extent = /^(\d+(?:\.\d+)?)(m|km|ft|mi)$/.exec(radius ?? "");
  if (extent === null) throw new RequestRefused(400, "invalidLocationRadius", "The locationRadius is not valid.");
  const center = { latitude: Number(point[1]), longitude: Number(point[2]) };
  const km = Number(extent[1]) * (KM[extent[2] ?? "km"] ?? 1);
  return ({ place }) => place !== undefined && distanceKm(place, center) <= km;
}

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** By the haversine formula. */
function distanceKm(a: Point, b: Point): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const north = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2;
  const east = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  const cosines = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude));
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(north + cosines * east));
}

type Condition = (words: readonly string[]) => boolean;

const PIECE = /-?(?:"[^"]*"|[^\s|"]+)(?:\|(?:"[^"]*"|[^\s|"]+))*/gu;

/**
 * Reads `q` as YouTube's documentation describes it: a space requires both, `|` one of its neighbors, `-` excludes.
 * YouTube refuses no query; pieces that it cannot read find nothing here, so that tests notice them.
 */
function readYoutubeQuery(text: string): Condition {
  const pieces = text.match(PIECE) ?? [];
  if (text.replaceAll(PIECE, "").trim() !== "") return () => false;
  const conditions = pieces.map(conditionOf);
  return (words) => conditions.every((matches) => matches(words));
}

function conditionOf(piece: string): Condition {
  const isExcluded = piece.startsWith("-") && piece.length > 1;
  const alternatives = (isExcluded ? piece.slice(1) : piece).match(/"[^"]*"|[^|"]+/gu) ?? [];
  const phrases = alternatives.map((alternative) => wordsOf(alternative.replaceAll('"', "")));
  return (words) => phrases.some((phrase) => contains(words, phrase)) !== isExcluded;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
/** Searches cut descriptions. */
const SNIPPET_CHARACTERS = 120;

/** A list as every method returns it. */
function listJson(kind: string, items: readonly unknown[], nextToken?: string): Record<string, unknown> {
  return {
    kind: `youtube#${kind}`,
    etag: `demo-${kind}-${items.length}`,
    ...(nextToken !== undefined && { nextPageToken: nextToken }),
    pageInfo: { totalResults: items.length, resultsPerPage: items.length },
    items,
    demo: true,
  };
}

/** A result of a search: titles are escaped, descriptions cut, counts missing. */
function searchResultJson(video: DemoVideo): Record<string, unknown> {
  return {
    kind: "youtube#searchResult",
    etag: `demo-${video.id}`,
    id: { kind: "youtube#video", videoId: video.id },
    snippet: {
      publishedAt: secondsOf(video.at),
      channelId: video.channel.id,
      title: video.title.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign),
      description: video.description.slice(0, SNIPPET_CHARACTERS),
      thumbnails: thumbnailsOf(video),
      channelTitle: video.channel.title,
      liveBroadcastContent: video.broadcast,
      publishTime: secondsOf(video.at),
    },
  };
}

/** A video as videos.list states it. */
function videoJson(video: DemoVideo, commentCount: number): Record<string, unknown> {
  const { id, at, title, description, channel, tags, broadcast, views, likes, hasComments, extra } = video;
  return {
    kind: "youtube#video",
    etag: `demo-${id}`,
    id,
    snippet: {
      publishedAt: secondsOf(at),
      channelId: channel.id,
      title,
      description,
      thumbnails: thumbnailsOf(video),
      channelTitle: channel.title,
      tags,
      categoryId: "28",
      liveBroadcastContent: broadcast,
      defaultLanguage: "en",
      defaultAudioLanguage: "en-GB",
    },
    contentDetails: { duration: "PT8M3S", dimension: "2d", definition: "hd", caption: "false" },
    status: { uploadStatus: "processed", privacyStatus: "public", license: "youtube", embeddable: true },
    statistics: {
      viewCount: String(views),
      ...(likes !== undefined && { likeCount: String(likes) }),
      favoriteCount: "0",
      ...(hasComments && { commentCount: String(commentCount) }),
    },
    ...(video.place && { recordingDetails: recordingOf(video) }),
    demo: true,
    ...extra,
  };
}

/** A channel as channels.list states it. */
function channelJson({ id, title, handle }: Channel): Record<string, unknown> {
  return { kind: "youtube#channel", etag: `demo-${id}`, id, snippet: { title, description: "", customUrl: handle } };
}

/** YouTube states no milliseconds. */
function secondsOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, "2026-11-22T09:15:00".length)}Z`;
}

function recordingOf({ place, at }: DemoVideo): Record<string, unknown> {
  return {
    locationDescription: place?.name,
    location: { latitude: place?.latitude, longitude: place?.longitude, altitude: 0 },
    recordingDate: secondsOf(at),
  };
}

function thumbnailsOf({ id }: DemoVideo): Record<string, unknown> {
  const of = (name: string, width: number, height: number) => ({
    url: `https://thumbnails.example.org/${id}/${name}.jpg`,
    width,
    height,
  });
  return { default: of("default", 120, 90), medium: of("mqdefault", 320, 180), high: of("hqdefault", 480, 360) };
}

/** Replies that are part of a thread; the others are requested by `parentId`. */
const REPLIES_MAX = 5;

/** A thread as commentThreads.list states it. `replies`: newest first. */
function threadJson(
  comment: DemoVideoComment,
  { video, replies }: { video: DemoVideo; replies: readonly DemoVideoComment[] },
): Record<string, unknown> {
  const shown = replies.slice(0, REPLIES_MAX);
  return {
    kind: "youtube#commentThread",
    etag: `demo-thread-${comment.id}`,
    id: comment.id,
    snippet: {
      channelId: video.channel.id,
      videoId: video.id,
      topLevelComment: commentJson(comment, video),
      canReply: true,
      totalReplyCount: replies.length,
      isPublic: true,
    },
    ...(shown.length > 0 && { replies: { comments: shown.map((reply) => commentJson(reply, video)) } }),
  };
}

/** A comment as comments.list states it. */
function commentJson(comment: DemoVideoComment, video: DemoVideo): Record<string, unknown> {
  const { id, parentId, text, author, likes, at, editedAt, extra } = comment;
  return {
    kind: "youtube#comment",
    etag: `demo-${id}`,
    id,
    snippet: {
      ...(parentId === undefined ? { channelId: video.channel.id, videoId: video.id } : { parentId }),
      textDisplay: text,
      textOriginal: text,
      authorDisplayName: author?.handle ?? "",
      ...(author && {
        authorProfileImageUrl: `https://pictures.example.org/${author.id}.jpg`,
        authorChannelUrl: `https://www.youtube.com/channel/${author.id}`,
        authorChannelId: { value: author.id },
      }),
      canRate: true,
      viewerRating: "none",
      likeCount: likes,
      publishedAt: secondsOf(at),
      updatedAt: secondsOf(editedAt),
    },
    demo: true,
    ...extra,
  };
}

const STATES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

/** An error of Google's APIs, such as `problem(403, "quotaExceeded")`; `detail` is a reason of its newer form. */
export function youtubeProblem(status: number, reason: string, message: string = reason, detail?: string): Reply {
  return {
    status,
    body: {
      error: {
        code: status,
        message,
        errors: [{ message, domain: "youtube.demo", reason }],
        status: STATES[status] ?? "UNKNOWN",
        ...(detail !== undefined && {
          details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: detail, domain: "googleapis.com" }],
        }),
      },
    },
  };
}

/** A request that YouTube would refuse with an error. */
class RequestRefused extends Error {
  override readonly name = "RequestRefused";

  constructor(
    readonly status: number,
    readonly reason: string,
    message: string = reason,
  ) {
    super(message);
  }
}
