import {
  type Connector,
  type FoundDraft,
  type LookUp,
  type LookUpRequest,
  type Page,
  type PageRequest,
  type Plan,
  PlatformError,
  type PlatformSearch,
  type Rechecks,
  type RequestContext,
} from "../connector.js";
import type { Graph, GraphParameters } from "../graph.js";
import type { PostingDraft } from "../posting-draft.js";
import { readEach } from "../schemas.js";
import { readNext, type SourceAt, SourceError, type SourcePage, type Walk } from "../sources.js";
import {
  commentsByIdRequest,
  postsByIdRequest,
  postsRequest,
  readComment,
  readItemsById,
  readPagePost,
  readPostsPage,
} from "./api.js";
import { commentToPosting, loneCommentToPosting, toPosting } from "./posting.js";
import { type FollowedPage, followedPages, wrongPages } from "./query.js";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LOOK_BACK_MS = 7 * DAY_MS;
const INTERVAL_MS_MIN = 15 * MINUTE_MS;
/** Posts of this time are read again with every poll: for their comments, and because counts and texts change. */
const AGAIN_MS = 2 * DAY_MS;
/** Meta names no term: what is gone is removed within a month. */
const TERM_MS = 30 * DAY_MS;
/** Meta takes 50, but beside the fields that are asked for, a URL of 2,048 characters has room for as many long ids. */
const IDS_MAX = 20;
const ID = /^\d{1,20}(?:_\d{1,20})?$/;
const NOTHING = "No page is followed. Name pages in query.follow.pages, or ask the operator to set FACEBOOK_PAGES.";

/** Posts of followed pages and the comments on them. Stored ones are looked up by their ids, 20 with a request. */
export class FacebookConnector implements Connector {
  readonly mode = "follow";
  readonly lookBackMs = LOOK_BACK_MS;
  readonly intervalMinMs = INTERVAL_MS_MIN;
  readonly rechecks: Rechecks = {
    idsMax: IDS_MAX,
    termMs: () => TERM_MS,
    lookUp: (request) => new PostsLookUp(this.graph, request).all(),
  };
  private readonly walk: Walk<FollowedPage>;

  /** `serverPages`: pages that every search follows. */
  constructor(
    private readonly graph: Graph,
    private readonly serverPages: readonly string[],
    now: () => number,
  ) {
    this.walk = {
      sourcesOf: (search) => followedPages(search, serverPages),
      read: (page, at, request) => this.readPage(page, at, request),
      warningsOf: wrongPages,
      nothing: NOTHING,
      notBefore: () => graph.notBefore,
      now,
    };
  }

  plan(search: PlatformSearch): Plan {
    const pages = followedPages(search, this.serverPages);
    return {
      queries: pages.map(({ name }) => name),
      narrowedLocally: true,
      cost: "1 request for each page with up to 25 posts of the last days, free of charge",
      warnings: [...wrongPages(search), ...(pages.length === 0 ? [NOTHING] : [])],
    };
  }

  fetchPage(request: PageRequest): Promise<Page> {
    return readNext(this.walk, request);
  }

  async check(request: PageRequest): Promise<void> {
    await this.graph.get("/me", { fields: "id" }, request);
  }

  private async readPage({ name }: FollowedPage, at: SourceAt, request: PageRequest): Promise<SourcePage> {
    const from = Math.max(at.since, (at.readUntil ?? 0) - AGAIN_MS);
    const path = `/${encodeURIComponent(name)}/published_posts`;
    const page = readPostsPage(await this.graph.get(path, postsRequest({ from, after: at.after }), request));
    if (page === undefined) throw noPosts();
    const posts = readEach(page.data, readPagePost);
    const comments = posts.items.map((post) => ({ post, ...readEach(post.comments?.data, readComment) }));
    const commented = comments.flatMap(({ post, items }) => items.map((item) => commentToPosting(item, post, name)));
    return {
      postings: [...posts.items.map((post) => toPosting(post, name)), ...commented],
      skipped: comments.reduce((sum, { skipped }) => sum + skipped, posts.skipped),
      requests: 1,
      after: page.paging?.hasNext === true ? (page.paging.after ?? null) : null,
    };
  }
}

function noPosts(): PlatformError {
  return new PlatformError("temporary", "Facebook returns no page of posts. It will be retried.");
}

/** How posts, or comments, are asked for by their ids and read. */
interface Kind {
  readonly request: (ids: readonly string[]) => GraphParameters;
  /** Undefined for an item that cannot be read. */
  readonly read: (item: unknown) => FoundDraft | undefined;
}

