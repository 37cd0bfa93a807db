import { setMaxListeners } from "node:events";
import { measureAnalyses, type TextAnalyst } from "@hourglass/analysis";
import type { FileAnalyst } from "@hourglass/analysis/files";
import {
  deleteStep,
  type DueClaim,
  DueJobs,
  dueKind,
  failpoint,
  type Json,
  type Logger,
  type Measurements,
  type Queue,
  type Store,
  updateEachStep,
  pauseAfter,
  type RetryPolicy,
} from "@hourglass/runtime";
import { FairLimit } from "@hourglass/runtime/fair-limit";
import type { Collections } from "../store/collections.js";
import type { AnalysisBatch, PostingWork } from "../store/records.js";
import { markDirtySteps } from "../summary/dirty-buckets.js";
import { AnalysisBatches, type BatchOptions } from "./batches.js";
import {
  analyzeMedia,
  analyzeWords,
  type ContentAnalysts,
  hasMedia,
  languageOf,
  noResults,
  type PostingResults,
  type Subject,
} from "./content-analysis.js";
import { explanationKind } from "./explanations.js";
import { reanalysisKind } from "./reanalysis.js";
import { BATCH_KIND, POSTING_KIND } from "./store.js";

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
  queue: Queue;
  /** Only workers need analysts. */
  texts?: TextAnalyst;
  /** Fetches media under the rules for URLs of users. */
  files?: FileAnalyst;
  log: Logger;
  /** Default 60,000 ms. */
  leaseMs?: number;
  /** Interval between looks for what is due. Default 500 ms. */
  checkMs?: number;
}

/** Batches in work: while one is analyzed, the others are read and written. */
const PLACES = 6;
/** Batches of one company in work, previews aside: those of another one find a free place. */
const PLACES_PER_COMPANY = 4;
const LEASE_MS = 60_000;
const CHECK_MS = 500;

/**
 * The analysis of stored postings, in batches of one company each, the repeated one of those that were analyzed before, and
 * explanations for processes that analyze nothing.
 */
export function analysisJobs(deps: AnalysisDeps): DueJobs {
  const { collections, queue, log, metrics, now, leaseMs = LEASE_MS, checkMs = CHECK_MS } = deps;
  const batches = new AnalysisBatches(deps);
  const analysis = new PostingAnalysis(deps, batches);
  const batch = dueKind<AnalysisBatch>({
    name: BATCH_KIND,
    records: collections.batches,
    leaseMs,
    failure: "postings could not be analyzed",
    ownerOf: ({ companyId }) => companyId,
    isUrgent: ({ preview }) => preview,
    prepare: () => batches.form(),
    work: (claim) => analysis.analyze(claim),
  });
  const explanation = explanationKind({ requests: collections.explanations, texts: deps.texts, now });
  const places = { places: PLACES, placesPerOwner: PLACES_PER_COMPANY };
  return new DueJobs({
    name: "insight.analyse",
    queue,
    kinds: [batch, reanalysisKind(deps), explanation],
    ...places,
    checkMs,
    log,
    metrics,
    now,
  });
}

/** Reports at every scrape what waits to be analyzed. One kind of process does so. */
export function measureBacklog(deps: BatchOptions & { metrics: Measurements }): void {
  const { metrics, now } = deps;
  const batches = new AnalysisBatches(deps);
  metrics.gauge("hourglass_postings_waiting", "Postings whose analysis is to be done, at most 100,000", () =>
    batches.waiting(),
  );
  metrics.gauge(
    "hourglass_postings_oldest_waiting_seconds",
    "Time for which an analysis of a posting is due",
    async () => {
      const since = await batches.oldestDueAt();
      return since === undefined ? 0 : Math.max(0, now() - since) / 1000;
    },
  );
}

/** After so many attempts of a batch, each of its postings gets its own batch, so that one cannot spoil the others. */
const TOGETHER_ATTEMPTS_MAX = 3;
/** Attempts at a posting alone, until it is given up. */
const ALONE_ATTEMPTS_MAX = 5;

/** The analysis of postings in one process. */
class PostingAnalysis {
  private readonly onTimed: ContentAnalysts["onTimed"];
  /**
   * Stores results of one batch after another, companies round-robin: side by side they would only repeat each other's
   * transactions.
   */
  private readonly ends = new FairLimit({ places: 1 });

  constructor(
    private readonly deps: AnalysisDeps,
    private readonly batches: AnalysisBatches,
  ) {
    this.onTimed = measureAnalyses(deps.metrics);
  }

  /**
   * Does a batch: postings with words only together, those with media each by itself. Rejects once all have ended if one of
   * them failed on our side, or if the process stops.
   */
  async analyze(claim: DueClaim<AnalysisBatch>): Promise<void> {
    const { record: batch, signal } = claim;
    // Every text and file in work listens to it.
    setMaxListeners(0, signal);
    const { attempts = 1 } = batch;
    const works = await this.batches.worksOf(batch);
    if (attempts > TOGETHER_ATTEMPTS_MAX && works.length > 1) {
      await this.batches.split(batch, works);
      return claim.delete();
    }
    if (attempts > ALONE_ATTEMPTS_MAX) return this.giveUp(claim, works);
    const subjects = await this.readSubjects(batch, works);
    const [alone, together] = split(subjects, hasMedia);
    if (alone.length === 0 && together.length > 0) {
      return this.analyzeTogether(batch, together, { signal, endsBatch: true });
    }
    const ends = await Promise.allSettled([
      this.analyzeTogether(batch, together, { signal }),
      ...alone.map((subject) => this.analyzeTogether(batch, [subject], { signal })),
    ]);
    const failed = ends.find((end) => end.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    await claim.delete();
  }

  /** Ends the analyses of a batch without results. */
  private async giveUp(claim: DueClaim<AnalysisBatch>, works: readonly PostingWork[]): Promise<void> {
    const subjects = await this.readSubjects(claim.record, works);
    if (subjects.length === 0) return claim.delete();
    await this.end(claim.record, subjects.map(givenUp), { isLast: true, endsBatch: true });
  }

  /** The postings of the work; work without a posting is ended. */
  private async readSubjects(batch: AnalysisBatch, works: readonly PostingWork[]): Promise<Subject[]> {
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
      await store.commit([deleteStep(work, { id: { in: gone }, holder: batch.id })]);
    }
    return subjects;
  }

