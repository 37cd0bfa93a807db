import { createHash } from "node:crypto";
import {
  AppError,
  type Author,
  type Created,
  failpoint,
  type Filter,
  findByIdempotency,
  type IdPage,
  type IdPageRequest,
  insertStep,
  keyReused,
  hasMetadata,
  idempotencyOf,
  madeBefore,
  madeNow,
  type Metadata,
  readOrderedPage,
  readSelectedIdPage,
  requireRevision,
  type Store,
  updateStep,
  winnerOf,
} from "@hourglass/runtime";
import { foldName } from "@hourglass/runtime/text";
import { asItIs, changeInsight, type InsightChange, revisionOfInsight } from "./change-insight.js";
import {
  newSearch,
  pauseSteps,
  planInsight,
  type PlatformPlan,
  resumeSteps,
  shownState,
  type ShownState,
} from "./collector/searches.js";
import { recheckWarning } from "./collector/recheck.js";
import { type PlatformCoverage, readCoverage } from "./coverage.js";
import { placesOfQuery } from "./places-of-query.js";
import type { SearchPlaces } from "./platforms/places.js";
import { connectorOf, isLocated, missingFor, type Platforms } from "./platforms/registry.js";
import { termsOf } from "./query/ast.js";
import { type KeywordWarning, keywordWarnings, parseKeywords } from "./query/parser.js";
import { understood, type UnderstoodQuery } from "./query/understood.js";
import { type Collections, findInsight } from "./store/collections.js";
import {
  type InsightQuery,
  type InsightRecord,
  metadataIn,
  newInsight,
  recheckId,
  storedMetadata,
} from "./store/records.js";
import { type InsightSort, SORT_FIELDS } from "./store/sort-keys.js";
import { type InsightVersion, readVersions } from "./versions.js";

export interface InsightsDeps {
  store: Pick<Store, "nextId" | "commit">;
  collections: Collections;
  platforms: Platforms;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export interface NewInsight {
  companyId: number;
  query: InsightQuery;
  /** Empty: none. */
  idempotencyKey: string;
  /** Default: none. */
  name?: string;
  note?: string;
  metadata?: Metadata;
  /** Undefined: a service. */
  createdBy?: Author | undefined;
}

/** Which insights a list has. */
export interface WantedInsights {
  status?: Exclude<InsightRecord["status"], "deleted">;
  /** Part of the name or the subject terms, as `foldName` compares them; empty: any. */
  q: string;
  /** What its metadata has; default: anything. */
  metadata?: Metadata;
  /** Default: `created_at`. */
  sort?: InsightSort;
  /** Default: names from A on, of others the newest or largest first. */
  ascending?: boolean | undefined;
}

/** What a search would do. */
export interface InsightCheck {
  terms: string[];
  parsed: UnderstoodQuery;
  platforms: PlatformPlan[];
  keywordWarnings: KeywordWarning[];
  /** Sentences about the search as a whole. */
  warnings: string[];
}

/** An insight with the state of its collection. */
export interface FullInsight {
  insight: InsightRecord;
  /** In the order of the query's platforms. */
  searches: ShownState[];
  /** Postings whose analysis is neither done nor given up. */
  unanalysed: number;
  /** The latest queries, oldest first; absent in lists. */
  versions?: readonly InsightVersion[];
}

export interface CoverageRequest {
  id: number;
  companyId: number;
  /** Milliseconds since the epoch; undefined: from the creation of the insight. */
  start: number | undefined;
  /** Undefined: until now. */
  end: number | undefined;
}

type StatusChange = "paused" | "running";

/**
 * The insights of companies. Methods that take the id of an insight throw AppError `not-found` if it is unknown, deleted
 * or another company's.
 */
export class Insights {
  constructor(private readonly deps: InsightsDeps) {}