const POSTS: Kind = {
  request: postsByIdRequest,
  read: (item) => {
    const post = readPagePost(item);
    return post && toPosting(post);
  },
};
const COMMENTS: Kind = {
  request: commentsByIdRequest,
  read: (item) => {
    const comment = readComment(item);
    return comment && loneCommentToPosting(comment);
  },
};

/** One look-up, which may need several requests. */
class PostsLookUp {
  private readonly found: FoundDraft[] = [];
  private readonly gone: string[] = [];
  /** Whether pages can be read. */
  private readonly pages = new Map<string, boolean>();
  private readonly context: RequestContext;
  private hasResponse = false;

  constructor(
    private readonly graph: Graph,
    private readonly request: LookUpRequest,
  ) {
    this.context = { search: { preview: false }, signal: request.signal };
  }

  /** What was learned before the budget was spent counts: the other ids are looked up again later. */
  async all(): Promise<LookUp> {
    const { ids, stored } = this.request;
    const sent = ids.filter((id) => ID.test(id));
    const isComment = (id: string): boolean => stored.get(id)?.type === "comment";
    try {
      // The fields of one kind are an error for the other.
      await this.read(
        sent.filter((id) => !isComment(id)),
        POSTS,
      );
      await this.read(sent.filter(isComment), COMMENTS);
    } catch (error) {
      const isSpent = error instanceof PlatformError && error.kind === "budget";
      if (!isSpent || !this.hasResponse) throw error;
      return this.result(error.retryAt);
    }
    return this.result(this.graph.notBefore);
  }

  private result(notBefore: number | undefined): LookUp {
    return { found: this.found, gone: this.gone, ...(notBefore !== undefined && { notBefore }) };
  }

  private async read(ids: readonly string[], kind: Kind): Promise<void> {
    if (ids.length === 0) return;
    const items = await this.itemsOf(ids, kind);
    if (items === undefined) return this.readLess(ids, kind);
    for (const id of ids) {
      const item = items.get(id);
      const draft = kind.read(item);
      if (draft?.socialId === id) this.found.push(draft);
      if (item === undefined && (await this.isPageShown(id))) this.gone.push(id);
    }
  }

  /** Undefined if one of the ids, or several, do not exist: Meta then answers for none of them. */
  private async itemsOf(ids: readonly string[], kind: Kind): Promise<ReadonlyMap<string, unknown> | undefined> {
    try {
      const items = readItemsById(await this.graph.get("/", kind.request(ids), this.context));
      this.hasResponse = true;
      if (items !== undefined) return items;
    } catch (error) {
      if (!(error instanceof SourceError && error.isMissing)) throw error;
      this.hasResponse = true;
      return undefined;
    }
    throw new PlatformError("temporary", "Facebook returns no posts by their ids. It will be retried.");
  }

  /** Reads in halves, so that only what does not exist is left out. */
  private async readLess(ids: readonly string[], kind: Kind): Promise<void> {
    const shown: string[] = [];
    for (const id of ids) if (await this.isPageShown(id)) shown.push(id);
    const [only] = shown;
    if (ids.length === 1 || only === undefined) {
      this.gone.push(...shown);
      return;
    }
    const middle = Math.ceil(shown.length / 2);
    await this.read(shown.slice(0, middle), kind);
    await this.read(shown.slice(middle), kind);
  }

  /**
   * Whether the page of a posting can still be read. If not, a posting of it may be missing only because the app has lost
   * its access, which is no reason to erase all that is stored of the page.
   */
  private async isPageShown(id: string): Promise<boolean> {
    for (const page of pagesOf(id, this.request.stored.get(id))) {
      const isShown = this.pages.get(page) ?? (await this.canRead(page));
      this.pages.set(page, isShown);
      if (isShown) return true;
    }
    return false;
  }

  private async canRead(page: string): Promise<boolean> {
    try {
      const path = `/${encodeURIComponent(page)}/published_posts`;
      const body = await this.graph.get(path, { fields: "id", limit: "1" }, this.context);
      if (readPostsPage(body) !== undefined) return true;
    } catch (error) {
      if (error instanceof SourceError) return false;
      throw error;
    }
    throw noPosts();
  }
}

/** The name by which the page is followed, and its id, with which the id of a post begins. */
function pagesOf(id: string, stored: PostingDraft | undefined): string[] {
  const name = stored?.moreInfo?.["page"];
  const [, pageId] = stored?.type === "comment" ? [] : (/^(\d+)_/.exec(id) ?? []);
  return [name, pageId].filter((each) => typeof each === "string");
}
