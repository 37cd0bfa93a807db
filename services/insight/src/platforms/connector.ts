import type {
  Budget,
  DeclaredCollection,
  HttpClient,
  Json,
  Logger,
  Store,
  Values,
  Variables,
} from "@hourglass/runtime";
import type { Query } from "../query/ast.js";
import type { SearchPlaces } from "./places.js";
import type { PostingDraft } from "./posting-draft.js";

/** How postings of a platform are found, as `CollectionMode` in the proto. */
export type CollectionMode = "search" | "follow" | "stream";

/** One search on one platform. */
export interface PlatformSearch {
  readonly query: Query;
  /** What the location means, if it has an effect on the platform: with a location, there is at least one known place. */
  readonly places: SearchPlaces;
  readonly follow: FollowedSources;
  /** A preview wants the newest postings only, once. */
  readonly preview: boolean;
  /** Whether what is spoken in postings is wanted too. Default: false. */
  readonly audial?: boolean;
}

/** What a search would do on the platform; nothing is sent. */
export interface Plan {
  /** The queries as they would be sent; in other modes than `search` the sources that would be read. */
  readonly queries: readonly string[];
  /** Whether the results are narrowed by the local matcher, because the platform cannot express all of the query. */
  readonly narrowedLocally: boolean;
  /** What a poll costs, for display, such as `1 request per feed`. */
  readonly cost: string;
  /** Sentences, such as about a location that is unknown. */
  readonly warnings: readonly string[];
}

/** A request for one page of a poll. */
export interface PageRequest {
  readonly search: PlatformSearch;
  /** The position where the last complete poll ended; null before the first one. */
  readonly cursor: Json;
  /** The next page of this poll; null for the first page. Kept over restarts. */
  readonly pageToken: Json;
  /** Oldest time of posting that is wanted, in milliseconds since the epoch: a first poll looks back until then. */
  readonly since: number;
  /**
   * Oldest time of posting that is wanted of sources that the cursor does not know, in milliseconds since the epoch: a change
   * of the query added them. Absent: as of the others.
   */
  readonly addedSince?: number;
  /** When the search was created or resumed last, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Greatest number of postings that is useful; a platform may return more. */
  readonly limit: number;
  /** Aborts when the claim is lost, the search is paused or the process stops. */
  readonly signal: AbortSignal;
}

/** On whose behalf a request is sent: previews go before continuous searches. */
export interface RequestContext {
  readonly search: Pick<PlatformSearch, "preview">;
  readonly signal: AbortSignal;
}

/** One page of a poll. */
export interface Page {
  /** What the page holds, in the platform's order, not narrowed by the query. */
  readonly postings: readonly PostingDraft[];
  /**
   * Ids of postings that the platform says are gone, as a stream of events does. What is stored of them is erased before the
   * postings of the page are stored, and they are not stored again. Ids that are not stored cost one look each.
   */
  readonly gone?: readonly string[];
  /** Items that could not be read as postings. */
  readonly skipped: number;
  /** Requests sent for this page. */
  readonly requests: number;
  /** Token of the next page; null: this is the last page of the poll. */
  readonly nextPage: Json;
  /** The position where the next poll starts, kept once this page is stored if it is the last one. */
  readonly cursor: Json;
  /** Span of time of posting, in milliseconds, in which this poll missed something, for example because a window or a page limit was exceeded. */
  readonly gaps?: readonly { readonly from: number; readonly to: number; readonly reason: GapReason }[];
  /** Earliest useful time of the next poll, in milliseconds since the epoch, such as the end of a feed's ttl. A hint. */
  readonly hintNextAt?: number;
  /** Earliest permitted time of the next poll, such as a Retry-After or a reset header. Always obeyed. */
  readonly notBefore?: number;
  readonly warnings?: readonly string[];
}

/** Why postings of a span of time may be missing, as `GapReason` in the proto. */
export type GapReason =
  | "budget"
  | "page_limit"
  | "outage"
  | "pause"
  | "not_configured"
  | "before_window"
  | "preview"
  | "pending"
  | "query_changed";

