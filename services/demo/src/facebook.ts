import { graphError, GraphRefused, graphTime, readFields, type RequestedField } from "./graph.js";
import { inventPerson, inventText, type Person, randomOf } from "./invented.js";
import { Timeline } from "./timeline.js";
import type { Reply, UpstreamRequest } from "./upstream.js";

const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 25;
const IDS_MAX = 50;
const KNOWN_BY_ID = new Set(["ids", "fields", "access_token", "appsecret_proof"]);
/** Fields that comments do not have: to ask for them is an error. */
const OF_POSTS = new Set(["updated_time", "status_type", "attachments", "shares", "place"]);
/** Fields that posts do not have. */
const OF_COMMENTS = new Set(["like_count", "comment_count", "parent", "attachment"]);
const KNOWN = new Set(["fields", "limit", "since", "until", "after", "before", "access_token", "appsecret_proof"]);

/** Pages of Facebook with their posts and comments. */
export class FacebookPages {
  readonly timeline = new Timeline<DemoPagePost>();
  /** Whether a response by ids leaves out what does not exist, instead of an error for all of them. */
  leavesOutMissing = false;
  private readonly pages = new Map<string, DemoPage>();
  private readonly hidden = new Set<string>();
  private readonly forbidden = new Set<string>();
  private added = 0;

  constructor(private readonly now: () => number) {
    this.addPage(DEMO_PAGE);
  }

  addPage(page: DemoPage): void {
    for (const name of [page.id, page.username]) this.pages.set(name.toLowerCase(), page);
  }

  /** The app may not read this page. */
  forbid({ id }: Pick<DemoPage, "id">): void {
    this.forbidden.add(id);
  }

  /** The app is no longer shown this page, as if it did not exist. */
  hide({ id }: Pick<DemoPage, "id">): void {
    this.hidden.add(id);
  }

  /** Adds an invented post; default time: now. Returns its id. */
  post(values: Partial<DemoPagePost> = {}): string {
    this.added += 1;
    const post = inventPagePost(this.added, values.at ?? this.now(), values);
    this.timeline.add(post);
    return post.id;
  }

  /** Adds an invented comment to a post. Returns its id. */
  comment(postId: string, values: Partial<DemoComment> = {}): string {
    this.added += 1;
    const number = this.added;
    let id = "";
    this.timeline.edit(postId, (post) => {
      const comment = inventComment(post, number, { ...values, at: values.at ?? this.now() });
      id = comment.id;
      return { ...post, comments: [comment, ...post.comments] };
    });
    return id;
  }

  /** Edits a post, which keeps its id. */
  edit(id: string, text: string): void {
    this.timeline.edit(id, (post) => ({ ...post, text, updatedAt: this.now() }));
  }

  remove(id: string): void {
    this.timeline.remove(id);
  }

  /** The response to a path without its version; undefined for paths that are not of pages. */
  respond(path: string, { query }: UpstreamRequest): Reply | undefined {
    if (path === "/me") return { body: { id: "100000000000001" } };
    if (path === "/" && query.has("ids")) return { body: this.byIds(query) };
    const [, name = ""] = /^\/([^/]+)\/(?:published_posts|feed|posts)$/.exec(path) ?? [];
    if (name === "") return undefined;
    const page = this.pages.get(decodeURIComponent(name).toLowerCase());
    if (page === undefined) throw new GraphRefused(graphError(803));
    if (this.hidden.has(page.id)) throw notThere(name);
    if (this.forbidden.has(page.id)) throw new GraphRefused(graphError(10));
    return { body: this.page(page, query) };
  }

  /** Removes a comment. */
  removeComment(id: string): void {
    const post = this.timeline.find(({ comments }) => comments.some((comment) => comment.id === id));
    if (post === undefined) throw new RangeError(`There is no comment ${id}.`);
    this.timeline.edit(post.id, ({ comments, ...others }) => ({
      ...others,
      comments: comments.filter((comment) => comment.id !== id),
    }));
  }

