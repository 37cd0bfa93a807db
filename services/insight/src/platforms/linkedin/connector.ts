import { readEach } from "../asking/read-each.js";
import { readNext, type SourceAt, type SourcePage, type Walk } from "../following/walk.js";
import { PlatformError } from "../port/platform-error.js";
import type { Connector, PageRequest, Plan, PlatformDeps, PlatformSearch } from "../port/platform.js";
import { type LinkedinPost, readMetadata, readPost, readPostsPage, readStatistics } from "./asking/answer.js";
import type { LinkedinApi } from "./asking/linkedin-api.js";
import { administered, metadataOf, POSTS_MAX, postsOf, statisticsOf } from "./asking/questions.js";
import { type FollowedOrganisation, followedOrganisations, wrongOrganisations } from "./followed-organisations.js";
import { OrganisationNames } from "./organisation-names.js";
import { toPosting } from "./posting/to-posting.js";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const LOOK_BACK_MS = 7 * DAY_MS;
/** Posts of this time are read again with every poll, because their counts change. */
const AGAIN_MS = 2 * DAY_MS;
/** States in which administrators get posts that nobody else sees. */
const UNPUBLISHED: ReadonlySet<string> = new Set(["DRAFT", "PUBLISH_REQUESTED", "PUBLISH_FAILED"]);
const NOTHING =
  "No organisation is followed. Name organisations in query.follow.organisations, or ask the operator to set LINKEDIN_ORGANIZATIONS.";

export interface LinkedinDeps extends Pick<PlatformDeps, "now"> {
  readonly api: LinkedinApi;
  /** Ids of organisations that every search follows. */
  readonly serverIds: readonly string[];
  readonly requestsPerDay: number;
}

/** Posts of organisations that a member administers. The query is matched by the caller. */
export function createLinkedinConnector(deps: LinkedinDeps): Connector {
  const names = new OrganisationNames(deps);
  const walk: Walk<FollowedOrganisation> = {
    sourcesOf: (search) => followedOrganisations(search, deps.serverIds),
    read: (organisation, at, request) => readOrganisation({ ...deps, names }, organisation, { at, request }),
    warningsOf: wrongOrganisations,
    nothing: NOTHING,
    notBefore: () => undefined,
    now: deps.now,
  };
  return {
    mode: "follow",
    lookBackMs: LOOK_BACK_MS,
    intervalMinMs: HOUR_MS,
    plan: (search) => planOf(deps, search),
    fetchPage: (request) => readNext(walk, request),
    check: async (request) => void (await deps.api.ask(administered(), request)),
    idsOnly: true,
  };
}

function planOf({ serverIds, requestsPerDay }: LinkedinDeps, search: PlatformSearch): Plan {
  const organisations = followedOrganisations(search, serverIds);
  return {
    queries: organisations.map(({ id }) => id),
    narrowedLocally: true,
    cost: `1 request for each organisation, and 2 more for every ${POSTS_MAX} posts; this server sends at most ${requestsPerDay} a day for all insights`,
    warnings: [...wrongOrganisations(search), ...(organisations.length === 0 ? [NOTHING] : [])],
  };
}

interface Reading {
  readonly at: SourceAt;
  readonly request: PageRequest;
}

type ReadingDeps = Pick<LinkedinDeps, "api"> & { readonly names: OrganisationNames };

async function readOrganisation(
  { api, names }: ReadingDeps,
  { id }: FollowedOrganisation,
  { at, request }: Reading,
): Promise<SourcePage> {
  const start = Number(at.after ?? 0);
  const from = Math.max(at.since, (at.readUntil ?? 0) - AGAIN_MS);
  const page = readPostsPage(await api.ask(postsOf(id, start), request));
  if (page === undefined) {
    throw new PlatformError("temporary", "LinkedIn answers with no page of posts. It is asked again.");
  }
  const { items, skipped } = readEach(page.elements, readPost);
  const posts = items.filter(isPublished);
  const isFurther = page.paging?.links?.some(({ rel }) => rel === "next") === true;
  const hasMore = items.length > 0 && (isFurther || (page.paging?.total ?? 0) > start + POSTS_MAX);
  const isEnough = items.some((post) => changedAt(post) < from);
  const about = await aboutPosts({ api, names }, id, { posts, request });
  return {
    postings: posts.map((post) => toPosting(post, about.of(post))),
    skipped,
    requests: 1 + about.requests,
    after: hasMore && !isEnough ? String(start + POSTS_MAX) : null,
  };
}

function isPublished({ lifecycleState = "" }: LinkedinPost): boolean {
  return !UNPUBLISHED.has(lifecycleState);
}

/** By this time LinkedIn sorts posts. */
function changedAt({ lastModifiedAt, createdAt }: LinkedinPost): number {
  return lastModifiedAt ?? createdAt;
}

interface Found {
  readonly posts: readonly LinkedinPost[];
  readonly request: PageRequest;
}

/** What other answers state of the posts of a page. */
async function aboutPosts({ api, names }: ReadingDeps, organisation: string, { posts, request }: Found) {
  if (posts.length === 0) return { requests: 0, of: () => ({ metadata: undefined, shareCount: undefined, names: {} }) };
  const urns = posts.map(({ id }) => id);
  const metadata = readMetadata(await api.askFor(metadataOf(urns), request));
  const shares = readStatistics(await api.askFor(statisticsOf(organisation, urns), request));
  const own = await names.of(organisation, request);
  return {
    requests: 2,
    of: ({ id }: LinkedinPost) => ({ metadata: metadata.get(id), shareCount: shares.get(id), names: own }),
  };
}