  /** Tells what a search would do, without storing or sending anything. Throws AppError `invalid` like a creation. */
  async check(query: InsightQuery): Promise<InsightCheck> {
    const { platforms } = this.deps;
    const keywords = parseKeywords(query.keywords);
    const places = await placesOfQuery(query, platforms);
    const plans = planInsight(query, { keywords, places }, platforms);
    const isCollected = plans.some(({ status }) => status === "waiting");
    const uncollected = isCollected
      ? []
      : ["No platform of this search collects on this server. Import postings instead."];
    const warnings = [...uncollected, ...sentencesOfLocation(query, platforms, places)];
    const terms = keywords.terms.map(({ text }) => text);
    return {
      terms,
      parsed: understood(keywords),
      platforms: plans,
      keywordWarnings: keywordWarnings(query.keywords),
      warnings,
    };
  }

  /**
   * Stores an insight and its searches, which start by themselves. Throws AppError `invalid` for keywords that cannot be
   * parsed, for a location without a known place, and for a key that was used for another request.
   */
  async create(wanted: NewInsight): Promise<Created & { notice: string }> {
    const { companyId, query, name = "", note = "", metadata = [], createdBy } = wanted;
    const { store, collections, platforms, now } = this.deps;
    const terms = termsOf(parseKeywords(query.keywords));
    const places = await placesOfQuery(query, platforms);
    const key = keyOf(wanted);
    const findEarlier = key && (() => findByKey(collections, key, now()));
    // Of the query that was given, which may have been changed since.
    const notice = noticeOfCreation(query, platforms, places);
    const repeated = ({ id: earlierId }: InsightRecord) => ({ ...madeBefore(earlierId), notice });
    const earlier = await findEarlier?.();
    if (earlier !== undefined) return repeated(earlier);
    const id = await store.nextId("insights");
    const labels = { name, note, ...(metadata.length > 0 && { metadata: storedMetadata(metadata) }) };
    const own = { ...labels, ...(createdBy !== undefined && { createdBy }) };
    const insight = newInsight({ id, companyId, query, terms, createdAt: now(), ...own, ...key });
    const searches = query.platforms.map((platform) =>
      newSearch(insight, platform, { now: insight.createdAt, missing: missingFor(platforms, platform) }),
    );
    try {
      await store.commit([insertStep(collections.insights, insight), insertStep(collections.searches, ...searches)]);
    } catch (error) {
      return repeated(await winnerOf(error, findEarlier));
    }
    failpoint("insight.after_create");
    return { ...madeNow(id), notice };
  }

  /** The record alone. AppError `not-found` if there is none. */
  find(id: number, companyId: number): Promise<InsightRecord> {
    return findInsight(this.deps.collections.insights, id, companyId);
  }

  async get(id: number, companyId: number): Promise<FullInsight> {
    return this.withVersions(await findInsight(this.deps.collections.insights, id, companyId));
  }

  /**
   * One page; with a text or metadata, it may be short although more follow. Throws AppError `invalid` for a cursor that was not issued
   * here for the same order.
   */
  async list(companyId: number, wanted: WantedInsights, page: IdPageRequest): Promise<IdPage<FullInsight>> {
    const { insights } = this.deps.collections;
    const { status, q, metadata = [], sort = "created_at", ascending = sort === "name" } = wanted;
    const order = { field: SORT_FIELDS[sort], direction: ascending ? 1 : -1 } as const;
    const filter: Filter<InsightRecord> = { companyId, status: status ?? { ne: "deleted" } };
    const text = foldName(q);
    const has = (insight: InsightRecord) =>
      hasMetadata(metadataIn(insight), metadata) &&
      [insight.name ?? "", insight.terms].some((each) => foldName(each).includes(text));
    const select = (looked: readonly InsightRecord[]) => Promise.resolve(looked.filter(has));
    const { records, nextCursor } =
      q === "" && metadata.length === 0
        ? await readOrderedPage(insights, filter, { page, order })
        : await readSelectedIdPage(insights, filter, {
            page: { ...page, narrowedBy: JSON.stringify([text, metadata]) },
            order,
            selection: { select, isBehind: () => false },
          });
    return { records: await Promise.all(records.map((insight) => this.fill(insight))), nextCursor };
  }

