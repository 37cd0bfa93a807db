import { deleteStep, failpoint, type Measurements, type Store, updateEachStep } from "@hourglass/runtime";
import type { Collections } from "../../store/collections.js";
import { markDirtySteps } from "../../summary/dirty-buckets.js";
import { POSTING_KIND } from "../storing/store-postings.js";
import { languageOf } from "./language.js";
import type { PostingResults, Subject } from "./posting-results.js";

export interface EndWorkDeps {
  store: Pick<Store, "commit">;
  collections: Pick<Collections, "postings" | "work" | "dirtyBuckets">;
  metrics: Pick<Measurements, "countJobEnded">;
  now: () => number;
}

/** An attempt that has ended, with what it found. */
export interface Attempt extends Subject {
  results: PostingResults;
}

/** Pauses after failed attempts, in milliseconds; after one more failure the analysis is given up. */
const RETRY_AFTER_MS = [10_000, 60_000, 600_000] as const;
/** Claims that ended without a result, such as by the end of their process. */
const CLAIMS_MAX = 20;

/**
 * Stores results and ends their work in one commit; what failed is tried again later, unless a file cannot be used, or
 * given up. What is missing is named in `more_info`. Results for an earlier version of a posting are discarded: its new
 * version has work of its own.
 */
export async function endWork(
  { store, collections: { postings, work, dirtyBuckets }, metrics, now }: EndWorkDeps,
  holder: string,
  attempts: readonly Attempt[],
): Promise<void> {
  if (attempts.length === 0) return;
  const retried = attempts.filter((attempt) => retryAfter(attempt) !== undefined);
  const ended = attempts.filter((attempt) => retryAfter(attempt) === undefined);
  failpoint("insight.before_results");
  await store.commit([
    // Dirty hours come first: every change of an hour's postings writes its record, so a transaction in conflict fails before it
    // has done any other work.
    ...markDirtySteps(
      dirtyBuckets,
      ended.map(({ posting }) => posting),
      now(),
    ),
    updateEachStep(
      postings,
      ended.map((attempt) => ({
        filter: { id: attempt.posting.id, version: attempt.posting.version },
        change: { set: resultsOf(attempt) },
      })),
    ),
    deleteStep(work, { id: { in: ended.map((attempt) => attempt.work.id) }, holder }),
    updateEachStep(
      work,
      retried.map((attempt) => ({
        filter: { id: attempt.work.id, holder },
        change: {
          set: { dueAt: now() + (retryAfter(attempt) ?? 0), holder: null },
          increment: { failures: 1 },
        },
      })),
    ),
  ]);
  failpoint("insight.after_results");
  for (const { results } of ended) {
    metrics.countJobEnded({ kind: POSTING_KIND, status: hasFailed(results) ? "given_up" : "done" });
  }
}

/** Whether the work was claimed so often without a result that it is given up. */
export function isHopeless({ work }: Subject): boolean {
  return work.claims > CLAIMS_MAX;
}

/** Pause before the next attempt, in milliseconds; undefined if there is none. */
function retryAfter(attempt: Attempt): number | undefined {
  const mayHelp = Object.keys(attempt.results.errors).length > 0 && !isHopeless(attempt);
  return mayHelp ? RETRY_AFTER_MS[attempt.work.failures] : undefined;
}

/** Everything that is missing from the results, with the reason. */
function missingFrom({ errors, unusable }: PostingResults): Record<string, string> {
  return { ...unusable, ...errors };
}

function hasFailed(results: PostingResults): boolean {
  return Object.keys(missingFrom(results)).length > 0;
}

function resultsOf({ posting, results }: Attempt) {
  const { sentiment, intention, topics, labels, moreInfo } = results;
  const notes = hasFailed(results) ? { ...moreInfo, errors: missingFrom(results) } : moreInfo;
  return {
    sentiment,
    intention,
    language: languageOf(posting),
    listedAt: posting.postedAt,
    analysis: { topics, labels, moreInfo: notes },
  };
}
