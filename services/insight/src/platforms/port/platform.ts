import type { Budget, HttpClient, Json, Logger, Store, Variables } from "@hourglass/runtime";
import type { BudgetPeriod } from "./budget-window.js";
import type { Query } from "../../query/language/expression.js";
import type { FollowedSources } from "./followed-sources.js";
import type { SearchPlaces } from "./place.js";
import type { PostingDraft } from "./posting-draft.js";
import type { Rechecks } from "./rechecks.js";
import type { SharedUse } from "./shared-use.js";

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
  /** When the search was created or resumed last, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Greatest number of postings that is useful; a platform may return more. */
  readonly limit: number;
  /** Aborts when the claim is lost, the search is paused or the process stops. */
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
  "budget" | "page_limit" | "outage" | "pause" | "not_configured" | "before_window" | "preview" | "pending";

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
  /** Receives each budget when its connector is opened. Default: nobody asks. */
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
   * contain it. Postings brought in without an id are then the same as those collected.
   */
  socialIdIn(url: URL): string | undefined;
  /** What searches of several companies share on the platform, if anything. */
  shared?(values: PlatformValues): SharedUse;
  /** The connector, or a sentence that says which settings are missing and how to set them. */
  open(deps: PlatformDeps, values: PlatformValues): Promise<Readiness>;
}

/** Values of the variables of all platforms, as their schemas give them. */
export type PlatformValues = Readonly<Record<string, unknown>>;