/** A platform that is ready to collect. */
export interface Connector {
  readonly mode: CollectionMode;
  /** How far back a first poll may look, in milliseconds. */
  readonly lookBackMs: number;
  /** Shortest useful time between two polls of one search, in milliseconds. */
  readonly intervalMinMs: number;
  /** Whether the location of a search has an effect. Default: false. */
  readonly located?: boolean;
  /**
   * Whether all pages of a poll together go back in time. A page of known postings then ends a poll, because what is
   * older was collected by earlier polls. Default: false.
   */
  readonly newestFirst?: boolean;
  plan(search: PlatformSearch): Plan;
  /**
   * Fetches one page. Throws PlatformError, or HttpFailure if there was no response; the collector retries, backs off and
   * keeps the state. Must not keep state of a search in memory.
   */
  fetchPage(request: PageRequest): Promise<Page>;
  /**
   * Asks one question that costs next to nothing, to learn whether the credentials are accepted. Throws as `fetchPage`.
   * Absent: the platform needs none.
   */
  check?(request: PageRequest): Promise<void>;
  /** Absent: the platform cannot be asked for postings by their ids, or its rules do not demand it. */
  readonly rechecks?: Rechecks;
  /**
   * Whether the platform's rules allow only the ids of its postings to be passed on to others. The posting says so wherever
   * it goes. Default: false.
   */
  readonly idsOnly?: boolean;
}

/** Whether a platform can collect on this server. */
export type Readiness = { readonly connector: Connector } | { readonly missing: string };

/** How often searches are polled. */
export interface CollectInterval {
  readonly intervalMs: number;
  /** Whether the operator set it: it then goes before the shortest intervals of platforms. */
  readonly isExplicit: boolean;
}

/** A budget of requests, or of what a platform sells. */
export interface PlatformBudget extends Budget {
  /**
   * Units that may have been spent by now, by this spender. Default: the limit for previews, and nine tenths of it for
   * continuous searches and rechecks.
   */
  readonly allowed?: number;
  /**
   * When the window began, in milliseconds since the epoch. What previews have not used of their tenth is then free for all
   * by its end. Default: it stays theirs.
   */
  readonly from?: number;
}

/** How long a budget lasts. A Pacific day is one of California: Google's quotas reset at its midnight. */
export type BudgetPeriod = "minute" | "quarter-hour" | "hour" | "day" | "Pacific day" | "month";

/** A budget as operators see it. */
export interface DeclaredBudget {
  /** Key in the store, and in metrics. */
  readonly name: string;
  /** Units per window. */
  readonly limit: number;
  readonly period: BudgetPeriod;
  /** What a unit is, in the plural, such as `posts of X`. */
  readonly units: string;
}

