import {
  type DueWork,
  type Logger,
  makingRoom,
  repeat,
  type Repetition,
  startSchedule,
  type Stoppable,
  type Store,
} from "@hourglass/runtime";
import type { Collections } from "../../store/collections.js";
import type { InsightRecord, PostingErasure } from "../../store/records.js";
import { eraseInsight } from "../erasing/erase-insight.js";
import { endErasure } from "../erasing/erase-postings.js";
import { endPreview } from "./end-preview.js";
import { removeExpired, type RetentionDays } from "./remove-expired.js";

export interface SweeperDeps {
  store: Store;
  collections: Collections;
  retentionDays: RetentionDays;
  log: Logger;
  /** Milliseconds since the epoch. */
  now: () => number;
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
  return makingRoom(() => startParts(deps));
}

function startParts(deps: SweeperDeps): Repetition {
  const { collections, log, now, everyMs = EVERY_MS } = deps;
  let stopping = false;
  const goOn = (): boolean => !stopping;
  const shared = { everyMs, leaseMs: LEASE_MS, now, log, concurrency: 2 };
  const insights = startSchedule(
    { ...shared, records: collections.insights, failure: "insights could not be swept" },
    sweepInsight({ ...deps, everyMs }, goOn),
  );
  const erasures = startSchedule<PostingErasure>(
    { ...shared, records: collections.erasures, failure: "postings could not be erased" },
    ({ record }) => endErasure(deps, record),
  );
  const parts: Stoppable[] = [
    insights,
    erasures,
    every(RETENTION_EVERY_MS, deps, () => removeExpired(deps, goOn)),
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

function sweepInsight(deps: SweeperDeps & { everyMs: number }, goOn: () => boolean): DueWork<InsightRecord> {
  return async (claim) => {
    const { record } = claim;
    if (record.status === "deleted") {
      const isErased = await eraseInsight(deps, record, async () => goOn() && claim.renew());
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
    await work().catch((error: unknown) => {
      log.warn({ err: error }, "expired postings or imports could not be removed, trying again");
    });
    return ms;
  });
}
