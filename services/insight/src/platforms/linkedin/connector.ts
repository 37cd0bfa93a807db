import { attempt } from "../http-json.js";
import { readEach } from "../schemas.js";
import { readNext, type SourceAt, type SourcePage, type Walk } from "../sources.js";
import {
  type Connector,
  type PageRequest,
  type Plan,
  type PlatformDeps,
  PlatformError,
  type PlatformSearch,
} from "../connector.js";
import {
  type LinkedinNames,
  type LinkedinPost,
  type PostsPage,
  readMetadata,
  readPost,
  readPostsPage,
  readStatistics,
} from "./asking/answer.js";
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
    throw new PlatformError("temporary", "LinkedIn returns no page of posts. It will be retried.");
  }
  const { items, skipped } = readEach(page.elements, readPost);
  const posts = items.filter(isPublished);
  const next = nextStart(page, start);
  const isEnough = items.some((post) => changedAt(post) < from);
  const about = await aboutPosts({ api, names }, id, { posts, request });
  return {
    postings: posts.map((post) => toPosting(post, about.of(post))),
    skipped,
    requests: 1 + about.requests,
    after: next === undefined || isEnough ? null : String(next),
    warnings: about.warnings,
  };
}

/**
 * Where the next page begins, as the answer states it: LinkedIn may return fewer posts than it is asked for. Undefined
 * behind the last one.
 */
function nextStart({ elements, paging = {} }: PostsPage, start: number): number | undefined {
  const given = Array.isArray(elements) ? elements.length : 0;
  if (given === 0) return undefined;
  const link = paging.links?.find(({ rel }) => rel === "next");
  const stated = Number(/[?&]start=(\d{1,15})(?:&|$)/.exec(link?.href ?? "")?.[1] ?? 0);
  if (stated > start) return stated;
  // Posts that are left out of a page are counted in it, so the count may be greater than what is given.
  const next = (paging.start ?? start) + Math.max(1, Math.min(paging.count ?? given, given));
  const isStated = link !== undefined || (paging.total ?? 0) > next;
  const isUnknown = paging.links === undefined && paging.total === undefined;
  return next > start && (isStated || (isUnknown && given >= (paging.count ?? POSTS_MAX))) ? next : undefined;
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

interface AboutPosts {
  readonly requests: number;
  readonly warnings: readonly string[];
  of(post: LinkedinPost): Parameters<typeof toPosting>[1];
}

/** What other answers state of the posts of a page. One that fails is a warning: posts do without, and are read again. */
async function aboutPosts(
  { api, names }: ReadingDeps,
  organisation: string,
  { posts, request }: Found,
): Promise<AboutPosts> {
  const urns = posts.map(({ id }) => id);
  let about: { metadata?: unknown; statistics?: unknown; names?: LinkedinNames } = {};
  let requests = 0;
  const ask = async (): Promise<void> => {
    if (posts.length === 0) return;
    about = { metadata: await api.askFor(metadataOf(urns), request) };
    requests = 1;
    about = { ...about, statistics: await api.askFor(statisticsOf(organisation, urns), request) };
    requests = 2;
    about = { ...about, names: await names.of(organisation, request) };
  };
  const { failure } = await attempt(ask, request.signal);
  const lacking = `Some posts lack reactions, shares or names, which could not be read. ${failure?.message}`;
  const metadata = readMetadata(about.metadata);
  const shares = readStatistics(about.statistics);
  return {
    requests: requests + (failure?.requests ?? 0),
    warnings: failure === undefined ? [] : [lacking],
    of: ({ id }) => ({ metadata: metadata.get(id), shareCount: shares.get(id), names: about.names ?? {} }),
  };
}
