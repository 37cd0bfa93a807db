import { type Collection, type Step, updateStep } from "@hourglass/runtime";
import { coverAbandoned, markMissed } from "../coverage.js";
import type { CollectionMode, Readiness } from "../platforms/connector.js";
import { EVERYWHERE, type SearchPlaces } from "../platforms/places.js";
import { missingFor, type Platforms, readinessNow } from "../platforms/registry.js";
import type { Query } from "../query/ast.js";
import {
  type InsightQuery,
  type InsightRecord,
  isNamed,
  type PlatformName,
  type SearchCounts,
  searchId,
  type SearchRecord,
  type SearchStatus,
} from "../store/records.js";
import { FIRST_SPREAD_MS, spread } from "./schedule-policy.js";
import { type Stalled, stalledOf } from "./stalled.js";

/** Sorts before the due time of every continuous search. */
const PREVIEW_DUE_AT = 0;

const NO_COUNTS: SearchCounts = { requests: 0, fetched: 0, matched: 0, stored: 0, duplicates: 0, skipped: 0 };

/**
 * The record of a new search, due at once; first polls are spread a little, except those of previews. `missing`: what
 * this server lacks to collect from the platform.
 */
export function newSearch(
  insight: InsightRecord,
  platform: PlatformName,
  { now, missing }: { now: number; missing?: string | undefined },
): SearchRecord {
  const id = searchId(insight.id, platform);
  const preview = insight.query.sneakPeek;
  return {
    id,
    insightId: insight.id,
    companyId: insight.companyId,
    platform,
    preview,
    epoch: insight.epoch,
    startedAt: now,
    ...startAt({ id, preview, outcome: null }, now),
    cursor: null,
    poll: null,
    lastSuccessAt: null,
    lastError: null,
    ...(missing !== undefined && unready("not_configured", missing)),
    failures: 0,
    counts: NO_COUNTS,
    warnings: [],
    coverage: [],
    fillTriedAt: null,
    outcome: null,
  };
}

/** Writes that stop the searches of an insight; for the same commit as the insight's new epoch. */
export function pauseSteps(
  collection: Collection<SearchRecord>,
  searches: readonly SearchRecord[],
  epoch: number,
): Step[] {
  const set = { epoch, dueAt: null, nextAt: null };
  return searches.map((search) => updateStep(collection, sameEpoch(search), { set }));
}

/**
 * Writes that start the searches of a paused insight again; for the same commit as its new epoch. `searches` must have
 * been read after the insight was seen to be paused. They continue at the cursor; pages of an unfinished poll are read
 * again, because tokens of pages expire.
 */
export function resumeSteps(
  collection: Collection<SearchRecord>,
  searches: readonly SearchRecord[],
  { epoch, now, platforms }: { epoch: number; now: number; platforms: Platforms },
): Step[] {
  return searches.filter(isNamed).map((search) => {
    const coverage = coverAbandoned(search.coverage, search.poll, "pause");
    const missing = missingFor(platforms, search.platform);
    const set = {
      epoch,
      startedAt: now,
      ...startAt(search, now),
      poll: null,
      failures: 0,
      lastError: null,
      ...(missing !== undefined && unready(search.status, missing)),
      coverage: coverage.length === 0 ? [] : markMissed(coverage, { from: now, to: now }, "pause"),
    };
    return updateStep(collection, sameEpoch(search), { set });
  });
}

/** The state of a search on a platform for which this server lacks settings; its first turn ends the wait. */
export function unready(
  before: SearchRecord["status"],
  missing: string,
): Pick<SearchRecord, "status" | "nextAt" | "lastError"> {
  return { status: before === "importing" ? before : "not_configured", nextAt: null, lastError: missing };
}

/** Fails if the insight was paused, resumed or deleted since the search was read. */
function sameEpoch({ id, epoch }: SearchRecord): Pick<SearchRecord, "id" | "epoch"> {
  return { id, epoch };
}

/** When a search that begins now is polled. */
export function startAt(
  { id, preview, outcome }: Pick<SearchRecord, "id" | "preview" | "outcome">,
  now: number,
): Pick<SearchRecord, "dueAt" | "nextAt" | "status"> {
  const status = "waiting";
  if (outcome !== null) return { status, dueAt: null, nextAt: null };
  if (preview) return { status, dueAt: PREVIEW_DUE_AT, nextAt: now };
  const dueAt = spread(id, now, FIRST_SPREAD_MS);
  return { status, dueAt, nextAt: dueAt };
}

/** Searches in these states wait for another configuration. */
const WAITS_FOR_CONFIGURATION: readonly SearchStatus[] = ["not_configured", "importing", "auth_failed"];

/**
 * Makes searches due that waited for a configuration that this server has now. It reads no other searches. Those of
 * paused insights are made due, too; their turn ends at once.
 */
export async function startReady(
  searches: Collection<SearchRecord>,
  platforms: ReadonlyMap<PlatformName, Readiness>,
  now: number,
): Promise<void> {
  for (const [platform, readiness] of platforms) {
    if ("missing" in readiness) continue;
    for (const status of WAITS_FOR_CONFIGURATION) {
      await searches.updateMany({ platform, status }, { set: { dueAt: now } });
    }
  }
}

/** A search as its owner sees it. */
export interface ShownState extends Pick<
  SearchRecord,
  "platform" | "nextAt" | "lastSuccessAt" | "lastError" | "counts" | "warnings"
> {
  status: SearchStatus | "stalled";
  /** Null unless it is stalled. */
  stalled: Stalled | null;
}

/** The state of a search to show: a poll that is due or running counts as collecting. */
export function shownState(search: SearchRecord, now: number): ShownState {
  const { platform, nextAt, lastSuccessAt, lastError, counts, warnings } = search;
  const stalled = stalledOf(search, now);
  const status = stalled === null ? shownStatus(search, now) : "stalled";
  return { platform, status, stalled, nextAt, lastSuccessAt, lastError, counts, warnings };
}

function shownStatus({ status, nextAt }: SearchRecord, now: number): SearchStatus {
  if (status === "waiting" && nextAt !== null && nextAt <= now) return "collecting";
  // An unfinished poll of a paused search waits.
  return status === "collecting" && nextAt === null ? "waiting" : status;
}

/** What a search would do on one platform. */
export interface PlatformPlan {
  platform: PlatformName;
  status: "waiting" | "not_configured";
  /** `import`: the platform is not configured, so that postings can only be imported. */
  mode: CollectionMode | "import";
  queries: readonly string[];
  narrowedLocally: boolean;
  cost: string;
  warnings: readonly string[];
}

/** What the texts of a query mean. */
export interface ParsedQuery {
  readonly keywords: Query;
  readonly places: SearchPlaces;
}

/** Tells what a search would do on each of its platforms; nothing is sent or stored. */
export function planInsight(
  { follow, sneakPeek: preview, platforms: searched }: InsightQuery,
  { keywords, places }: ParsedQuery,
  platforms: Platforms,
): PlatformPlan[] {
  return searched.map((platform) => {
    const readiness = readinessNow(platforms, platform);
    if ("missing" in readiness) return importOnly(platform, readiness.missing);
    const { connector } = readiness;
    const meant = connector.located === true ? places : EVERYWHERE;
    const plan = connector.plan({ query: keywords, places: meant, follow, preview });
    return { platform, status: "waiting", mode: connector.mode, ...plan };
  });
}

function importOnly(platform: PlatformName, missing: string): PlatformPlan {
  return {
    platform,
    status: "not_configured",
    mode: "import",
    queries: [],
    narrowedLocally: false,
    cost: "",
    warnings: [missing],
  };
}
