import {
  type Chore,
  choreKind,
  type ChoreRecord,
  type Collection,
  DueJobs,
  dueKind,
  type DueWork,
  type Measurements,
  type Queue,
} from "@hourglass/runtime";
import { type InsightRecord, isNamed, type PostingErasure } from "../store/records.js";
import { recountKind } from "../summary/rollup.js";
import { eraseInsight, type PostingErasures } from "./erase.js";
import { removeExpired, type RetentionOptions } from "./retention.js";
import { ERASURE_KIND, SWEEP_KIND } from "./store.js";

export interface SweepDeps extends RetentionOptions {
  erasures: PostingErasures;
  chores: Collection<ChoreRecord>;
  /** Chores of other parts of the service. */
  furtherChores: readonly Chore[];
  queue: Queue;
  metrics: Measurements;
  /** Interval between checks, and between two looks at a preview. Default 1,000 ms. */
  everyMs?: number;
}

const EVERY_MS = 1_000;
const LEASE_MS = 60_000;
const RETENTION_EVERY_MS = 6 * 60 * 60_000;
const IMPORTS_EVERY_MS = 60 * 60_000;

/**
 * Ends previews, erases deleted insights, ends abandoned erasures, counts for summaries, and removes postings and notes of
 * imports that have expired.
 */
export function sweepJobs(deps: SweepDeps): DueJobs {
  const { collections, erasures, chores, queue, log, metrics, now, everyMs = EVERY_MS } = deps;
  const insights = dueKind<InsightRecord>({
    name: SWEEP_KIND,
    records: collections.insights,
    leaseMs: LEASE_MS,
    failure: "an insight could not be swept",
    deletes: true,
    ownerOf: ({ companyId }) => companyId,
    work: sweepInsight({ ...deps, everyMs }),
  });
  const abandoned = dueKind<PostingErasure>({
    name: ERASURE_KIND,
    records: collections.erasures,
    leaseMs: LEASE_MS,
    failure: "postings could not be erased",
    deletes: true,
    ownerOf: ({ companyId }) => companyId,
    work: ({ record }) => erasures.resume(record),
  });
  const kinds = [insights, abandoned, recountKind(deps), choreKind(chores, choresOf(deps), { now })];
  return new DueJobs({ name: "insight.sweep", queue, kinds, places: 4, checkMs: everyMs, log, metrics, now });
}

function choresOf(deps: SweepDeps): Chore[] {
  const { collections, furtherChores, now } = deps;
  return [
    {
      name: "retention",
      everyMs: RETENTION_EVERY_MS,
      work: async (stopping) => {
        await removeExpired(deps, () => !stopping.aborted);
        return stopping.aborted;
      },
    },
    {
      name: "imports",
      everyMs: IMPORTS_EVERY_MS,
      work: () => collections.imports.delete({ dueAt: { lte: now() } }).then(() => false),
    },
    ...furtherChores,
  ];
}

function sweepInsight(deps: SweepDeps & { everyMs: number }): DueWork<InsightRecord> {
  return async (claim, stopping) => {
    const { record } = claim;
    if (record.status === "deleted") {
      const mayContinue = () => Promise.resolve(!stopping.aborted && !claim.signal.aborted);
      if (!(await eraseInsight(deps, record, mayContinue))) await claim.reschedule(deps.now());
    } else if (record.status === "running" && record.query.sneakPeek) {
      if (!(await endPreview(deps, record))) await claim.reschedule(deps.now() + deps.everyMs);
    } else {
      await claim.reschedule(null);
    }
  };
}

const NO_ANSWER =
  "None of the platforms answered. See the state of each platform for the reason, then create another preview.";

/**
 * Ends a preview all of whose searches have ended and whose postings are analyzed; false if there is more to come. It
 * failed if no platform answered and nothing was imported.
 */
async function endPreview({ collections, now }: SweepDeps, insight: InsightRecord): Promise<boolean> {
  const { insights, searches, work } = collections;
  const { id, epoch, batch } = insight;
  const found = (await searches.find({ insightId: id })).filter(isNamed);
  if (found.some(({ outcome }) => outcome === null)) return false;
  if ((await work.find({ insightId: id }, { sort: [["batch", 1]], limit: 1 })).length > 0) return false;
  const hasAnswer = insight.postings > 0 || found.some(({ outcome }) => outcome === "answered");
  const end = hasAnswer
    ? ({ status: "completed", error: null } as const)
    : ({ status: "failed", error: NO_ANSWER } as const);
  // Whatever was stored since the insight was read has moved the batch.
  const unchanged = { id, status: "running", epoch, batch } as const;
  const ended = await insights.update(unchanged, { set: { ...end, finishedAt: now(), dueAt: null } });
  return ended !== undefined;
}
