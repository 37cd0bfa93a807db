import { readEach } from "../schemas.js";
import type { Graph } from "../meta/graph/graph.js";
import { readNext, type SourceAt, type SourcePage, type Walk } from "../sources.js";
import {
  type Connector,
  type PageRequest,
  type Plan,
  type PlatformDeps,
  PlatformError,
  type PlatformSearch,
} from "../connector.js";
import { createRechecks } from "./look-up.js";
import { type FollowedPage, followedPages, wrongPages } from "./followed-pages.js";
import { readComment, readPagePost, readPostsPage } from "./posting/post.js";
import { commentToPosting, toPosting } from "./posting/to-posting.js";
import { postsRequest } from "./posts-request.js";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LOOK_BACK_MS = 7 * DAY_MS;
const INTERVAL_MS_MIN = 15 * MINUTE_MS;
/** Posts of this time are read again with every poll: for their comments, and because counts and texts change. */
const AGAIN_MS = 2 * DAY_MS;
const NOTHING = "No page is followed. Name pages in query.follow.pages, or ask the operator to set FACEBOOK_PAGES.";

export interface FacebookDeps extends Pick<PlatformDeps, "now"> {
  readonly graph: Graph;
  /** Pages that every search follows. */
  readonly serverPages: readonly string[];
}

/** Posts of followed pages and the comments on them. The query is matched by the caller. */
export function createFacebookConnector(deps: FacebookDeps): Connector {
  const walk: Walk<FollowedPage> = {
    sourcesOf: (search) => followedPages(search, deps.serverPages),
    read: (page, at, request) => readPage(deps, page, { at, request }),
    warningsOf: wrongPages,
    nothing: NOTHING,
    notBefore: () => deps.graph.notBefore,
    now: deps.now,
  };
  return {
    mode: "follow",
    lookBackMs: LOOK_BACK_MS,
    intervalMinMs: INTERVAL_MS_MIN,
    plan: (search) => planOf(search, deps.serverPages),
    fetchPage: (request) => readNext(walk, request),
    rechecks: createRechecks(deps),
    check: async (request) => void (await deps.graph.ask("/me", { fields: "id" }, request)),
  };
}

function planOf(search: PlatformSearch, serverPages: readonly string[]): Plan {
  const pages = followedPages(search, serverPages);
  return {
    queries: pages.map(({ name }) => name),
    narrowedLocally: true,
    cost: "1 request for each page with up to 25 posts of the last days, free of charge",
    warnings: [...wrongPages(search), ...(pages.length === 0 ? [NOTHING] : [])],
  };
}

interface Reading {
  readonly at: SourceAt;
  readonly request: PageRequest;
}

async function readPage(
  { graph }: FacebookDeps,
  { name }: FollowedPage,
  { at, request }: Reading,
): Promise<SourcePage> {
  const from = Math.max(at.since, (at.readUntil ?? 0) - AGAIN_MS);
  const path = `/${encodeURIComponent(name)}/published_posts`;
  const body = await graph.ask(path, postsRequest({ from, after: at.after }), request);
  const page = readPostsPage(body);
  if (page === undefined)
    throw new PlatformError("temporary", "Facebook returns no page of posts. It will be retried.");
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
