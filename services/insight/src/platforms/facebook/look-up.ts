import type { Graph, GraphAsker, GraphParameters } from "../meta/graph/graph.js";
import { SourceError } from "../sources.js";
import { type FoundDraft, type LookUp, type LookUpRequest, PlatformError, type Rechecks } from "../connector.js";
import type { PostingDraft } from "../posting-draft.js";
import { readComment, readItemsById, readPagePost, readPostsPage } from "./posting/post.js";
import { loneCommentToPosting, toPosting } from "./posting/to-posting.js";
import { commentsByIdRequest, postsByIdRequest } from "./posts-request.js";

/** Meta names no term: what is gone goes within a month. */
const TERM_MS = 30 * 24 * 60 * 60_000;
/** Meta takes 50, but beside the fields that are asked for, a URL of 2,048 characters has room for as many long ids. */
const IDS_MAX = 20;
const ID = /^\d{1,20}(?:_\d{1,20})?$/;

export interface LookUpDeps {
  readonly graph: Pick<Graph, "ask" | "notBefore">;
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

/** Stored posts and comments are asked for by their ids, 20 with a request. */
export function createRechecks(deps: LookUpDeps): Rechecks {
  return {
    idsMax: IDS_MAX,
    termMs: () => TERM_MS,
    lookUp: (request) => new Asking(deps, request).all(),
  };
}

/** One look-up, which may need several requests. */
class Asking {
  private readonly found: FoundDraft[] = [];
  private readonly gone: string[] = [];
  /** Whether pages can be read. */
  private readonly pages = new Map<string, boolean>();
  private readonly asker: GraphAsker;
  private isAnswered = false;

  constructor(
    private readonly deps: LookUpDeps,
    private readonly request: LookUpRequest,
  ) {
    this.asker = { search: { preview: false }, signal: request.signal };
  }

  /** What was learned before the budget was spent counts: the other ids are asked for again later. */
  async all(): Promise<LookUp> {
    const { ids, stored } = this.request;
    const sent = ids.filter((id) => ID.test(id));
    const isComment = (id: string): boolean => stored.get(id)?.type === "comment";
    try {
      // The fields of one kind are an error for the other.
      await this.ask(
        sent.filter((id) => !isComment(id)),
        POSTS,
      );
      await this.ask(sent.filter(isComment), COMMENTS);
    } catch (error) {
      const isSpent = error instanceof PlatformError && error.kind === "budget";
      if (!isSpent || !this.isAnswered) throw error;
      return this.response(error.retryAt);
    }
    return this.response(this.deps.graph.notBefore);
  }

  private response(notBefore: number | undefined): LookUp {
    return { found: this.found, gone: this.gone, ...(notBefore !== undefined && { notBefore }) };
  }

  private async ask(ids: readonly string[], kind: Kind): Promise<void> {
    if (ids.length === 0) return;
    const items = await this.itemsOf(ids, kind);
    if (items === undefined) return this.askLess(ids, kind);
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
      const items = readItemsById(await this.deps.graph.ask("/", kind.request(ids), this.asker));
      this.isAnswered = true;
      if (items !== undefined) return items;
    } catch (error) {
      if (!(error instanceof SourceError && error.isMissing)) throw error;
      this.isAnswered = true;
      return undefined;
    }
    throw new PlatformError("temporary", "Facebook returns no posts by their ids. It will be retried.");
  }

  /** Asks in halves, so that only what does not exist is left out. */
  private async askLess(ids: readonly string[], kind: Kind): Promise<void> {
    const shown: string[] = [];
    for (const id of ids) if (await this.isPageShown(id)) shown.push(id);
    const [only] = shown;
    if (ids.length === 1 || only === undefined) {
      this.gone.push(...shown);
      return;
    }
    const middle = Math.ceil(shown.length / 2);
    await this.ask(shown.slice(0, middle), kind);
    await this.ask(shown.slice(middle), kind);
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
      const body = await this.deps.graph.ask(path, { fields: "id", limit: "1" }, this.asker);
      if (readPostsPage(body) !== undefined) return true;
    } catch (error) {
      if (error instanceof SourceError) return false;
      throw error;
    }
    throw new PlatformError("temporary", "Facebook returns no page of posts. It will be retried.");
  }
}

/** The name by which the page is followed, and its id, with which the id of a post begins. */
function pagesOf(id: string, stored: PostingDraft | undefined): string[] {
  const name = stored?.moreInfo?.["page"];
  const [, pageId] = stored?.type === "comment" ? [] : (/^(\d+)_/.exec(id) ?? []);
  return [name, pageId].filter((each) => typeof each === "string");
}
