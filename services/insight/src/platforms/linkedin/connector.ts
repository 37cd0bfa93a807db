import {
  type Connector,
  type Page,
  type PageRequest,
  type Plan,
  PlatformError,
  type PlatformSearch,
  type RequestContext,
} from "../connector.js";
import { attempt } from "../http-json.js";
import { readEach } from "../schemas.js";
import { readNext, type SourceAt, type SourcePage, type Walk } from "../sources.js";
import {
  administered,
  type LinkedinApi,
  type LinkedinNames,
  type LinkedinPost,
  metadataOf,
  namesOf,
  POSTS_MAX,
  postsOf,
  type PostsPage,
  readMetadata,
  readNames,
  readPost,
  readPostsPage,
  readStatistics,
  statisticsOf,
} from "./api.js";
import { type AboutPost, toPosting } from "./posting.js";
import { type FollowedOrganization, followedOrganizations, wrongOrganizations } from "./query.js";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const LOOK_BACK_MS = 7 * DAY_MS;
/** Posts of this time are read again with every poll, because their counts change. */
const AGAIN_MS = 2 * DAY_MS;
/** States in which administrators get posts that nobody else sees. */
const UNPUBLISHED: ReadonlySet<string> = new Set(["DRAFT", "PUBLISH_REQUESTED", "PUBLISH_FAILED"]);
const NOTHING =
  "No organization is followed. Name organizations in query.follow.organisations, or ask the operator to set LINKEDIN_ORGANIZATIONS.";

export interface LinkedinOptions {
  /** Ids of organizations that every search follows. */
  readonly serverIds: readonly string[];
  readonly requestsPerDay: number;
  readonly now: () => number;
}

/** Posts of organizations that a member administers. The query is matched by the caller. */
export class LinkedinConnector implements Connector {
  readonly mode = "follow";
  readonly lookBackMs = LOOK_BACK_MS;
  readonly intervalMinMs = HOUR_MS;
  readonly idsOnly = true;
  private readonly walk: Walk<FollowedOrganization>;
  private readonly names: OrganizationNames;

  constructor(
    private readonly api: LinkedinApi,
    private readonly options: LinkedinOptions,
  ) {
    const { serverIds, now } = options;
    this.names = new OrganizationNames(api, now);
    this.walk = {
      sourcesOf: (search) => followedOrganizations(search, serverIds),
      read: (organization, at, request) => this.readOrganization(organization, at, request),
      warningsOf: wrongOrganizations,
      nothing: NOTHING,
      notBefore: () => undefined,
      now,
    };
  }

  plan(search: PlatformSearch): Plan {
    const { serverIds, requestsPerDay } = this.options;
    const organizations = followedOrganizations(search, serverIds);
    return {
      queries: organizations.map(({ id }) => id),
      narrowedLocally: true,
      cost: `1 request for each organization, and 2 more for every ${POSTS_MAX} posts; this server sends at most ${requestsPerDay} a day for all insights`,
      warnings: [...wrongOrganizations(search), ...(organizations.length === 0 ? [NOTHING] : [])],
    };
  }

  fetchPage(request: PageRequest): Promise<Page> {
    return readNext(this.walk, request);
  }

  async check(request: PageRequest): Promise<void> {
    await this.api.get(administered(), request);
  }

  private async readOrganization(
    { id }: FollowedOrganization,
    at: SourceAt,
    context: RequestContext,
  ): Promise<SourcePage> {
    const start = Number(at.after ?? 0);
    const from = Math.max(at.since, (at.readUntil ?? 0) - AGAIN_MS);
    const page = readPostsPage(await this.api.get(postsOf(id, start), context));
    if (page === undefined) {
      throw new PlatformError("temporary", "LinkedIn returns no page of posts. It will be retried.");
    }
    const { items, skipped } = readEach(page.elements, readPost);
    const posts = items.filter(isPublished);
    const next = nextStart(page, start);
    const isEnough = items.some((post) => changedAt(post) < from);
    const about = await this.aboutPosts(id, posts, context);
    return {
      postings: posts.map((post) => toPosting(post, about.of(post))),
      skipped,
      requests: 1 + about.requests,
      after: next === undefined || isEnough ? null : String(next),
      warnings: about.warnings,
    };
  }

  /** What other resources state of the posts of a page. One that fails is a warning: posts do without, and are read again. */
  private async aboutPosts(
    organization: string,
    posts: readonly LinkedinPost[],
    context: RequestContext,
  ): Promise<AboutPosts> {
    const urns = posts.map(({ id }) => id);
    let about: { metadata?: unknown; statistics?: unknown; names?: LinkedinNames } = {};
    let requests = 0;
    const read = async (): Promise<void> => {
      if (posts.length === 0) return;
      about = { metadata: await this.api.getOptional(metadataOf(urns), context) };
      requests = 1;
      about = { ...about, statistics: await this.api.getOptional(statisticsOf(organization, urns), context) };
      requests = 2;
      about = { ...about, names: await this.names.of(organization, context) };
    };
    const { failure } = await attempt(read, context.signal);
    const lacking = `Some posts lack reactions, shares or names, which could not be read. ${failure?.message}`;
    const metadata = readMetadata(about.metadata);
    const shares = readStatistics(about.statistics);
    return {
      requests: requests + (failure?.requests ?? 0),
      warnings: failure === undefined ? [] : [lacking],
      of: ({ id }) => ({ metadata: metadata.get(id), shareCount: shares.get(id), names: about.names ?? {} }),
    };
  }
}

interface AboutPosts {
  readonly requests: number;
  readonly warnings: readonly string[];
  of(post: LinkedinPost): AboutPost;
}

/**
 * Where the next page begins, as the response states it: LinkedIn may return fewer posts than it is asked for. Undefined
 * after the last one.
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

/** Names change seldom, and requests are counted. */
const NAMES_KEPT_MS = DAY_MS;
/** More organizations than one member administers. */
const ORGANIZATIONS_MAX = 1000;

/** The names of organizations; a process asks for each once a day. */
class OrganizationNames {
  private readonly known = new Map<string, { readonly names: LinkedinNames; readonly readAt: number }>();

  constructor(
    private readonly api: LinkedinApi,
    private readonly now: () => number,
  ) {}

  /** Empty if LinkedIn does not give them. */
  async of(organization: string, context: RequestContext): Promise<LinkedinNames> {
    const known = this.known.get(organization);
    if (known !== undefined && this.now() - known.readAt < NAMES_KEPT_MS) return known.names;
    const names = readNames(await this.api.getOptional(namesOf(organization), context));
    if (this.known.size >= ORGANIZATIONS_MAX) this.known.clear();
    this.known.set(organization, { names, readAt: this.now() });
    return names;
  }
}
