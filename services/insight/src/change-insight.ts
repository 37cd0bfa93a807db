import {
  AppError,
  type Author,
  failpoint,
  type Filter,
  type Metadata,
  requireRevision,
  revisionOf,
  type Step,
  type Store,
  updateStep,
} from "@hourglass/runtime";
import { changeSteps, isSameQuery } from "./collector/changed-searches.js";
import { placesOfQuery } from "./places-of-query.js";
import type { Platforms } from "./platforms/registry.js";
import { termsOf } from "./query/ast.js";
import { parseKeywords } from "./query/parser.js";
import { type Collections, findInsight } from "./store/collections.js";
import { type InsightQuery, type InsightRecord, platformsOf, sortNameOf, storedMetadata } from "./store/records.js";
import { endVersionSteps, presentVersion } from "./versions.js";

interface ChangeDeps {
  store: Pick<Store, "commit">;
  collections: Collections;
  platforms: Platforms;
  now: () => number;
}

/** Undefined: as it is. */
export interface InsightChange {
  /** Empty: none. */
  name?: string | undefined;
  note?: string | undefined;
  /** All of it, instead of that of before; empty: none. */
  metadata?: Metadata | undefined;
  query?: Partial<Omit<InsightQuery, "dimensions" | "sneakPeek">>;
  /** False makes a preview continuous. */
  sneakPeek?: boolean | undefined;
  /** Who asks for it; undefined: a service. */
  changedBy?: Author | undefined;
  /** Revisions of which the insight must have one, see `revisionOfInsight`; absent or empty: any. */
  ifMatch?: readonly string[];
  /** Called with what is about to change, before it does. */
  announce?: AnnounceChange;
}

export type AnnounceChange = (before: InsightRecord, after: InsightRecord) => Promise<void>;

/** What a change writes into the record; the epoch is raised if the query or the collection changes. */
type Fields = Partial<Omit<InsightRecord, "id" | "epoch">>;

/**
 * Changes an insight, and returns it as it is then. Record, version and searches change in one commit; of changes that
 * meet, each is made on what the one before has left. What is the same again makes no version. Throws AppError `invalid` for
 * a query that a creation would refuse, for another query of a preview that has ended, and for a continuous insight that
 * should become a preview, and `precondition` for an insight of another revision.
 */
export async function changeInsight(
  deps: ChangeDeps,
  { id, companyId }: Pick<InsightRecord, "id" | "companyId">,
  change: InsightChange,
): Promise<InsightRecord> {
  const { store, collections } = deps;
  for (;;) {
    const before = await findInsight(collections.insights, id, companyId);
    requireRevision(change.ifMatch ?? [], revisionOfInsight(before));
    const asked = await fieldsAfter(deps, before, change);
    const own = ownFields(before, change, asked);
    if (asked === undefined && Object.keys(own).length === 0) return before;
    await change.announce?.(before, { ...before, ...asked, ...own });
    const committed = await store.commit(
      asked === undefined
        ? [updateStep(collections.insights, asItIs(before), { set: own })]
        : await stepsOf(deps, before, { ...asked, ...own }),
    );
    if (!committed.done) continue;
    failpoint("insight.after_change");
    return committed.results[0];
  }
}

/** Names what its users can change of an insight. Neither what is collected nor a pause changes it. */
export function revisionOfInsight({ name = "", note = "", metadata = "", query, version = 1 }: InsightRecord): string {
  const { keywords, platforms, dimensions, location, sneakPeek, follow } = query;
  const { feeds, subreddits, pages, organisations } = follow;
  const sources = [feeds, subreddits, pages, organisations];
  return revisionOf([name, note, metadata, version, keywords, platforms, dimensions, location, sneakPeek, sources]);
}

/** The insight while nothing of the revision has changed: each change of the query begins an epoch, which no label does. */
export function asItIs({ id, epoch, name, note, metadata }: InsightRecord): Filter<InsightRecord> {
  const labels = { name: { eq: name ?? null }, note: { eq: note ?? null }, metadata: { eq: metadata ?? null } };
  return { id, epoch, ...labels } as Filter<InsightRecord>;
}