  private byIds(query: URLSearchParams): Record<string, unknown> {
    const unknown = [...query.keys()].find((name) => !KNOWN_BY_ID.has(name));
    if (unknown !== undefined) throw refused(`(#100) Unknown parameter ${unknown}`);
    const ids = (query.get("ids") ?? "").split(",");
    if (ids.length > IDS_MAX) throw refused(`(#100) Too many IDs. Maximum: ${IDS_MAX}`);
    const fields = fieldsOf(query.get("fields") ?? "created_time,message,id");
    const found = ids.map((id) => [id, this.objectOf(id, fields)] as const);
    const missing = found.find(([, object]) => object === undefined)?.[0];
    if (missing !== undefined && !this.leavesOutMissing) throw notThere(missing);
    return Object.fromEntries(found.filter(([, object]) => object !== undefined));
  }

  private objectOf(id: string, fields: readonly RequestedField[]): Record<string, unknown> | undefined {
    const post = this.timeline.find((each) => each.id === id || each.comments.some((comment) => comment.id === id));
    if (post === undefined || this.hidden.has(post.page.id)) return undefined;
    if (this.forbidden.has(post.page.id)) throw new GraphRefused(graphError(10));
    const comment = post.comments.find((each) => each.id === id);
    const wrong = fields.find(({ name }) => (comment === undefined ? OF_COMMENTS : OF_POSTS).has(name));
    const type = comment === undefined ? "Post" : "Comment";
    if (wrong !== undefined) {
      throw refused(`(#100) Tried accessing nonexisting field (${wrong.name}) on node type (${type})`);
    }
    return comment === undefined ? postJson(post, fields) : commentJson(comment);
  }

  private page(page: DemoPage, query: URLSearchParams): Record<string, unknown> {
    const unknown = [...query.keys()].find((name) => !KNOWN.has(name));
    if (unknown !== undefined) throw refused(`(#100) Unknown parameter ${unknown}`);
    const fields = fieldsOf(query.get("fields") ?? "created_time,message,id");
    const limit = Number(query.get("limit") ?? LIMIT_DEFAULT);
    if (!(limit >= 1 && limit <= LIMIT_MAX))
      throw refused("(#100) Please reduce the amount of data you're asking for.");
    const since = Number(query.get("since") ?? 0) * 1000;
    const until = Number(query.get("until") ?? Infinity) * 1000;
    const { items, nextToken } = this.timeline.page({
      wants: (post) => post.page.id === page.id && post.at >= since && post.at <= until,
      limit,
      token: query.get("after") ?? undefined,
    });
    if (items.length === 0) return { data: [] };
    const next = `https://graph.facebook.com/v25.0/${page.id}/published_posts?access_token=a-token&after=${nextToken}`;
    return {
      data: items.map((post) => postJson(post, fields)),
      // The cursor of the last page leads nowhere; only `next` shows whether there is more.
      paging: { cursors: { before: "b", after: nextToken ?? "end" }, ...(nextToken !== undefined && { next }) },
    };
  }
}

function fieldsOf(text: string): readonly RequestedField[] {
  try {
    return readFields(text);
  } catch {
    throw refused("(#100) Tried accessing nonexisting field");
  }
}

function notThere(id: string): GraphRefused {
  const message =
    `Unsupported get request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does ` +
    "not support this operation.";
  return new GraphRefused(graphError(100, message, { subcode: 33 }));
}

function refused(message: string): GraphRefused {
  return new GraphRefused(graphError(100, message));
}

