import { type DueWork, makingRoom, repeat, type Repetition, startSchedule, type Stoppable } from "@hourglass/runtime";
import type { InsightRecord, PostingErasure } from "../store/records.js";
import { eraseInsight, type PostingErasures } from "./erase.js";
import { removeExpired, type RetentionOptions } from "./retention.js";

export interface SweeperDeps extends RetentionOptions {
  erasures: PostingErasures;
  /** Interval between checks, and between two looks at a preview. Default 1,000 ms. */
  everyMs?: number;
}

const EVERY_MS = 1_000;
const LEASE_MS = 60_000;
const RETENTION_EVERY_MS = 6 * 60 * 60_000;
const IMPORTS_EVERY_MS = 60 * 60_000;

/**
 * Ends previews, erases deleted insights, ends abandoned erasures, and removes postings and notes of imports that have
 * expired. Any number of processes may do so; `wake` has it look at once.
 */
export function startSweeper(deps: SweeperDeps): Repetition {
  const { collections, erasures, log, now, everyMs = EVERY_MS } = deps;
  let stopping = false;
  const mayContinue = (): boolean => !stopping;
  const shared = { everyMs, leaseMs: LEASE_MS, now, log, concurrency: 2, deletes: true };
  const insights = startSchedule(
    { ...shared, records: collections.insights, failure: "insights could not be swept" },
    sweepInsight({ ...deps, everyMs }, mayContinue),
  );
  const abandoned = startSchedule<PostingErasure>(
    { ...shared, records: collections.erasures, failure: "postings could not be erased" },
    ({ record }) => erasures.resume(record),
  );
  const parts: Stoppable[] = [
    insights,
    abandoned,
    every(RETENTION_EVERY_MS, deps, () => removeExpired(deps, mayContinue)),
    every(IMPORTS_EVERY_MS, deps, async () => void (await collections.imports.delete({ dueAt: { lte: now() } }))),
  ];
  return {
    wake: () => insights.wake(),
    stop: async (graceMs) => {
      stopping = true;
      await Promise.all(parts.map((part) => part.stop(graceMs)));
    },
  };
}

function sweepInsight(deps: SweeperDeps & { everyMs: number }, mayContinue: () => boolean): DueWork<InsightRecord> {
  return async (claim) => {
    const { record } = claim;
    if (record.status === "deleted") {
      const isErased = await eraseInsight(deps, record, async () => mayContinue() && claim.renew());
      if (!isErased) await claim.reschedule(deps.now());
    } else if (record.status === "running" && record.query.sneakPeek) {
      if (!(await endPreview(deps, record))) await claim.reschedule(deps.now() + deps.everyMs);
    } else {
      await claim.reschedule(null);
    }
  };
}

function every(ms: number, { log }: SweeperDeps, work: () => Promise<void>): Stoppable {
  return repeat(async () => {
    await makingRoom(work).catch((error: unknown) => {
      log.warn({ err: error }, "expired postings or imports could not be removed, trying again");
    });
    return ms;
  });
}

const NO_ANSWER =
  "None of the platforms answered. See the state of each platform for the reason, then create another preview.";

/**
 * Ends a preview all of whose searches have ended and whose postings are analyzed; false if there is more to come. It
 * failed if no platform answered and nothing was imported.
 */
async function endPreview({ collections, now }: SweeperDeps, insight: InsightRecord): Promise<boolean> {
  const { insights, searches, work } = collections;
  const { id, epoch, batch } = insight;
  const found = await searches.find({ insightId: id });
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
