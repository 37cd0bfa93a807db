import { graphError, GraphRefused, graphTime, readFields, type RequestedField } from "./graph.js";
import { inventText, randomOf } from "./invented.js";
import { Timeline } from "./timeline.js";
import type { Reply, UpstreamRequest } from "./upstream.js";

const DAY_MS = 24 * 60 * 60_000;
const WEEK_MS = 7 * DAY_MS;
const HASHTAGS_MAX = 30;
const LIMIT_MAX = 50;
const HASHTAG = /#([\p{L}\p{N}\p{M}_]+)/gu;
const SAME_CURSOR = "QVFIdemo";

/** Media of Instagram by hashtag and by account, read in the name of one professional account. */
export class InstagramMedia {
  readonly timeline = new Timeline<DemoMedia>();
  /** Hashtags whose media it never gives out. */
  readonly blocked = new Set<string>();
  /** Whether all pages of a hashtag state the same cursor, as Instagram documents it. */
  sameCursor = false;
  private readonly accounts = new Map<string, DemoAccount>();
  private readonly hashtagIds = new Map<string, string>();
  private readonly requestedAt = new Map<string, number>();
  private readonly places = new Map<string, string>();
  private added = 0;

  constructor(
    private readonly userId: string,
    private readonly now: () => number,
  ) {
    this.addAccount(DEMO_ACCOUNT);
  }

  addAccount(account: DemoAccount): void {
    this.accounts.set(account.username.toLowerCase(), account);
  }

  /** Adds invented media; default time: now. Returns their id. */
  post(values: Partial<DemoMedia> = {}): string {
    this.added += 1;
    const media = inventMedia(this.added, values.at ?? this.now(), values);
    this.timeline.add(media);
    return media.id;
  }

  edit(id: string, caption: string): void {
    this.timeline.edit(id, (media) => ({ ...media, caption }));
  }

  remove(id: string): void {
    this.timeline.remove(id);
  }

  /** Different hashtags that were requested in the last seven days. */
  get hashtagsAsked(): number {
    return [...this.requestedAt.values()].filter((at) => at > this.now() - WEEK_MS).length;
  }

  /** The response to a path without its version; undefined for paths that are not of Instagram. */
  respond(path: string, { query }: UpstreamRequest): Reply | undefined {
    if (path === "/ig_hashtag_search") return this.search(query);
    const [, id, edge] = /^\/(\d+)(?:\/(recent_media|recently_searched_hashtags))?$/.exec(path) ?? [];
    if (id === undefined) return undefined;
    if (edge === "recent_media") return this.recentMedia(id, query);
    if (id !== this.userId) return undefined;
    if (edge === undefined) return query.get("fields") === "id" ? { body: { id } } : this.discovery(query);
    return { body: { data: [...this.requestedAt.keys()].map((name) => ({ id: this.hashtagIds.get(name) })) } };
  }

  private search(query: URLSearchParams): Reply {
    this.mustBeUser(query);
    const name = (query.get("q") ?? "").toLowerCase();
    if (!/^[\p{L}\p{N}\p{M}_]+$/u.test(name) || this.blocked.has(name)) {
      throw new GraphRefused(graphError(24, undefined, { subcode: 2_207_024 }));
    }
    this.count(name);
    const id = this.hashtagIds.get(name) ?? `178${String(this.hashtagIds.size + 1).padStart(14, "0")}`;
    this.hashtagIds.set(name, id);
    return { body: { data: [{ id }] } };
  }

  private recentMedia(id: string, query: URLSearchParams): Reply {
    this.mustBeUser(query);
    const name = [...this.hashtagIds].find(([, known]) => known === id)?.[0];
    if (name === undefined) throw new GraphRefused(graphError(100, undefined, { subcode: 33 }));
    this.count(name);
    const after = query.get("after") ?? undefined;
    const { items, nextToken } = this.timeline.page({
      wants: ({ caption, at }) => at > this.now() - DAY_MS && tagsOf(caption).includes(name),
      limit: limitOf(query.get("limit")),
      token: after === SAME_CURSOR ? this.places.get(id) : after,
    });
    if (nextToken !== undefined) this.places.set(id, nextToken);
    const data = items.map((media) => mediaJson(media, fieldsOf(query), "hashtag"));
    const cursor = this.sameCursor && nextToken !== undefined ? SAME_CURSOR : nextToken;
    return { body: { data, ...(cursor !== undefined && { paging: pagingOf(cursor) }) } };
  }

  private discovery(query: URLSearchParams): Reply {
    const field = fieldsOf(query).find(({ name }) => name === "business_discovery");
    const account = this.accounts.get(field?.modifiers["username"]?.toLowerCase() ?? "");
    if (field === undefined || account === undefined) {
      throw new GraphRefused(graphError(110, undefined, { subcode: 2_207_013 }));
    }
    const media = field.fields.find(({ name }) => name === "media");
    const own = { id: account.id, username: account.username, name: account.name };
    const list = media && { media: this.mediaOf(account, media) };
    return { body: { business_discovery: { ...own, ...list }, id: this.userId } };
  }