/** A page of the fake. */
export interface DemoPage {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

/** A comment on a post. */
interface DemoComment {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
  readonly author: Person;
  readonly likes: number;
  /** Fields that replace or add to those of the response. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** A post of a page as the fake keeps it. */
interface DemoPagePost {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly updatedAt: number;
  readonly page: DemoPage;
  /** Empty: a post without a text. */
  readonly text: string;
  readonly likes: number;
  readonly shares: number;
  /** Newest first. */
  readonly comments: readonly DemoComment[];
  /** Fields that replace or add to those of the response. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The page that every fake has. */
export const DEMO_PAGE: DemoPage = { id: "100000000000001", username: "kestrel.demo", name: "Kestrel (invented)" };

/** An invented post of this number and time; `values` replaces parts of it. */
function inventPagePost(number: number, at: number, values: Partial<DemoPagePost> = {}): DemoPagePost {
  const random = randomOf(number);
  const page = values.page ?? DEMO_PAGE;
  return {
    id: `${page.id}_2${String(number).padStart(14, "0")}`,
    at,
    updatedAt: at,
    page,
    text: inventText(random),
    likes: Math.floor(random() * 50),
    shares: Math.floor(random() * 5),
    comments: [],
    extra: {},
    ...values,
  };
}

/** An invented comment on a post. */
function inventComment(
  post: DemoPagePost,
  number: number,
  { at, ...values }: Partial<DemoComment> & Pick<DemoComment, "at">,
): DemoComment {
  const random = randomOf(number + 1_000_000);
  return {
    id: `${post.id.split("_")[1]}_${number}`,
    at,
    text: inventText(random),
    author: inventPerson(random),
    likes: Math.floor(random() * 10),
    extra: {},
    ...values,
  };
}

const REACTIONS = ["like", "love", "wow", "haha", "sad", "angry", "care"] as const;

/** A post as the Graph API states it: the fields that the request names. */
function postJson(post: DemoPagePost, fields: readonly RequestedField[]): Record<string, unknown> {
  const known = knownFields(post);
  const entries = fields.map((field) => [aliasOf(field), valueOf(post, field, known)] as const);
  return { ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)), demo: true, ...post.extra };
}

function aliasOf({ name, modifiers }: RequestedField): string {
  return modifiers["as"] ?? name;
}

function valueOf(post: DemoPagePost, field: RequestedField, known: Readonly<Record<string, unknown>>): unknown {
  if (field.name === "reactions") return reactionsOf(post, field);
  if (field.name === "comments") return commentsOf(post, field);
  return known[field.name];
}

function knownFields({ id, at, updatedAt, page, text, shares }: DemoPagePost): Record<string, unknown> {
  const [pageId, number] = id.split("_");
  return {
    id,
    created_time: graphTime(at),
    updated_time: graphTime(updatedAt),
    permalink_url: `https://www.facebook.com/${pageId}/posts/${number}/`,
    status_type: "mobile_status_update",
    from: { id: page.id, name: page.name, username: page.username },
    message: text === "" ? undefined : text,
    shares: shares === 0 ? undefined : { count: shares },
  };
}

function reactionsOf({ likes }: DemoPagePost, { modifiers }: RequestedField): Record<string, unknown> {
  const kind = REACTIONS.find((each) => each.toUpperCase() === modifiers["type"]);
  const count = kind === undefined || kind === "like" ? likes : Math.floor(likes / 10);
  return { data: [], summary: { total_count: count, viewer_reaction: "NONE" } };
}

function commentsOf({ comments }: DemoPagePost, { modifiers }: RequestedField): Record<string, unknown> {
  const data = comments.slice(0, Number(modifiers["limit"] ?? 25)).map(commentJson);
  const summary = { order: "reverse_chronological", total_count: comments.length, can_comment: false };
  const isCut = data.length < comments.length;
  const paging = { cursors: { before: "b", after: "a" }, ...(isCut && { next: "https://graph.facebook.com/…" }) };
  return { data, ...(data.length > 0 && { paging }), summary };
}

/** A comment as the Graph API states it. */
function commentJson({ id, at, text, author, likes, extra }: DemoComment): Record<string, unknown> {
  return {
    id,
    created_time: graphTime(at),
    message: text,
    from: { id: author.id, name: author.name },
    like_count: likes,
    comment_count: 0,
    permalink_url: `https://www.facebook.com/permalink/?comment_id=${id}`,
    demo: true,
    ...extra,
  };
}