/** The labels, and what lists by name are sorted by. */
function ownFields(before: InsightRecord, { name, note, metadata }: InsightChange, asked: Fields | undefined): Fields {
  const sortName = sortNameOf({ ...before, ...asked, ...(name !== undefined && { name }) });
  return {
    ...(name !== undefined && { name }),
    ...(note !== undefined && { note }),
    ...(metadata !== undefined && { metadata: storedMetadata(metadata) }),
    ...(sortName !== before.sortName && { sortName }),
  };
}

/** What changes of the query and the collection; undefined if nothing does. */
async function fieldsAfter(
  deps: ChangeDeps,
  before: InsightRecord,
  { query: given, sneakPeek, changedBy }: InsightChange,
): Promise<Fields | undefined> {
  if (sneakPeek === true && !before.query.sneakPeek) throw cannotBecomePreview();
  const query = { ...before.query, ...given };
  const isOther = !isSameQuery(before.query, query);
  const isContinued = before.query.sneakPeek && sneakPeek === false;
  if (!isOther && !isContinued) return undefined;
  if (!isContinued && before.finishedAt !== null) throw hasEnded(before);
  const asked = isOther ? await newVersion(deps, before, { query, changedBy }) : { query: before.query };
  if (!isContinued) return { ...asked, dueAt: before.query.sneakPeek ? checkedAt(before, deps.now()) : null };
  return {
    ...asked,
    query: { ...asked.query, sneakPeek: false },
    // A paused one stays so.
    status: before.status === "paused" ? "paused" : "running",
    finishedAt: null,
    error: null,
    dueAt: null,
  };
}

/** The sweeper checks a preview until it has ended, but not while it is paused. */
function checkedAt({ status }: InsightRecord, now: number): number | null {
  return status === "running" ? now : null;
}

/** Throws AppError `invalid` as a creation does. */
async function newVersion(
  { platforms, now }: ChangeDeps,
  before: InsightRecord,
  { query, changedBy = null }: { query: InsightQuery; changedBy: Author | null | undefined },
): Promise<Fields & Pick<InsightRecord, "query">> {
  // An earlier release may have accepted keywords that this one does not.
  const isReworded = query.keywords !== before.query.keywords;
  const terms = isReworded ? termsOf(parseKeywords(query.keywords, "keywords")) : before.terms;
  await placesOfQuery(query, platforms, "location");
  const formerPlatforms = platformsOf(before).filter((platform) => !query.platforms.includes(platform));
  const version = presentVersion(before).version + 1;
  return { query, terms, formerPlatforms, version, versionAt: now(), versionBy: changedBy };
}

/** Writes for one commit; the first one returns the insight. */
async function stepsOf(
  { collections, platforms, now }: ChangeDeps,
  before: InsightRecord,
  set: Fields,
): Promise<readonly [Step<InsightRecord>, ...Step[]]> {
  const { insights, versions, searches } = collections;
  const { id, status, epoch } = before;
  const found = await searches.find({ insightId: id });
  const after = { ...before, ...set, epoch: epoch + 1 };
  return [
    updateStep(insights, { ...asItIs(before), status }, { set, increment: { epoch: 1 } }),
    ...(set.version === undefined ? [] : endVersionSteps(versions, before)),
    ...changeSteps(searches, found, { before, after, now: now(), platforms }),
  ];
}

function cannotBecomePreview(): AppError {
  const message =
    "Leave it out: a continuous insight cannot become a preview. Create a preview with the same query instead.";
  return AppError.invalid([{ field: "sneak_peek", message }]);
}

function hasEnded({ status }: InsightRecord): AppError {
  const message = `This preview has ended (${status}). Give sneak_peek: false as well, which makes it continuous, or create another one.`;
  return new AppError("invalid", message, { code: "insight_ended" });
}
