import {
  type DueClaim,
  ENDED_WELL,
  type Logger,
  type Measurements,
  type ObserveSeconds,
  type Step,
  type Store,
  updateStep,
} from "@hourglass/runtime";
import { placesOf } from "../locations/location.js";
import { type Connector, PlatformError, type PlatformSearch, type Readiness } from "../platforms/connector.js";
import { EVERYWHERE, type SearchPlaces } from "../platforms/places.js";
import type { EraseGone } from "../postings/erase.js";
import type { StorePostings } from "../postings/store.js";
import type { Query } from "../query/ast.js";
import { compileQuery, type Matcher } from "../query/matcher.js";
import { QuerySyntaxError } from "../query/lexer.js";
import { parseQuery } from "../query/parser.js";
import type { Collections } from "../store/collections.js";
import type { InsightRecord, PlatformName, SearchRecord } from "../store/records.js";
import type { AuthGates, PlatformCircuits } from "./circuit-breakers.js";
import type { Cadence } from "./schedule-policy.js";

/** What a collector works with. */
export interface CollectorDeps {
  store: Store;
  collections: Collections;
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
  failpoint: (name: CollectorFailpoint) => void;
}

/** An insight, and what its searches are polled with. */
export interface PolledInsight {
  readonly context: TurnContext;
  readonly insight: InsightRecord;
}

/** One turn of a claimed search: as many pages of a poll as a turn may read. */
export interface Turn extends PolledInsight {
  readonly connector: Connector;
  readonly claim: DueClaim<SearchRecord>;
  /** Whether the worker stops: the turn then ends after its page. */
  readonly isStopping: () => boolean;
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
  const message = [...places.unknown, "Create the insight again with another location."].join(" ");
  throw new PlatformError("permanent", message, { requests: 0 });
}

/** Decides which postings belong to the insight. */
export function matcherOf({ context, insight: { query } }: Turn): Matcher {
  return context.matchers.of(query.keywords).matcher;
}

/** Writes for one commit: fields of the search, and the note for the sweeper if the search of a preview has ended. */
export function searchSteps({ context, insight }: PolledInsight, fence: Fence, set: Partial<SearchRecord>): Step[] {
  const { searches, insights } = context.collections;
  const ended = "dueAt" in set ? { ...ENDED_WELL, ...set } : set;
  const own = updateStep(searches, { ...fence, epoch: insight.epoch }, { set: ended, increment: { writes: 1 } });
  if ((set.outcome ?? null) === null) return [own];
  const { id, epoch } = insight;
  return [own, updateStep(insights, { id, epoch }, { set: { dueAt: context.now() } })];
}

/** Stores fields of the search while the claim is held; false if it was lost. */
export async function writeSearch(turn: Turn, set: Partial<SearchRecord>): Promise<boolean> {
  const { store } = turn.context;
  const committed = await turn.claim.write((fence) => store.commit(searchSteps(turn, fence, set)));
  if (committed.done) turn.search = { ...turn.search, ...set };
  return committed.done;
}

/** A condition that is true only while the claim is held. */
export interface Fence {
  id: string;
  dueAt: number;
}

/** A query as it was parsed, and its matcher. */
export interface CompiledKeywords {
  readonly query: Query;
  readonly matcher: Matcher;
}

/** Enough for the searches that one process polls at a time. */
const ENTRIES_MAX = 500;

/** Keeps compiled queries, because all pages of a poll and all platforms of an insight use the same one. */
export class MatcherCache {
  private readonly byKeywords = new Map<string, CompiledKeywords>();

  /** Throws PlatformError for keywords that this release does not understand; an earlier one accepted them. */
  of(keywords: string): CompiledKeywords {
    const known = this.byKeywords.get(keywords);
    if (known !== undefined) return known;
    const query = parse(keywords);
    const compiled = { query, matcher: compileQuery(query) };
    if (this.byKeywords.size >= ENTRIES_MAX) this.byKeywords.clear();
    this.byKeywords.set(keywords, compiled);
    return compiled;
  }
}

function parse(keywords: string): Query {
  try {
    return parseQuery(keywords);
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    const message = `The keywords are no longer understood. ${error.message} Create the insight again.`;
    throw new PlatformError("permanent", message, { requests: 0, cause: error });
  }
}

/** How a turn ended. */
export type TurnOutcome = "complete" | "page_limit" | "failed" | "budget_spent" | "auth_failed" | "interrupted";

export interface CollectorMetrics {
  /** Time from when a poll was due until it began. */
  observeLag: ObserveSeconds<"platform">;
  /** Duration of a turn; their number is that of polls. */
  observeTurn: ObserveSeconds<"platform" | "outcome">;
  /** Time a platform took for a page; their number is about that of requests. */
  observePage: ObserveSeconds<"platform" | "outcome">;
}

/** Declares the metrics of the collection. */
export function collectorMetrics(metrics: Measurements): CollectorMetrics {
  return {
    observeLag: metrics.duration("hourglass_collect_lag_seconds", "Time from when a poll was due until it began", [
      "platform",
    ]),
    observeTurn: metrics.duration("hourglass_poll_duration_seconds", "Time of one turn of a poll", [
      "platform",
      "outcome",
    ]),
    observePage: metrics.duration("hourglass_platform_page_seconds", "Time a platform took for one page", [
      "platform",
      "outcome",
    ]),
  };
}

/** Every step of a poll at which a crash must neither lose a posting nor store one twice. */
export const COLLECTOR_FAILPOINTS = [
  "collector.after_claim",
  "collector.before_fetch",
  "collector.after_fetch",
  "collector.before_commit",
  "collector.after_commit",
  "collector.before_failure",
  "collector.after_failure",
] as const;

export type CollectorFailpoint = (typeof COLLECTOR_FAILPOINTS)[number];
