import { setMaxListeners } from "node:events";
import { measureAnalyses, type TextAnalyst } from "@hourglass/analysis";
import type { FileAnalyst } from "@hourglass/analysis/files";
import {
  deleteStep,
  failpoint,
  type Logger,
  type Measurements,
  repeat,
  type Stoppable,
  type Store,
  updateEachStep,
} from "@hourglass/runtime";
import { FairLimit } from "@hourglass/runtime/fair-limit";
import type { Collections } from "../store/collections.js";
import { markDirtySteps } from "../summary/dirty-buckets.js";
import {
  analyzeMedia,
  analyzeWords,
  type ContentAnalysts,
  languageOf,
  noResults,
  type PostingResults,
  type Subject,
} from "./content-analysis.js";
import { POSTING_KIND } from "./store.js";
import { type ClaimedWork, WorkClaims } from "./work-claims.js";

/** Where results are stored. */
export interface ResultsDeps {
  store: Pick<Store, "commit">;
  collections: Collections;
  metrics: Measurements;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export interface AnalysisDeps extends ResultsDeps {
  store: Store;
  texts: TextAnalyst;
  /** Fetches media under the rules for URLs of users. */
  files: FileAnalyst;
  log: Logger;
  /** Default 60,000 ms; see WorkClaims. */
  leaseMs?: number;
  /** Pause when nothing is due, and after a failure on our side. Default 500 ms. */
  idleMs?: number;
}

/** Batches in progress: while one is analyzed, the others are read and written. */
const LANES = 6;
/** Batches of one company at a time: what another one brings finds a free lane. */
const LANES_PER_COMPANY = 4;
/** Few enough to claim and store without stopping the event loop for long. */
const BATCH = 32;
const LEASE_MS = 60_000;
const IDLE_MS = 500;
/** Pause before work is tried again whose attempt failed on our side. */
const AGAIN_MS = 5_000;

/** Analyses stored postings until stopped. Any number of processes may do so. */
export function startAnalysis(deps: AnalysisDeps): Stoppable {
  const { idleMs = IDLE_MS, log } = deps;
  const stopping = new AbortController();
  // Every text and file in progress listens to it.
  setMaxListeners(0, stopping.signal);
  const analysis = new PostingAnalysis(deps, stopping.signal);
  const lanes = Array.from({ length: LANES }, () =>
    repeat(async () => {
      try {
        return (await analysis.doNext()) ? 0 : idleMs;
      } catch (error) {
        log.warn({ err: error }, "postings could not be analyzed, trying again");
        return idleMs;
      }
    }),
  );
  return {
    stop: async (graceMs) => {
      stopping.abort(new Error("the analysis of postings is stopping"));
      await Promise.all(lanes.map((lane) => lane.stop(graceMs)));
    },
  };
}

/** After so many claims without a result, a posting is analyzed alone, so that it cannot spoil those of others. */
const TOGETHER_CLAIMS_MAX = 3;

/** The analysis of postings in one process. */
class PostingAnalysis {
  private readonly leaseMs: number;
  private readonly claims: WorkClaims;
  private readonly analysts: ContentAnalysts;
  /**
   * Stores results of one batch after another, companies round-robin: side by side they would only repeat each other's
   * transactions.
   */
  private readonly ends = new FairLimit({ places: 1 });

  constructor(
    private readonly deps: AnalysisDeps,
    private readonly stopping: AbortSignal,
  ) {
    const { store, collections, texts, files, metrics, now, leaseMs = LEASE_MS } = deps;
    this.leaseMs = leaseMs;
    this.claims = new WorkClaims({ store, collections, leaseMs, now, perCompany: LANES_PER_COMPANY });
    this.analysts = { texts, files, onTimed: measureAnalyses(metrics) };
    this.measureBacklog();
  }

  /** Does one batch; false if none is due. */
  async doNext(): Promise<boolean> {
    if (this.stopping.aborted) return false;
    const claimed = await this.claims.claim(BATCH);
    if (claimed === undefined) return false;
    const renewal = setInterval(() => void this.renew(claimed), this.leaseMs / 3);
    try {
      await this.analyze(claimed);
    } catch (error) {
      const isStopping = this.stopping.aborted as boolean;
      const end = isStopping ? { counts: false, afterMs: 0 } : { counts: true, afterMs: AGAIN_MS };
      await this.claims.handBack(claimed, end);
      if (!isStopping) throw error;
    } finally {
      clearInterval(renewal);
      this.claims.release(claimed);
    }
    return true;
  }