  private async analyzeTogether(
    batch: AnalysisBatch,
    subjects: readonly Subject[],
    { signal, ...options }: EndOptions & { signal: AbortSignal },
  ): Promise<void> {
    if (subjects.length === 0) return;
    const analysts = this.analysts();
    const attempts: Attempt[] = subjects.map((subject) => ({ ...subject, results: noResults() }));
    const words = await Promise.all(
      attempts.map(async (attempt) => {
        const { posting, insight, results } = attempt;
        const own = insight.query.dimensions.includes("textual") ? (posting.content.text ?? "") : "";
        const spoken = hasMedia(attempt) ? await analyzeMedia(analysts, attempt, { into: results, signal }) : "";
        const text = [own, spoken].filter((part) => part !== "").join("\n");
        return { companyId: posting.companyId, text, into: results };
      }),
    );
    await analyzeWords(analysts, words, signal);
    await this.end(batch, attempts, options);
  }

  private analysts(): ContentAnalysts {
    const { texts, files } = this.deps;
    if (texts === undefined || files === undefined) throw new Error("the analysis of postings needs analysts");
    return { texts, files, onTimed: this.onTimed };
  }

  private end({ id, companyId }: AnalysisBatch, attempts: readonly Attempt[], options?: EndOptions): Promise<void> {
    return this.ends.run(companyId, () => endWork(this.deps, id, attempts, options));
  }
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

/** When what failed of a posting is analyzed again, before it is given up. */
const RETRY = { firstMs: 10_000, factor: 7, maxMs: 600_000, attemptsMax: 4 } as const satisfies RetryPolicy;

interface EndOptions {
  /** Whether nothing is tried again. */
  isLast?: boolean;
  /** Whether nothing else of the batch is left, so that it goes in the same commit. */
  endsBatch?: boolean;
}

/**
 * Stores results and ends their work in one commit; what failed is tried again later, unless a file cannot be used, or
 * given up. What is missing is named in `more_info`. Results for an earlier version of a posting are discarded: its new
 * version has its own work. A reanalysis that failed changes nothing.
 */
export async function endWork(
  { store, collections: { postings, work, batches, dirtyBuckets }, metrics, now }: ResultsDeps,
  holder: string,
  attempts: readonly Attempt[],
  { isLast = false, endsBatch = false }: EndOptions = {},
): Promise<void> {
  if (attempts.length === 0) return;
  const [ended, retried] = split(attempts, (attempt) => isLast || retryAfter(attempt) === undefined);
  const changed = ended.filter(({ work: { again }, results }) => again !== true || !hasFailed(results));
  failpoint("insight.before_results");
  await store.commit([
    // Dirty hours come first: every change of an hour's postings writes its record, so a transaction in conflict fails before it
    // has done any other work.
    ...markDirtySteps(
      dirtyBuckets,
      changed.map(({ posting }) => posting),
      now(),
    ),
    updateEachStep(
      postings,
      changed.map((attempt) => ({
        filter: { id: attempt.posting.id, version: attempt.posting.version },
        change: { set: resultsOf(attempt, now()) },
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
    ...(endsBatch ? [deleteStep(batches, { id: holder })] : []),
  ]);
  failpoint("insight.after_results");
  for (const { results } of ended) {
    metrics.countJobEnded({ kind: POSTING_KIND, status: hasFailed(results) ? "given_up" : "done" });
  }
}

/** Pause before the next attempt, in milliseconds; undefined if there is none. */
function retryAfter(attempt: Attempt): number | undefined {
  const mayHelp = Object.keys(attempt.results.errors).length > 0;
  const failures = attempt.work.failures + 1;
  return mayHelp && failures < RETRY.attemptsMax ? pauseAfter(RETRY, failures) : undefined;
}

/** Everything that is missing from the results, with the reason. */
function missingFrom({ errors, unusable }: PostingResults): Record<string, string> {
  return { ...unusable, ...errors };
}

function hasFailed(results: PostingResults): boolean {
  return Object.keys(missingFrom(results)).length > 0;
}

function resultsOf(attempt: Attempt, analyzedAt: number) {
  const { posting, work, results } = attempt;
  const { sentiment, intention, topics, moreInfo, by } = results;
  const missing = work.again === true ? stillMissing(attempt) : missingFrom(results);
  const notes = Object.keys(missing).length > 0 ? { ...moreInfo, errors: missing } : moreInfo;
  const labels = work.again === true ? (posting.analysis?.labels ?? []) : results.labels;
  return {
    sentiment,
    intention,
    language: languageOf(posting),
    listedAt: posting.postedAt,
    analyzedAt,
    analysis: { topics, labels, moreInfo: notes, ...(by !== undefined && { by }) },
  };
}

/** What could not be seen in media, which are not looked at again. */
function stillMissing({ posting: { content, analysis }, insight }: Subject): Record<string, Json> {
  const errors = analysis?.moreInfo.errors;
  const media = insight.query.dimensions.includes("visual") ? (content.media ?? []) : [];
  if (typeof errors !== "object" || errors === null || Array.isArray(errors)) return {};
  return Object.fromEntries(Object.entries(errors).filter(([name]) => media.includes(name)));
}