  private mediaOf({ id }: DemoAccount, { modifiers, fields }: RequestedField): Record<string, unknown> {
    const { items, nextToken } = this.timeline.page({
      wants: ({ account }) => account.id === id,
      limit: limitOf(modifiers["limit"]),
      token: modifiers["after"],
    });
    const data = items.map((media) => mediaJson(media, fields, "account"));
    // Unlike elsewhere, there is no `next`: the last page has no cursor.
    return { data, ...(nextToken !== undefined && { paging: { cursors: { after: nextToken } } }) };
  }

  private mustBeUser(query: URLSearchParams): void {
    if (query.get("user_id") !== this.userId) throw new GraphRefused(graphError(100, "(#100) Invalid user_id"));
  }

  /** A hashtag counts for seven days from its first request; later ones do not count. */
  private count(name: string): void {
    const at = this.requestedAt.get(name);
    if (at !== undefined && at > this.now() - WEEK_MS) return;
    if (this.hashtagsAsked >= HASHTAGS_MAX) {
      throw new GraphRefused(graphError(18, undefined, { subcode: 2_207_034 }));
    }
    this.requestedAt.set(name, this.now());
  }
}

function tagsOf(caption: string): string[] {
  return [...caption.toLowerCase().matchAll(HASHTAG)].map(([, name = ""]) => name);
}

function pagingOf(after: string): Record<string, unknown> {
  return { cursors: { after }, next: `https://graph.facebook.com/v25.0/…?access_token=a-token&after=${after}` };
}

function limitOf(text: string | null | undefined): number {
  const limit = Number(text ?? 25);
  if (limit >= 1 && limit <= LIMIT_MAX) return limit;
  throw new GraphRefused(graphError(100, "(#100) The limit is not between 1 and 50."));
}

function fieldsOf(query: URLSearchParams): readonly RequestedField[] {
  try {
    return readFields(query.get("fields") ?? "id");
  } catch {
    throw new GraphRefused(graphError(100, "(#100) Tried accessing nonexisting field"));
  }
}

/** A professional account of the fake. */
interface DemoAccount {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

/** A picture, video or album as the fake keeps it. */
interface DemoMedia {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly account: DemoAccount;
  /** Empty: media without a caption. */
  readonly caption: string;
  readonly type: "IMAGE" | "VIDEO" | "CAROUSEL_ALBUM";
  readonly likes: number;
  readonly comments: number;
  /** Fields that replace or add to those of the response. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The account that every fake has. */
export const DEMO_ACCOUNT: DemoAccount = {
  id: "17841400000000001",
  username: "kestrel_demo",
  name: "Kestrel (invented)",
};

/** Invented media of this number and time; `values` replaces parts of it. */
function inventMedia(number: number, at: number, values: Partial<DemoMedia> = {}): DemoMedia {
  const random = randomOf(number);
  return {
    id: `179${String(number).padStart(14, "0")}`,
    at,
    account: DEMO_ACCOUNT,
    caption: `${inventText(random)} #kestrel`,
    type: "IMAGE",
    likes: Math.floor(random() * 100),
    comments: Math.floor(random() * 10),
    extra: {},
    ...values,
  };
}

/** Fields that Instagram states for media of accounts only. */
const OF_ACCOUNTS = new Set(["username", "view_count", "media_product_type"]);

/** Media as the Graph API states them: the fields that the request names. */
function mediaJson(
  media: DemoMedia,
  fields: readonly RequestedField[],
  by: "account" | "hashtag",
): Record<string, unknown> {
  const known = knownFields(media);
  const allowed = fields.filter(({ name }) => by === "account" || !OF_ACCOUNTS.has(name));
  const entries = allowed.map(({ name }) => [name, known[name]] as const).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(entries), id: media.id, demo: true, ...media.extra };
}

function knownFields({ id, at, account, caption, type, likes, comments }: DemoMedia): Record<string, unknown> {
  const file = `https://media.example.org/${id}.${type === "VIDEO" ? "mp4" : "jpg"}`;
  const child = { id: `${id}1`, media_type: "IMAGE", media_url: file };
  return {
    id,
    caption: caption === "" ? undefined : caption,
    media_type: type,
    media_product_type: "FEED",
    media_url: type === "CAROUSEL_ALBUM" ? undefined : file,
    permalink: `https://www.instagram.com/p/demo${id}/`,
    timestamp: graphTime(at),
    like_count: likes,
    comments_count: comments,
    view_count: type === "VIDEO" ? likes * 9 : undefined,
    username: account.username,
    children: type === "CAROUSEL_ALBUM" ? { data: [child] } : undefined,
  };
}
