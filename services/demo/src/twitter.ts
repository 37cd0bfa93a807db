import { inventPerson, inventText, type Person, randomOf } from "./invented.js";
import { type Condition, contains, piecesOf, QueryReader, QueryRefused, wordsOf } from "./query.js";
import { Timeline } from "./timeline.js";
import { type Reply, RequestWindow, Upstream, type UpstreamRequest, type WindowState } from "./upstream.js";

const QUARTER_HOUR_MS = 15 * 60_000;
const REQUESTS_MAX = 450;
const SEARCH_PATH = "/2/tweets/search/recent";
const LOOK_UP_PATH = "/2/tweets";
const COUNTS_PATH = "/2/tweets/counts/recent";
const CHARACTERS_MAX = 512;

/** What a test or the demo decides about the fake. */
interface TwitterUpstreamOptions {
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

  /** Edits a post as X does: the new version has another id, which is returned. */
  edit(id: string, text: string): string {
    this.added += 1;
    const edited = snowflakeOf(this.options.now(), this.added);
    this.timeline.edit(id, (post) => ({ ...post, id: edited, text, history: [...post.history, edited] }));
    return edited;
  }

  protected respond(request: UpstreamRequest): Reply {
    if (request.headers.authorization !== `Bearer ${this.options.token}`) return twitterProblem(401);
    if (request.method !== "GET" || ![SEARCH_PATH, COUNTS_PATH, LOOK_UP_PATH].includes(request.path))
      return twitterProblem(404);
    const state = this.window.take();
    const reply = state.isExceeded ? twitterProblem(429) : this.reply(request);
    return { ...reply, headers: { ...reply.headers, ...this.headersOf(state) } };
  }

  private reply(request: UpstreamRequest): Reply {
    if (request.path === LOOK_UP_PATH) return this.lookUp(request);
    return request.path === SEARCH_PATH ? this.search(request) : this.count(request);
  }

