import { Timeline } from "../timeline/timeline.js";
import type { Reply, UpstreamRequest } from "../upstream/exchange.js";
import { readFields, type RequestedField } from "./fields.js";
import { graphError, GraphRefused } from "./graph-error.js";
import { mediaAnswer } from "./media-answer.js";
import { DEMO_ACCOUNT, type DemoAccount, type DemoMedia, inventMedia } from "./media.js";

const DAY_MS = 24 * 60 * 60_000;
const WEEK_MS = 7 * DAY_MS;
const HASHTAGS_MAX = 30;
const LIMIT_MAX = 50;
const HASHTAG = /#([\p{L}\p{N}\p{M}_]+)/gu;
const SAME_CURSOR = "QVFIdemo";

/** Media of Instagram by hashtag and by account, asked in the name of one professional account. */
export class InstagramMedia {
  readonly timeline = new Timeline<DemoMedia>();
  /** Hashtags that it gives out to nobody. */
  readonly blocked = new Set<string>();
  /** Whether all pages of a hashtag state the same cursor, as Instagram documents it. */
  sameCursor = false;
  private readonly accounts = new Map<string, DemoAccount>();
  private readonly hashtagIds = new Map<string, string>();
  private readonly asked = new Map<string, number>();
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

  /** Different hashtags that were asked for in the last seven days. */
  get hashtagsAsked(): number {
    return [...this.asked.values()].filter((at) => at > this.now() - WEEK_MS).length;
  }

  /** The answer to a request without its version; undefined for what Instagram does not answer. */
  answer(path: string, { query }: UpstreamRequest): Reply | undefined {
    if (path === "/ig_hashtag_search") return this.search(query);
    const [, id, edge] = /^\/(\d+)(?:\/(recent_media|recently_searched_hashtags))?$/.exec(path) ?? [];
    if (id === undefined) return undefined;
    if (edge === "recent_media") return this.recentMedia(id, query);
    if (id !== this.userId) return undefined;
    if (edge === undefined) return query.get("fields") === "id" ? { body: { id } } : this.discovery(query);
    return { body: { data: [...this.asked.keys()].map((name) => ({ id: this.hashtagIds.get(name) })) } };
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
    const data = items.map((media) => mediaAnswer(media, fieldsOf(query), "hashtag"));
    const cursor = this.sameCursor && nextToken !== undefined ? SAME_CURSOR : nextToken;
    return { body: { data, ...(cursor !== undefined && { paging: pagingOf(cursor) }) } };
  }

  private discovery(query: URLSearchParams): Reply {
    const asked = fieldsOf(query).find(({ name }) => name === "business_discovery");
    const account = this.accounts.get(asked?.modifiers["username"]?.toLowerCase() ?? "");
    if (asked === undefined || account === undefined) {
      throw new GraphRefused(graphError(110, undefined, { subcode: 2_207_013 }));
    }
    const media = asked.fields.find(({ name }) => name === "media");
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
    const data = items.map((media) => mediaAnswer(media, fields, "account"));
    // Unlike elsewhere, there is no `next`: the last page has no cursor.
    return { data, ...(nextToken !== undefined && { paging: { cursors: { after: nextToken } } }) };
  }

  private mustBeUser(query: URLSearchParams): void {
    if (query.get("user_id") !== this.userId) throw new GraphRefused(graphError(100, "(#100) Invalid user_id"));
  }

  /** A hashtag counts for seven days from its first request; asking again does not count. */
  private count(name: string): void {
    const at = this.asked.get(name);
    if (at !== undefined && at > this.now() - WEEK_MS) return;
    if (this.hashtagsAsked >= HASHTAGS_MAX) {
      throw new GraphRefused(graphError(18, undefined, { subcode: 2_207_034 }));
    }
    this.asked.set(name, this.now());
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