/** What a platform may use. */
export interface PlatformDeps {
  /**
   * Checks the addresses of hosts that users name. At most two connections to one host, a gap between requests to it, five
   * redirects, a deadline of 15 s.
   */
  readonly http: HttpClient;
  readonly store: Store;
  /**
   * Spends units of a budget before a request is sent. Throws PlatformError `budget` with the time of the next window if
   * the budget is spent.
   */
  spend(budget: PlatformBudget, units: number, resetAt: number): Promise<void>;
  /** Receives each budget when its connector is opened. Default: budgets are not reported. */
  readonly declareBudget?: (budget: DeclaredBudget) => void;
  readonly log: Logger;
  /** How often the operator has platforms asked. */
  readonly collectInterval: CollectInterval;
  /** How long a claim of what searches share lasts if its process dies, in milliseconds. Default: a minute. */
  readonly claimMs?: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A platform of the interface: one folder beside this one. */
export interface PlatformModule {
  /** As the interface spells it. */
  readonly name: string;
  /** Its variables of the environment. */
  readonly variables: Variables;
  /** Addresses of the platform that the operator sets, such as of a proxy: requests to them may go to private addresses. */
  origins(values: PlatformValues): readonly string[];
  /**
   * The id of the posting that a URL of this platform shows, as the connector gives it; undefined if the URL does not
   * contain it. Imported postings without an id are then recognized as those collected.
   */
  socialIdIn(url: URL): string | undefined;
  /** What searches of several companies share on the platform, if anything. */
  shared?(values: PlatformValues): SharedUse;
  /** The connector, or a sentence that says which settings are missing and how to set them. */
  open(deps: PlatformDeps, values: PlatformValues): Promise<Readiness>;
}

/** Values of the variables of all platforms, as their schemas give them. */
export type PlatformValues = Readonly<Record<string, unknown>>;

/** A question for stored postings by their ids on the platform. */
export interface LookUpRequest {
  /** At least one and at most `idsMax`, without repeats. Imports may contain ids that the platform never had. */
  readonly ids: readonly string[];
  /** What is stored of them, by id: of copies in several searches one. Platforms ask in different ways for different types. */
  readonly stored: ReadonlyMap<string, PostingDraft>;
  /** Aborts when the claim is lost, the answer takes too long or the process stops. */
  readonly signal: AbortSignal;
}

/** A posting as a look-up found it. */
export interface FoundDraft extends PostingDraft {
  /**
   * The text in searches for what is spoken (`PlatformSearch.audial`), which a look-up does not know. Absent: the text is
   * the same in all searches.
   */
  readonly audialText?: string;
}

/** What a platform says about postings now. An id that is neither found nor gone is looked up again later. */
export interface LookUp {
  /**
   * As the platform states them now, with the ids that were asked for: text, media, place and author that are absent are no
   * longer there, other fields are not stated.
   */
  readonly found: readonly FoundDraft[];
  /** Ids that the platform no longer shows to everybody: what is stored of them has to go. */
  readonly gone: readonly string[];
  /** Earliest permitted time of the next request, in milliseconds since the epoch. */
  readonly notBefore?: number;
}

/** How stored postings are compared with their platform, so that what is gone or changed there is so here. */
export interface Rechecks {
  /** Greatest number of ids of one request. */
  readonly idsMax: number;
  /**
   * The longest time for which a posting of that age may be stored without having been seen on the platform, in
   * milliseconds: the term of the platform's rules. The posting is looked up in the last quarter of it.
   */
  termMs(ageMs: number): number;
  /**
   * Whether an id may be asked for with others, for platforms that take ids of one span of time only. Ids come in the order
   * of their texts; the first one that may not begins the next question. Default: any may.
   */
  canJoin?(id: string, others: readonly string[]): boolean;
  /** Spends budgets and throws as `fetchPage`. Must not keep state of postings in memory. */
  lookUp(request: LookUpRequest): Promise<LookUp>;
}

/** Sources to follow, named by the owner of a search, in addition to those of the server. */
export interface FollowedSources {
  readonly feeds: readonly string[];
  readonly subreddits: readonly string[];
  readonly pages: readonly string[];
  readonly organisations: readonly string[];
}

/** What an insight asks of a platform. */
export interface Asked {
  readonly query: Query;
  readonly follow: FollowedSources;
}

/** What searches of several companies share on a platform, such as a feed that is read once for all of them. */
export interface SharedUse {
  /** As the interface spells it. */
  readonly platform: string;
  readonly collections: readonly DeclaredCollection[];
  /** Names of what a search uses. */
  namesOf(asked: Asked): readonly string[];
  /** Erases what has these names, which no search uses any more; returns the number of documents by collection. */
  forget(store: Store, names: readonly string[]): Promise<Readonly<Record<string, number>>>;
}

/**
 * Why a platform gave no page. `auth`: it rejects the credentials; `rate`: too many requests; `budget`: a budget of this
 * server or of the platform is spent; `temporary`: a retry may succeed; `permanent`: the same request will fail again.
 */
export type PlatformErrorKind = "auth" | "rate" | "budget" | "temporary" | "permanent";

/** A failed request to a platform. `message` is a sentence for the owner of the search that says what to do. */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
  /** Earliest time of the next request in milliseconds since the epoch, as the platform or the budget states it. */
  readonly retryAt: number | undefined;
  /** Requests sent before it failed. Default: none for `budget`, otherwise one. */
  readonly requests: number;

  constructor(
    readonly kind: PlatformErrorKind,
    message: string,
    { retryAt, requests, cause }: { retryAt?: number | undefined; requests?: number; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.retryAt = retryAt;
    this.requests = requests ?? (kind === "budget" ? 0 : 1);
  }
}

/** A platform with the types of its own variables. */
interface PlatformDefinition<V extends Variables> {
  /** As the interface spells it. */
  readonly name: string;
  readonly variables: V;
  /** As in PlatformModule. Default: none. */
  origins?(values: Values<V>): readonly string[];
  /** As in PlatformModule. Default: no URL contains an id. */
  socialIdIn?(url: URL): string | undefined;
  /** As in PlatformModule. Default: nothing is shared. */
  readonly shared?: (values: Values<V>) => SharedUse;
  /** As in PlatformModule. Loads what asks the platform, so that servers load only platforms that they use. */
  open(deps: PlatformDeps, values: Values<V>): Promise<Readiness>;
}

/** Declares a platform with inferred types. */
export function definePlatform<V extends Variables>(definition: PlatformDefinition<V>): PlatformModule {
  const { name, variables, shared } = definition;
  // The configuration was read with the schemas of all platforms, so the values of this one have its types.
  return {
    name,
    variables,
    origins: (values) => definition.origins?.(values as Values<V>) ?? [],
    socialIdIn: (url) => definition.socialIdIn?.(url),
    ...(shared && { shared: (values: PlatformValues) => shared(values as Values<V>) }),
    open: (deps, values) => definition.open(deps, values as Values<V>),
  };
}