  /** Reads no posts. */
  private count({ query }: UpstreamRequest): Reply {
    try {
      const count = this.timeline.count(readXQuery(query.get("query") ?? "", CHARACTERS_MAX));
      return { body: { data: [], meta: { total_tweet_count: count } } };
    } catch (error) {
      if (error instanceof QueryRefused) return twitterProblem(400, error.message);
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
      return { body: lookUpJson(posts, { missing, expansions, naming: this.naming }) };
    } catch (error) {
      if (error instanceof RequestRefused) return twitterProblem(400, error.message);
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
      return { body: searchJson(items, { nextToken, expansions: search.expansions, naming: this.naming }) };
    } catch (error) {
      if (error instanceof QueryRefused || error instanceof RequestRefused) return twitterProblem(400, error.message);
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

/** A post as the fake keeps it. */
interface DemoPost {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
  readonly lang: string;
  readonly author: Person;
  readonly likes: number;
  /** Ids of earlier versions, oldest first, then this one. */
  readonly history: readonly string[];
  readonly kind: "post" | "retweeted" | "quoted" | "replied_to";
  /** The post that it shares, quotes or replies to. */
  readonly refersTo: string | undefined;
  readonly place: DemoPlace | undefined;
  /** Fields that replace or add to those of the response. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** A place that a post names. */
interface DemoPlace {
  readonly id: string;
  readonly fullName: string;
  readonly country: string;
  readonly countryCode: string;
  readonly longitude: number;
  readonly latitude: number;
}

/** An invented post of this number and time; `values` replaces parts of it. */
export function inventPost(number: number, at: number, values: Partial<DemoPost> = {}): DemoPost {
  const random = randomOf(number);
  const id = values.id ?? snowflakeOf(at, number);
  return {
    id,
    at,
    text: inventText(random),
    lang: "en",
    author: inventPerson(random),
    likes: Math.floor(random() * 50),
    history: [id],
    kind: "post",
    refersTo: undefined,
    place: undefined,
    extra: {},
    ...values,
  };
}

/** The time at which X's ids begin. */
const EPOCH_MS = 1_288_834_974_657n;
const SEQUENCE_BITS = 22n;
const SEQUENCES = 1n << SEQUENCE_BITS;

/** An id of X, which holds its time; `sequence` distinguishes those of one millisecond. */
export function snowflakeOf(at: number, sequence = 0): string {
  return (((BigInt(at) - EPOCH_MS) << SEQUENCE_BITS) + (BigInt(sequence) % SEQUENCES)).toString();
}

/** The time that an id holds, in milliseconds since the epoch. */
export function timeOfSnowflake(id: string): number {
  return Number((BigInt(id) >> SEQUENCE_BITS) + EPOCH_MS);
}

const QUERY_CHARACTERS_MAX = 512;
const RESULTS_MIN = 10;
const RESULTS_MAX = 100;
const WINDOW_MS = 7 * 24 * 60 * 60_000;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const IDS_MAX = 100;
const FIELDS = ["tweet.fields", "post.fields", "expansions", "user.fields", "place.fields", "media.fields"];
const KNOWN = new Set([
  ...["query", "max_results", "next_token", "pagination_token", "since_id", "until_id", "start_time", "end_time"],
  ...["sort_order", ...FIELDS],
]);

/** A request that X would refuse with 400. */
class RequestRefused extends Error {
  override readonly name = "RequestRefused";
}

interface SearchRequest {
  readonly matches: (post: DemoPost) => boolean;
  readonly limit: number;
  readonly token: string | undefined;
  readonly sinceId: string | undefined;
  /** Earliest time of posting, in milliseconds since the epoch. */
  readonly from: number;
  readonly expansions: ReadonlySet<string>;
}

/** Reads the parameters of a search. Throws RequestRefused or QueryRefused. */
function readSearch(query: URLSearchParams, now: number): SearchRequest {
  mustKnow(query, KNOWN);
  const sinceId = query.get("since_id") ?? undefined;
  return {
    matches: readXQuery(query.get("query") ?? "", QUERY_CHARACTERS_MAX),
    limit: limitOf(query.get("max_results") ?? String(RESULTS_MIN)),
    token: query.get("next_token") ?? query.get("pagination_token") ?? undefined,
    sinceId: sinceId === undefined ? undefined : checkedId(sinceId, now),
    from: query.has("start_time") ? timeOf(query.get("start_time") ?? "", now) : now - WINDOW_MS,
    expansions: new Set((query.get("expansions") ?? "").split(",")),
  };
}

/** The ids and expansions of a request for posts. Throws RequestRefused. */
function readLookUp(query: URLSearchParams): { ids: readonly string[]; expansions: ReadonlySet<string> } {
  mustKnow(query, new Set(["ids", ...FIELDS]));
  const ids = (query.get("ids") ?? "").split(",");
  const wrong = ids.find((id) => !/^\d{1,19}$/.test(id));
  if (wrong !== undefined) throw new RequestRefused(`The ids query parameter value [${wrong}] is not valid.`);
  if (ids.length > IDS_MAX) throw new RequestRefused("The number of values in the ids query parameter exceeds 100.");
  return { ids: [...new Set(ids)], expansions: new Set((query.get("expansions") ?? "").split(",")) };
}

function mustKnow(query: URLSearchParams, known: ReadonlySet<string>): void {
  const unknown = [...query.keys()].find((name) => !known.has(name));
  if (unknown !== undefined) throw new RequestRefused(`The query parameter [${unknown}] is not one of the known ones.`);
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= RESULTS_MIN && limit <= RESULTS_MAX) return limit;
  throw new RequestRefused(`The max_results query parameter value [${text}] is not between 10 and 100.`);
}

function checkedId(id: string, now: number): string {
  if (!/^\d{1,19}$/.test(id)) throw new RequestRefused(`The since_id query parameter value [${id}] is not valid.`);
  if (timeOfSnowflake(id) >= now - WINDOW_MS) return id;
  throw new RequestRefused(
    "'since_id' must be a tweet id created after 7 days ago. Please use a 'since_id' that is larger.",
  );
}

function timeOf(text: string, now: number): number {
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new RequestRefused(`The start_time query parameter value [${text}] is not valid.`);
  if (time < now - WINDOW_MS) throw new RequestRefused("'start_time' must be on or after 7 days ago.");
  if (time > now - 10_000)
    throw new RequestRefused("'start_time' must be a minimum of 10 seconds prior to the request time.");
  return time;
}

const PIECES = /\s*(-?"[^"]*"|[a-z_]+:(?:"[^"]*"|\[[^\]]*\])|[()]|-(?=[("])|[^\s()"]+)/gy;

/**
 * Reads a query as X's documentation describes it: a space binds tighter than OR, a group cannot be negated, and something
 * must be required that is not excluded.
 */
export function readXQuery(text: string, charactersMax: number): Condition<DemoPost> {
  const pieces = piecesOf(text, PIECES, charactersMax);
  const condition = new XQueryReader(pieces).read();
  if (pieces.every((piece) => piece.startsWith("-") || /^[()]$|^OR$/.test(piece))) {
    throw new QueryRefused("A query must have one condition that is not negated.");
  }
  return condition;
}

const OPERATOR = /^(?<name>place|place_country|point_radius):(?<value>.+)$/;
const POINT_RADIUS = /^\[(-?\d+(?:\.\d+)?) (-?\d+(?:\.\d+)?) (\d+(?:\.\d+)?)(km|mi)\]$/;
const KM = { km: 1, mi: 1.609 };
const RADIUS_KM_MAX = 40.3;
const KM_PER_DEGREE = 111;

class XQueryReader extends QueryReader<DemoPost> {
  protected conditionOf(piece: string): Condition<DemoPost> {
    if (piece === "-") throw new QueryRefused("A group cannot be negated.");
    return conditionOf(piece);
  }
}

function conditionOf(piece: string): Condition<DemoPost> {
  if (piece.startsWith("-") && piece.length > 1) {
    const excluded = conditionOf(piece.slice(1));
    return (post) => !excluded(post);
  }
  if (piece === "is:retweet") return ({ kind }) => kind === "retweeted";
  const operator = OPERATOR.exec(piece);
  if (operator?.groups !== undefined) return placeCondition(operator.groups);
  if (/^[a-z_]+:/.test(piece)) throw new QueryRefused(`The operator ${piece} is not known.`);
  if (/^[#@]/.test(piece)) return ({ text }) => signedNames(text).includes(piece.toLowerCase());
  const wanted = wordsOf(piece.replaceAll('"', ""));
  return ({ text }) => contains(wordsOf(text), wanted);
}

function placeCondition({ name = "", value = "" }: Record<string, string>): Condition<DemoPost> {
  if (name === "place_country") {
    if (!/^[A-Z]{2}$/.test(value)) throw new QueryRefused(`The country ${value} is not known.`);
    return ({ place }) => place?.countryCode === value;
  }
  if (name === "place") {
    const wanted = wordsOf(value);
    return ({ place }) => place !== undefined && contains(wordsOf(place.fullName), wanted);
  }
  const [, longitude, latitude, radius, unit] = POINT_RADIUS.exec(value) ?? [];
  const radiusKm = Number(radius) * KM[unit as keyof typeof KM];
  if (!(radiusKm <= RADIUS_KM_MAX)) throw new QueryRefused(`The radius ${value} is not valid.`);
  return ({ place }) => {
    if (place === undefined) return false;
    const [east, north] = [place.longitude - Number(longitude), place.latitude - Number(latitude)];
    const narrowing = Math.cos((Number(latitude) * Math.PI) / 180);
    return Math.hypot(east * narrowing, north) * KM_PER_DEGREE <= radiusKm;
  };
}

function signedNames(text: string): string[] {
  return text.toLowerCase().match(/[#@][\p{L}\p{N}_]+/gu) ?? [];
}

/** Names of the fields, which X has begun to change: `tweet` as in its examples, `post` as in its OpenAPI document. */
type Naming = "tweet" | "post";

/** The response to a search: `includes` as far as the request has it. */
function searchJson(
  posts: readonly DemoPost[],
  { nextToken, expansions, naming }: { nextToken: string | undefined; expansions: ReadonlySet<string>; naming: Naming },
): Record<string, unknown> {
  const newest = posts.reduce<string | undefined>(
    (id, post) => (id === undefined || post.id > id ? post.id : id),
    undefined,
  );
  const oldest = posts.reduce<string | undefined>(
    (id, post) => (id === undefined || post.id < id ? post.id : id),
    undefined,
  );
  const token = nextToken === undefined ? {} : { next_token: nextToken };
  if (posts.length === 0) return { meta: { result_count: 0, ...token } };
  return {
    data: posts.map((post) => postJson(post, naming)),
    includes: includesOf(posts, expansions),
    meta: { newest_id: newest, oldest_id: oldest, result_count: posts.length, ...token },
  };
}

/** The response to a request for posts by their ids: those that are missing are errors beside the others. */
function lookUpJson(
  posts: readonly DemoPost[],
  { missing, expansions, naming }: { missing: readonly string[]; expansions: ReadonlySet<string>; naming: Naming },
): Record<string, unknown> {
  return {
    ...(posts.length > 0 && {
      data: posts.map((post) => postJson(post, naming)),
      includes: includesOf(posts, expansions),
    }),
    ...(missing.length > 0 && { errors: missing.map((id) => missingError(id)) }),
  };
}

function missingError(id: string): Record<string, string> {
  return {
    value: id,
    detail: `Could not find tweet with ids: [${id}].`,
    title: "Not Found Error",
    resource_type: "tweet",
    parameter: "ids",
    resource_id: id,
    type: "https://api.x.com/2/problems/resource-not-found",
  };
}

/** One post as X states it. */
function postJson(post: DemoPost, naming: Naming): Record<string, unknown> {
  const named = (name: string): string => (naming === "post" ? name.replace("tweet", "post") : name);
  const { id, text, author, at, lang, history, kind, refersTo, place, likes, extra } = post;
  return {
    id,
    text: text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    author_id: author.id,
    created_at: new Date(at).toISOString(),
    lang,
    conversation_id: refersTo ?? id,
    [named("edit_history_tweet_ids")]: history,
    possibly_sensitive: false,
    public_metrics: {
      [naming === "post" ? "repost_count" : "retweet_count"]: Math.floor(likes / 4),
      reply_count: Math.floor(likes / 5),
      like_count: likes,
      quote_count: Math.floor(likes / 10),
      bookmark_count: 0,
      impression_count: likes * 70,
    },
    entities: entitiesOf(text),
    ...(place && { geo: geoOf(place) }),
    ...(refersTo !== undefined && { [named("referenced_tweets")]: [{ type: kind, id: refersTo }] }),
    demo: true,
    ...extra,
  };
}

function entitiesOf(text: string): Record<string, unknown> {
  const found = (sign: string) => [...text.matchAll(new RegExp(`${sign}([\\p{L}\\p{N}_]+)`, "gu"))];
  const place = ({ index, 0: { length } }: RegExpMatchArray) => ({ start: index, end: (index ?? 0) + length });
  return {
    hashtags: found("#").map((match) => ({ ...place(match), tag: match[1] })),
    mentions: found("@").map((match) => ({ ...place(match), username: match[1] })),
    urls: [],
  };
}

function geoOf({ id, longitude, latitude }: NonNullable<DemoPost["place"]>): Record<string, unknown> {
  return { place_id: id, coordinates: { type: "Point", coordinates: [longitude, latitude] } };
}

function includesOf(posts: readonly DemoPost[], expansions: ReadonlySet<string>): Record<string, unknown> {
  const authors = new Map(posts.map(({ author }) => [author.id, author]));
  const places = new Map(posts.flatMap(({ place }) => (place ? [[place.id, place] as const] : [])));
  return {
    ...(expansions.has("author_id") && {
      users: [...authors.values()].map((author) => ({ ...author, verified: false, verified_type: "none" })),
    }),
    ...(expansions.has("geo.place_id") &&
      places.size > 0 && {
        places: [...places.values()].map(({ id, fullName, country, countryCode, longitude, latitude }) => ({
          id,
          full_name: fullName,
          country,
          country_code: countryCode,
          place_type: "city",
          geo: {
            type: "Feature",
            bbox: [longitude - 0.1, latitude - 0.1, longitude + 0.1, latitude + 0.1],
            properties: {},
          },
        })),
      }),
  };
}

const TITLES: Readonly<Record<number, readonly [type: string, title: string]>> = {
  400: ["invalid-request", "Invalid Request"],
  401: ["about:blank", "Unauthorized"],
  402: ["credits-depleted", "CreditsDepleted"],
  403: ["client-forbidden", "Client Forbidden"],
  404: ["resource-not-found", "Not Found Error"],
  429: ["rate-limit-exceeded", "Too Many Requests"],
  503: ["about:blank", "Service Unavailable"],
};

/** An error of X, in the form of RFC 7807. */
export function twitterProblem(status: number, detail?: string, type?: string): Reply {
  const [ownType, title] = TITLES[status] ?? ["about:blank", "Error"];
  const name = type ?? ownType;
  return {
    status,
    headers: { "Content-Type": "application/problem+json" },
    body: {
      title,
      detail: detail ?? title,
      type: name.includes(":") ? name : `https://api.x.com/2/problems/${name}`,
      status,
    },
  };
}
