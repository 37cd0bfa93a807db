import { type Logger, type Measurements, type Step, type Store, updateStep } from "@hourglass/runtime";
import { placesOf } from "../../locations/location.js";
import { EVERYWHERE, type SearchPlaces } from "../../platforms/places.js";
import { type Connector, PlatformError, type PlatformSearch, type Readiness } from "../../platforms/connector.js";
import type { EraseGone } from "../../postings/erasing/erase-gone.js";
import type { StorePostings } from "../../postings/storing/store-postings.js";
import type { Matcher } from "../../query/matcher.js";
import type { Collections } from "../../store/collections.js";
import type { InsightRecord, PlatformName, SearchRecord } from "../../store/records.js";
import type { AuthGates } from "../gates/auth-gates.js";
import type { CollectorMetrics } from "./collector-metrics.js";
import type { CollectorFailpoint } from "./failpoints.js";
import type { MatcherCache } from "./matcher-cache.js";
import type { Cadence } from "../pace/next-turn.js";
import type { PlatformCircuits } from "../gates/platform-circuits.js";
import type { Fence, PollLease } from "./poll-lease.js";

/** What a collector works with. */
export interface CollectorDeps {
  store: Store;
  collections: Pick<Collections, "insights" | "searches">;
  storePostings: StorePostings;
  eraseGone: EraseGone;
  /** The platforms of the interface, opened with the configuration of this server. */
  platforms: ReadonlyMap<PlatformName, Readiness>;
  cadence: Cadence;
  log: Logger;
  metrics: Measurements;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** The same for all turns of a collector. */
export interface TurnContext extends Omit<CollectorDeps, "metrics"> {
  metrics: CollectorMetrics;
  matchers: MatcherCache;
  gates: AuthGates;
  circuits: PlatformCircuits;
  /** At least 0, less than 1. */
  random: () => number;
  leaseMs: number;
  /** Whether the collector stops: a turn then ends after its page. */
  isStopping: () => boolean;
  /** Aborts when the time for stopping runs out: requests are then abandoned. */
  abandoned: AbortSignal;
  failpoint: (name: CollectorFailpoint) => void;
}

/** One turn of a claimed search: some pages of a poll. */
export interface Turn {
  readonly context: TurnContext;
  readonly insight: InsightRecord;
  readonly connector: Connector;
  readonly lease: PollLease;
  /** As stored last. */
  search: SearchRecord;
}

/**
 * The search as the connector sees it. Throws PlatformError for keywords that this release does not understand, and for a
 * location of which it knows no place.
 */
export async function platformSearchOf({ context, connector, insight: { query } }: Turn): Promise<PlatformSearch> {
  const { keywords, location, follow, sneakPeek: preview, dimensions } = query;
  const { query: parsed } = context.matchers.of(keywords);
  const places = connector.located === true ? await requiredPlaces(location) : EVERYWHERE;
  return { query: parsed, places, follow, preview, audial: dimensions.includes("audial") };
}

/** Without a known place, the platform would be asked for postings of the whole world. */
async function requiredPlaces(location: string): Promise<SearchPlaces> {
  const places = await placesOf(location);
  if (places.known.length > 0 || places.unknown.length === 0) return places;
  const message = [...places.unknown, "Create the insight anew with another location."].join(" ");
  throw new PlatformError("permanent", message, { requests: 0 });
}

/** Decides which postings belong to the insight. */
export function matcherOf({ context, insight: { query } }: Turn): Matcher {
  return context.matchers.of(query.keywords).matcher;
}

/** Writes for one commit: fields of the search, and the note for the sweeper if the search of a preview has ended. */
export function searchSteps(
  { context, insight }: Pick<Turn, "context" | "insight">,
  fence: Fence,
  set: Partial<SearchRecord>,
): Step[] {
  const { searches, insights } = context.collections;
  const own = updateStep(searches, fence, { set });
  if ((set.outcome ?? null) === null) return [own];
  const { id, epoch } = insight;
  return [own, updateStep(insights, { id, epoch }, { set: { dueAt: context.now() } })];
}

/** Stores fields of the search while the claim is held; false if it was lost. */
export async function writeSearch(turn: Turn, set: Partial<SearchRecord>): Promise<boolean> {
  const { store } = turn.context;
  const committed = await turn.lease.write((fence) => store.commit(searchSteps(turn, fence, set)));
  if (committed.done) turn.search = { ...turn.search, ...set };
  return committed.done;
}