  /** A renewal that fails leaves the claim to its end; the results then count anyway, from the process that stores them first. */
  private async renew(claimed: ClaimedWork): Promise<void> {
    try {
      await this.claims.renew(claimed);
    } catch (error) {
      this.deps.log.warn({ err: error }, "a claim of postings could not be renewed");
    }
  }

  /**
   * Does claimed work: postings with words only together, those with media and those that failed on our side each by
   * itself. Rejects once all have ended if one of them failed on our side, or if the process stops.
   */
  private async analyze(claimed: ClaimedWork): Promise<void> {
    const subjects = await this.readSubjects(claimed);
    const [hopeless, possible] = split(subjects, isHopeless);
    const [alone, together] = split(
      possible,
      (subject) => hasMedia(subject) || subject.work.claims > TOGETHER_CLAIMS_MAX,
    );
    const ends = await Promise.allSettled([
      this.end(claimed, hopeless.map(givenUp)),
      this.analyzeTogether(claimed, together),
      ...alone.map((subject) => this.analyzeTogether(claimed, [subject])),
    ]);
    const failed = ends.find((end) => end.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  /** The postings of the work; work without a posting is ended. */
  private async readSubjects({ works, holder }: ClaimedWork): Promise<Subject[]> {
    const { store, collections } = this.deps;
    const { postings, insights, work } = collections;
    const [foundPostings, foundInsights] = await Promise.all([
      postings.find({ id: { in: works.map(({ id }) => id) } }),
      insights.find({ id: { in: [...new Set(works.map(({ insightId }) => insightId))] }, status: { ne: "deleted" } }),
    ]);
    const postingOf = new Map(foundPostings.map((posting) => [posting.id, posting]));
    const insightOf = new Map(foundInsights.map((insight) => [insight.id, insight]));
    const subjects = works.flatMap((each) => {
      const [posting, insight] = [postingOf.get(each.id), insightOf.get(each.insightId)];
      return posting === undefined || insight === undefined ? [] : [{ work: each, posting, insight }];
    });
    if (subjects.length < works.length) {
      const left = new Set(subjects.map((subject) => subject.work.id));
      const gone = works.filter(({ id }) => !left.has(id)).map(({ id }) => id);
      await store.commit([deleteStep(work, { id: { in: gone }, holder })]);
    }
    return subjects;
  }

  private async analyzeTogether(claimed: ClaimedWork, subjects: readonly Subject[]): Promise<void> {
    if (subjects.length === 0) return;
    const signal = this.stopping;
    const attempts: Attempt[] = subjects.map((subject) => ({ ...subject, results: noResults() }));
    const words = await Promise.all(
      attempts.map(async (attempt) => {
        const { posting, insight, results } = attempt;
        const own = insight.query.dimensions.includes("textual") ? (posting.content.text ?? "") : "";
        const spoken = hasMedia(attempt) ? await analyzeMedia(this.analysts, attempt, { into: results, signal }) : "";
        const text = [own, spoken].filter((part) => part !== "").join("\n");
        return { companyId: posting.companyId, text, into: results };
      }),
    );
    await analyzeWords(this.analysts, words, signal);
    await this.end(claimed, attempts);
  }

  private async end({ holder, companyId, ending }: ClaimedWork, attempts: readonly Attempt[]): Promise<void> {
    await this.ends.run(companyId, () => {
      for (const { work } of attempts) ending.add(work.id);
      return endWork(this.deps, holder, attempts);
    });
  }

  private measureBacklog(): void {
    const { metrics, now } = this.deps;
    metrics.gauge("hourglass_postings_waiting", "Postings whose analysis is to be done, at most 100,000", () =>
      this.claims.waiting(),
    );
    metrics.gauge(
      "hourglass_postings_oldest_waiting_seconds",
      "Time for which an analysis of a posting is due",
      async () => {
        const since = await this.claims.oldestDueAt();
        return since === undefined ? 0 : Math.max(0, now() - since) / 1000;
      },
    );
  }
}

function hasMedia({ posting, insight: { query } }: Subject): boolean {
  const isAsked = query.dimensions.includes("audial") || query.dimensions.includes("visual");
  return isAsked && (posting.content.media?.length ?? 0) > 0;
}

function givenUp(subject: Subject): Attempt {
  const errors = { analysis: "It ended the process that analyzed it, or was interrupted, too often." };
  return { ...subject, results: { ...noResults(), errors } };
}

function split<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
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
 * version has its own work.
 */
export async function endWork(
  { store, collections: { postings, work, dirtyBuckets }, metrics, now }: ResultsDeps,
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
function isHopeless({ work }: Subject): boolean {
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
