import { type Collection, insertStep, type Step, updateStep } from "@hourglass/runtime";
import { coverAbandoned, FIRST_LOOK_BACK_MS, markMissed } from "../coverage.js";
import type { FollowedSources } from "../platforms/connector.js";
import { connectorOf, isLocated, missingFor, type Platforms } from "../platforms/registry.js";
import {
  type InsightQuery,
  type InsightRecord,
  isNamed,
  type PlatformName,
  type SearchRecord,
} from "../store/records.js";
import { newSearch, startAt, unready } from "./searches.js";

/** An insight whose query is changed. */
export interface QueryChange {
  before: InsightRecord;
  /** With the new query and epoch. */
  after: InsightRecord;
  now: number;
  platforms: Platforms;
}

/**
 * Writes that take a changed query to the searches of an insight; for the same commit as its new epoch. `searches` must have
 * been read after the insight; a poll that has stored something since then makes the commit fail. What an earlier
 * query found stays. A search that asks for the same continues where it was; one that asks for something else begins its
 * poll again where the last complete one ended.
 */
export function changeSteps(
  collection: Collection<SearchRecord>,
  searches: readonly SearchRecord[],
  change: QueryChange,
): Step[] {
  const wanted = new Set(change.after.query.platforms);
  const known = new Map(searches.map((search) => [search.platform, search]));
  const own = searches.flatMap((search) => {
    const set = wanted.has(search.platform) ? fieldsOfNamed(search, change) : fieldsOfLeft(search, change);
    return set === undefined ? [] : [updateStep(collection, unwritten(search), { set })];
  });
  const added = change.after.query.platforms.filter((platform) => !known.has(platform));
  const inserted = added.map((platform) => joined(platform, change));
  return inserted.length === 0 ? own : [...own, insertStep(collection, ...inserted)];
}

/** Fails if something of a poll was stored since the search was read. */
function unwritten({ id, epoch, writes = null }: SearchRecord): Pick<SearchRecord, "id" | "epoch" | "writes"> {
  return { id, epoch, writes };
}

type Fields = Partial<SearchRecord>;

/** Undefined for a search that had left before. */
function fieldsOfLeft(search: SearchRecord, { after, now }: QueryChange): Fields | undefined {
  if (!isNamed(search)) return undefined;
  const coverage = coverAbandoned(search.coverage, search.poll, "query_changed");
  return {
    epoch: after.epoch,
    leftAt: now,
    ...STOPPED,
    status: "waiting",
    cursor: null,
    poll: null,
    lastError: null,
    failures: 0,
    coverage: coverage.length === 0 ? [] : markMissed(coverage, { from: now, to: now }, "query_changed"),
  };
}

const STOPPED = { dueAt: null, nextAt: null } as const;

function fieldsOfNamed(search: SearchRecord, change: QueryChange): Fields {
  const { before, after, now } = change;
  const isStopped = after.status === "paused" ? STOPPED : {};
  if (before.query.sneakPeek && !after.query.sneakPeek) {
    return { ...fromTheBeginning(search, change), preview: false, leftAt: null, ...isStopped };
  }
  if (isNamed(search) && !asksOtherwise(search.platform, change)) return { ...continued(search, change), ...isStopped };
  if (after.query.sneakPeek || isFresh(change)) {
    return { ...fromTheBeginning(search, change), leftAt: null, ...isStopped };
  }
  return {
    ...begun(search, change),
    ...(isNamed(search) ? reasked(search, change) : rejoined(search, now)),
    ...isStopped,
  };
}

/** Positions in a search are those of other queries; those in sources, which are read whatever the query is, stay. */
function reasked({ platform, cursor, coverage, poll }: SearchRecord, { platforms, now }: QueryChange): Fields {
  const isSearched = (connectorOf(platforms, platform)?.mode ?? "search") === "search";
  return {
    cursor: isSearched ? null : cursor,
    coverage: coverAbandoned(coverage, poll, "query_changed"),
    askedSince: now,
  };
}

function rejoined({ coverage }: SearchRecord, now: number): Fields {
  const missed = markMissed(coverage, { from: BEGINNING, to: now }, "query_changed");
  return { cursor: null, coverage: missed, askedSince: now, joinedAt: now, leftAt: null };
}

/** The search of a platform that no query of the insight has named before. */
function joined(platform: PlatformName, change: QueryChange): SearchRecord {
  const { after, now, platforms } = change;
  const search = newSearch(after, platform, { now, missing: missingFor(platforms, platform) });
  const isStopped = after.status === "paused" ? STOPPED : {};
  if (after.query.sneakPeek || change.before.query.sneakPeek || isFresh(change)) return { ...search, ...isStopped };
  const coverage = markMissed([], { from: BEGINNING, to: now }, "query_changed");
  return { ...search, coverage, askedSince: now, joinedAt: now, ...isStopped };
}

/** Earlier than any insight. */
const BEGINNING = 0;

/** Only the work in progress is void: it is done again at once. */
function continued({ dueAt, nextAt }: SearchRecord, { after, now }: QueryChange): Fields {
  return { epoch: after.epoch, dueAt: dueAt === null ? null : (nextAt ?? now) };
}

function begun(search: SearchRecord, { after, now, platforms }: QueryChange): Fields {
  const { id } = search;
  const missing = missingFor(platforms, search.platform);
  return {
    epoch: after.epoch,
    startedAt: now,
    ...startAt({ id, preview: after.query.sneakPeek, outcome: null }, now),
    outcome: null,
    poll: null,
    failures: 0,
    lastError: null,
    ...(missing !== undefined && unready(search.status, missing)),
  };
}

/** As a new search, which looks back; its counts stay. */
function fromTheBeginning(search: SearchRecord, change: QueryChange): Fields {
  return { ...begun(search, change), cursor: null, lastSuccessAt: null, warnings: [], coverage: [], fillTriedAt: null };
}

/**
 * Whether a new insight has found nothing yet: its first query may have been a mistake, so that the next one looks back, too.
 */
function isFresh({ before, now }: QueryChange): boolean {
  return before.postings === 0 && now - before.createdAt < FIRST_LOOK_BACK_MS;
}

/** The sources that each platform follows. */
const FOLLOWED: Readonly<Record<string, keyof FollowedSources>> = {
  news: "feeds",
  reddit: "subreddits",
  facebook: "pages",
  linkedin: "organisations",
};

/** Whether the new query asks a platform for something else. */
function asksOtherwise(platform: PlatformName, { before, after, platforms }: QueryChange): boolean {
  if (before.query.keywords !== after.query.keywords) return true;
  if (isLocated(platforms, platform) && before.query.location !== after.query.location) return true;
  const list = FOLLOWED[platform];
  return list !== undefined && !hasSame(before.query.follow[list], after.query.follow[list]);
}

/** Whether two lists have the same items, in whatever order. */
function hasSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item) => other.includes(item));
}

type Asked = Pick<InsightQuery, "keywords" | "platforms" | "location" | "follow">;

/** Whether two queries ask for the same. */
export function isSameQuery(one: Asked, other: Asked): boolean {
  return (
    one.keywords === other.keywords &&
    one.location === other.location &&
    hasSame(one.platforms, other.platforms) &&
    Object.values(FOLLOWED).every((list) => hasSame(one.follow[list], other.follow[list]))
  );
}
