import { Timeline } from "../timeline/timeline.js";
import type { Reply, UpstreamRequest } from "../upstream/exchange.js";
import { readFields, type RequestedField } from "./fields.js";
import { graphError, GraphRefused } from "./graph-error.js";
import {
  type DemoComment,
  DEMO_PAGE,
  type DemoPage,
  type DemoPagePost,
  inventComment,
  inventPagePost,
} from "./page-post.js";
import { commentAnswer, postAnswer } from "./page-post-answer.js";

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
  /** Whether an answer by ids leaves out what does not exist, instead of an error for all of them. */
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

  /** The answer to a request without its version; undefined for what pages do not answer. */
  answer(path: string, { query }: UpstreamRequest): Reply | undefined {
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
    return comment === undefined ? postAnswer(post, fields) : commentAnswer(comment);
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
      data: items.map((post) => postAnswer(post, fields)),
      // The cursor of the last page leads nowhere; only `next` says whether there is more.
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