  /** Changes an insight, and returns it; see `changeInsight`. */
  async update(id: number, companyId: number, change: InsightChange): Promise<FullInsight> {
    return this.withVersions(await changeInsight(this.deps, { id, companyId }, change));
  }

  /**
   * Pauses an insight, and returns it as it was before; does nothing if it is paused already. After that, nothing is
   * stored until it is resumed: the new epoch voids all work in progress. Throws AppError `invalid` for a preview that
   * has ended.
   */
  pause(id: number, companyId: number): Promise<InsightRecord> {
    return this.change(id, companyId, "paused");
  }

  /** Resumes a paused insight; otherwise like `pause`. */
  resume(id: number, companyId: number): Promise<InsightRecord> {
    return this.change(id, companyId, "running");
  }

  /**
   * Makes an insight invisible; the sweeper then erases it with all its postings. Work in progress stores nothing any more.
   * AppError `precondition` unless it has one of these revisions, if any are given.
   */
  async delete(id: number, companyId: number, ifMatch: readonly string[] = []): Promise<void> {
    const { store, collections, now } = this.deps;
    for (;;) {
      const insight = await findInsight(collections.insights, id, companyId);
      requireRevision(ifMatch, revisionOfInsight(insight));
      const searches = await collections.searches.find({ insightId: id });
      const deleted = { set: { status: "deleted", dueAt: now() }, increment: { epoch: 1 } } as const;
      const { done } = await store.commit([
        updateStep(collections.insights, asItIs(insight), deleted),
        ...pauseSteps(collections.searches, searches, insight.epoch + 1),
      ]);
      if (done) break;
    }
    failpoint("insight.after_delete");
  }

  /** Tells for which time an insight was collected completely. */
  async coverage({ id, companyId, start, end }: CoverageRequest): Promise<PlatformCoverage[]> {
    const {
      collections: { insights, searches },
      now,
    } = this.deps;
    const insight = await findInsight(insights, id, companyId);
    return readCoverage({ searches, now }, insight, { start: start ?? insight.createdAt, end: end ?? now() });
  }

  private async change(id: number, companyId: number, to: StatusChange): Promise<InsightRecord> {
    for (;;) {
      const insight = await findInsight(this.deps.collections.insights, id, companyId);
      if (insight.status === to) return insight;
      if (insight.status !== "running" && insight.status !== "paused") throw hasEnded(insight);
      if (await this.commitChange(insight, to)) return insight;
    }
  }

  /** False if the insight was changed since it was read. */
  private async commitChange({ id, status, epoch, query }: InsightRecord, to: StatusChange): Promise<boolean> {
    const { store, collections, platforms, now } = this.deps;
    const searches = await collections.searches.find({ insightId: id });
    const further =
      to === "paused"
        ? pauseSteps(collections.searches, searches, epoch + 1)
        : resumeSteps(collections.searches, searches, { epoch: epoch + 1, now: now(), platforms });
    // The sweeper checks a preview until it has ended, but not while it is paused.
    const checked = to === "running" && query.sneakPeek ? { dueAt: now() } : {};
    const { done } = await store.commit([
      updateStep(
        collections.insights,
        { id, status, epoch },
        { set: { status: to, ...checked }, increment: { epoch: 1 } },
      ),
      ...further,
    ]);
    if (done) failpoint(`insight.after_${to}`);
    return done;
  }

  private async withVersions(insight: InsightRecord): Promise<FullInsight> {
    const [full, versions] = await Promise.all([this.fill(insight), readVersions(this.deps.collections, insight)]);
    return { ...full, versions };
  }

