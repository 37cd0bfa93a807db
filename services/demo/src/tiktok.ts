import { createHash } from "node:crypto";
import { inventPerson, inventText, oneOf, randomOf } from "./invented.js";
import { contains, plain, wordsOf } from "./query.js";
import { Timeline } from "./timeline.js";
import { type Reply, RequestWindow, Upstream, type UpstreamRequest } from "./upstream.js";

const DAY_MS = 24 * 60 * 60_000;
const REQUESTS_MAX = 1000;
const TOKEN_SECONDS = 7200;
const TOKEN_PATH = "/v2/oauth/token/";
const SEARCH_PATH = "/v2/research/video/query/";

/** What a test or the demo decides about the fake. */
interface TiktokUpstreamOptions {
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
  /** Videos of a page, however many are requested: TikTok's pages may hold fewer. */
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

  protected respond(request: UpstreamRequest): Reply {
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
      const request = readSearch(query.get("fields") ?? "", body);
      const search = this.searches.of(request.searchId, request.key);
      const token = search.tokens.get(request.cursor);
      if (request.cursor > 0 && token === undefined) throw new ParamsRefused("The cursor is not one of this search");
      const limit = Math.min(request.limit, this.pageMax);
      const { items, nextToken } = this.timeline.page({ wants: request.matches, limit, token });
      const next = request.cursor + request.limit;
      return {
        body: envelope({
          videos: items.map((video) => videoJson(video, request.fields)),
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

/** A video as the fake keeps it. */
interface DemoVideo {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
  readonly username: string;
  readonly region: string;
  readonly likes: number;
  /** What is spoken. */
  readonly speech: string;
  /** Fields that replace or add to those of the response. */
  readonly extra: Readonly<Record<string, unknown>>;
}

const REGIONS = ["GB", "DE", "US", "JP"] as const;
const SECOND_BITS = 32n;

/** An id of TikTok, which holds its time in seconds; `sequence` distinguishes those of one second. */
function videoIdOf(at: number, sequence: number): string {
  return ((BigInt(Math.floor(at / 1000)) << SECOND_BITS) + BigInt(sequence)).toString();
}

/** An invented video of this number and time; `values` replaces parts of it. */
function inventVideo(number: number, at: number, values: Partial<DemoVideo> = {}): DemoVideo {
  const random = randomOf(number);
  return {
    id: videoIdOf(at, number),
    at,
    text: inventText(random),
    username: inventPerson(random).username,
    region: oneOf(REGIONS, random),
    likes: Math.floor(random() * 50),
    speech: "",
    extra: {},
    ...values,
  };
}

const FIRST_ID = 7_201_388_525_814_961_000n;

/** One search over its pages. */
interface OpenSearch {
  readonly id: string;
  readonly key: string;
  /** Tokens of the timeline by the cursor that stands for them. */
  readonly tokens: Map<number, string>;
}

/** The searches that the fake remembers. TikTok's cursors are numbers of items. */
class Searches {
  private readonly open = new Map<string, OpenSearch>();
  private added = 0n;

  /** The search of a page. Throws ParamsRefused for one that has expired, or was for another query. */
  of(id: string | undefined, key: string): OpenSearch {
    if (id !== undefined) {
      const known = this.open.get(id);
      if (known?.key === key) return known;
      throw new ParamsRefused(`Search Id ${id} is invalid or expired`);
    }
    this.added += 1n;
    const search: OpenSearch = { id: String(FIRST_ID + this.added), key, tokens: new Map() };
    this.open.set(search.id, search);
    return search;
  }

  /** Forgets all. */
  expire(): void {
    this.open.clear();
  }
}

/** The cursor for a token: the same for the same token. */
function cursorOf({ tokens }: OpenSearch, token: string, next: number): number {
  const known = [...tokens].find(([, each]) => each === token)?.[0];
  if (known !== undefined) return known;
  tokens.set(next, token);
  return next;
}

const DAYS_MAX = 30;
const COUNT_MAX = 100;
const KNOWN_FIELDS = new Set([
  ...["id", "video_description", "create_time", "region_code", "share_count", "view_count", "like_count"],
  ...["comment_count", "favorites_count", "music_id", "hashtag_names", "hashtag_info_list", "username", "effect_ids"],
  ...["playlist_id", "voice_to_text", "is_stem_verified", "video_duration", "video_mention_list", "video_label"],
]);
const KNOWN = new Set(["query", "start_date", "end_date", "max_count", "cursor", "search_id", "is_random"]);

interface TiktokSearch {
  readonly matches: (video: DemoVideo) => boolean;
  readonly limit: number;
  readonly cursor: number;
  readonly searchId: string | undefined;
  readonly fields: ReadonlySet<string>;
  /** What must be the same for all pages of a search. */
  readonly key: string;
}

/** Reads a request for a page of videos. Throws ParamsRefused. */
function readSearch(fields: string, text: string): TiktokSearch {
  const body = recordOf(parsed(text), "The body");
  const unknown = Object.keys(body).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw new ParamsRefused(`${unknown} is not known`);
  const { query, start_date: start, end_date: end, max_count: limit = 20, cursor = 0, search_id: searchId } = body;
  const [from, to] = [timeOf(start, "start_date"), timeOf(end, "end_date") + DAY_MS];
  if (to <= from) throw new ParamsRefused("end_date is before start_date");
  if (to - DAY_MS - from > DAYS_MAX * DAY_MS) {
    throw new ParamsRefused("The end date must be no more than 30 days after the start date");
  }
  const isMatch = readTiktokQuery(query);
  return {
    matches: (video) => video.at >= from && video.at < to && isMatch(video),
    limit: countOf(limit, "max_count", 1, COUNT_MAX),
    cursor: countOf(cursor, "cursor", 0, Number.MAX_SAFE_INTEGER),
    searchId: typeof searchId === "string" ? searchId : undefined,
    fields: fieldsOf(fields),
    key: JSON.stringify([query, start, end]),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ParamsRefused("The body is no JSON");
  }
}

function fieldsOf(text: string): ReadonlySet<string> {
  const names = text.split(",");
  const unknown = names.find((name) => !KNOWN_FIELDS.has(name));
  if (unknown !== undefined) throw new ParamsRefused(`The field ${unknown} is not known`);
  return new Set(names);
}

function timeOf(value: unknown, name: string): number {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(String(value)) ?? [];
  const time = Date.parse(`${year}-${month}-${day}`);
  if (Number.isNaN(time)) throw new ParamsRefused(`${name} must be YYYYMMDD`);
  return time;
}

function countOf(value: unknown, name: string, min: number, max: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new ParamsRefused(`${name} must be from ${min} to ${max}`);
}

/** What a condition is about. */
type Searched = Pick<DemoVideo, "id" | "text" | "username" | "region">;
type Condition = (video: Searched) => boolean;

const FIELDS: Readonly<Record<string, (video: Searched, value: string) => boolean>> = {
  keyword: ({ text }, value) => contains(wordsOf(text), wordsOf(value)),
  hashtag_name: ({ text }, value) => tagsOf(text).some((name) => plain(name) === plain(value)),
  username: ({ username }, value) => username === value,
  region_code: ({ region }, value) => region === value,
  video_id: ({ id }, value) => id === value,
};
const LISTS = ["and", "or", "not"] as const;

/** Reads the conditions of a search: all of `and`, any of `or`, none of `not`. Throws ParamsRefused. */
export function readTiktokQuery(query: unknown): Condition {
  const lists = recordOf(query, "query");
  const unknown = Object.keys(lists).find((name) => !LISTS.some((list) => list === name));
  if (unknown !== undefined) throw new ParamsRefused(`query.${unknown} is not known`);
  const [and, or, not] = LISTS.map((name) => listOf(lists[name] ?? [], name).map(readCondition)) as [
    Condition[],
    Condition[],
    Condition[],
  ];
  if (and.length + or.length + not.length === 0) throw new ParamsRefused("query has no condition");
  return (video) =>
    and.every((holds) => holds(video)) &&
    (or.length === 0 || or.some((holds) => holds(video))) &&
    !not.some((holds) => holds(video));
}

function readCondition(value: unknown): Condition {
  const { operation, field_name: name, field_values: values } = recordOf(value, "condition");
  const holds = typeof name === "string" && Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (holds === undefined) throw new ParamsRefused(`field_name ${String(name)} is not known`);
  const texts = listOf(values, "field_values");
  if (texts.length === 0 || !texts.every((text) => typeof text === "string" && text !== "")) {
    throw new ParamsRefused("field_values must be texts");
  }
  if (operation !== "IN" && (operation !== "EQ" || texts.length > 1)) {
    throw new ParamsRefused(`operation ${String(operation)} does not fit`);
  }
  return (video) => texts.some((text) => holds(video, String(text)));
}

/** Throws ParamsRefused for what is no object. */
function recordOf(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new ParamsRefused(`${name} must be an object`);
}

function listOf(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  throw new ParamsRefused(`${name} must be a list`);
}

/** A video as TikTok states it: ids are numbers of 64 bits. Only the fields that the request names. */
function videoJson(video: DemoVideo, fields: ReadonlySet<string>): Record<string, unknown> {
  const { id, at, text, username, region, likes, speech, extra } = video;
  const all: Record<string, unknown> = {
    id: BigInt(id),
    video_description: text,
    create_time: Math.floor(at / 1000),
    region_code: region,
    share_count: Math.floor(likes / 10),
    view_count: likes * 70,
    like_count: likes,
    comment_count: Math.floor(likes / 5),
    favorites_count: Math.floor(likes / 8),
    music_id: BigInt(id) - 1n,
    hashtag_names: tagsOf(text),
    username,
    effect_ids: ["0"],
    voice_to_text: speech,
    is_stem_verified: false,
    video_duration: 10 + (likes % 50),
    video_mention_list: [...text.matchAll(/@([\w.]*\w)/g)].map((match) => match[1]),
  };
  const entries = Object.entries(all).filter(([name]) => fields.has(name));
  return { ...Object.fromEntries(entries), demo: true, ...extra };
}

/** Names of tags within a description. */
function tagsOf(text: string): string[] {
  return [...text.matchAll(/#([\p{L}\p{N}_]+)/gu)].flatMap((match) => match[1] ?? []);
}

/** A response of the Research API; `code` is `ok` for one without an error. */
function envelope(data: Record<string, unknown>, code = "ok", message = ""): Record<string, unknown> {
  const digest = createHash("sha256").update(message).digest("hex").slice(0, 6);
  return { data, error: { code, message, log_id: `20261122120000${digest.toUpperCase()}` } };
}

const PROBLEMS = {
  access_token_invalid: [401, "The access token is invalid or not found in the request."],
  scope_not_authorized: [401, "The user did not authorize the scope required for completing this request."],
  invalid_params: [400, "One or more fields in request is invalid."],
  rate_limit_exceeded: [429, "The API rate limit was exceeded. Please try again later."],
  daily_quota_limit_exceeded: [429, "Daily quota limit exceeded"],
  internal_error: [500, "Something went wrong. Please try again later."],
  not_found: [404, "The requested resource does not exist."],
} as const;

/** A request that TikTok would refuse with 400. */
class ParamsRefused extends Error {
  override readonly name = "ParamsRefused";
}

/** An error of TikTok. */
export function tiktokProblem(code: keyof typeof PROBLEMS, detail?: string): Required<Pick<Reply, "status" | "body">> {
  const [status, message] = PROBLEMS[code];
  return { status, body: envelope({}, code, detail ?? message) };
}