  private async fill(insight: InsightRecord): Promise<FullInsight> {
    const { collections, now } = this.deps;
    const { searches, work } = collections;
    const { id: insightId, query } = insight;
    const [found, unanalysed, late] = await Promise.all([
      searches.find({ insightId }),
      work.count({ insightId }),
      readWarnings(collections, insight, now()),
    ]);
    const inOrder = query.platforms.flatMap((name) => found.filter(({ platform }) => platform === name));
    const shown = inOrder.map((search) => {
      const state = shownState(search, now());
      return { ...state, warnings: [...state.warnings, ...(late.get(search.platform) ?? [])] };
    });
    return { insight, searches: shown, unanalysed };
  }
}

type Key = Pick<InsightRecord, "requestHash"> & { idempotency: string };

/** Undefined for a request without a key. */
function keyOf({ companyId, idempotencyKey, query, name = "", note = "", metadata = [] }: NewInsight): Key | undefined {
  const idempotency = idempotencyOf(companyId, idempotencyKey);
  if (idempotency === undefined) return undefined;
  const labels = [name, note, ...(metadata.length === 0 ? [] : [metadata])];
  const request = labels.every((label) => label === "") ? query : [query, ...labels];
  return { idempotency, requestHash: createHash("sha256").update(JSON.stringify(request)).digest("base64url") };
}

async function findByKey(
  { insights }: Collections,
  { idempotency, requestHash }: Key,
  now: number,
): Promise<InsightRecord | undefined> {
  const found = await findByIdempotency(insights, idempotency, now);
  if (found !== undefined && found.requestHash !== requestHash) throw keyReused("idempotency_key");
  return found;
}

function hasEnded({ status }: InsightRecord): AppError {
  return new AppError("invalid", `This preview has ended (${status}). Create another search instead.`, {
    code: "insight_ended",
  });
}

/** By platform: what the owner should know about the comparison of stored postings with it. */
async function readWarnings(
  { rechecks }: Collections,
  { companyId, query }: InsightRecord,
  now: number,
): Promise<Map<string, string[]>> {
  const ids = query.platforms.map((platform) => recheckId(companyId, platform));
  const records = await rechecks.find({ id: { in: ids } });
  return new Map(
    records.map((record) => [record.platform, [recheckWarning(record, now)].flatMap((text) => text ?? [])]),
  );
}

/** Confirms the creation of an insight, names the platforms that cannot collect yet, and says what the location means. */
function noticeOfCreation(query: InsightQuery, platforms: Platforms, places: SearchPlaces): string {
  const location = sentencesOfLocation(query, platforms, places);
  return [beginning(query), ...missing(query, platforms), ...location].join(" ");
}

/** Confirms a pause. */
export const NOTICE_OF_PAUSE = "The search is paused. It collects nothing until it is resumed.";

/** Confirms that a search continues. */
export function noticeOfResume({ sneakPeek }: InsightQuery): string {
  return sneakPeek
    ? "The preview is resumed. It collects once and ends."
    : "The search is resumed. It collects continuously.";
}

function beginning({ sneakPeek, platforms }: InsightQuery): string {
  const where = platforms.join(", ");
  return sneakPeek
    ? `The search was created. A preview runs on ${where}.`
    : `The search was created. It runs continuously on ${where}.`;
}

function missing({ platforms: wanted, sneakPeek }: InsightQuery, platforms: Platforms): string[] {
  const unready = wanted.filter((name) => connectorOf(platforms, name) === undefined);
  if (unready.length === 0) return [];
  const isOne = unready.length === 1;
  const what = `This server is not configured for ${unready.join(", ")}`;
  // A preview ends without them: they never start, and it soon takes no imports.
  if (sneakPeek) return [`${what}; the preview leaves ${isOne ? "it" : "them"} out.`];
  const them = isOne ? "it starts by itself once it is" : "they start by themselves once they are";
  return [`${what}; ${them}. Meanwhile, postings can be imported.`];
}

/** Says what the location of a search means, and on which platforms it has no effect. */
function sentencesOfLocation(
  { location, platforms: wanted }: InsightQuery,
  platforms: Platforms,
  { known, unknown }: SearchPlaces,
): string[] {
  if (location === "") return [];
  const meant = known.map(({ label }) => label).join("; ");
  const ignoring = wanted.filter((name) => !isLocated(platforms, name));
  return [
    ...(known.length > 0 ? [`The location means ${meant}.`] : []),
    ...unknown,
    ...(ignoring.length > 0 ? [`The location has no effect on ${ignoring.join(", ")}.`] : []),
  ];
}
