import { AppError } from "../errors/app-error.js";
import type { Collection, Filter } from "../store/store.js";
import type { Measurements } from "../telemetry/measurements.js";
import { type JobRecord, UNFINISHED } from "./job.js";
import type { JobKind } from "./job-kind.js";

/** How long a count is cached, in milliseconds: counting a long backlog for every request would add to the overload. */
const COUNT_TTL_MS = 200;
/** Retry delay for a refused caller, in milliseconds. */
const RETRY_AFTER_MS = 2000;

/** Key for all companies together. */
const ALL = 0;

export interface QuotaLimits {
  /** Unfinished jobs of one company; 0: no limit. */
  unfinishedMax: number;
  /** Unfinished jobs of all companies; 0: no limit. */
  backlogMax: number;
}

export interface QuotaDeps<R extends JobRecord> {
  kind: JobKind<R>;
  records: Collection<JobRecord>;
  metrics: Measurements;
  now: () => number;
}

/** Limits the unfinished jobs per company and in total. Concurrent requests and processes may exceed it slightly. */
export class Quota<R extends JobRecord> {
  private readonly counts = new Map<number, { count: Promise<{ unfinished: number }>; countedAt: number }>();

  constructor(
    private readonly deps: QuotaDeps<R>,
    private readonly limits: QuotaLimits,
  ) {}

  /**
   * Takes a place for one more job. Throws AppError `too-many` if the company has reached its limit, and `unavailable`
   * if the total limit is reached, that is if work arrives faster than it is done.
   */
  async take(companyId: number): Promise<void> {
    const { unfinishedMax, backlogMax } = this.limits;
    const [company, all] = await Promise.all([
      this.current(companyId, unfinishedMax, { companyId, status: { in: UNFINISHED } }),
      this.current(ALL, backlogMax, { status: { in: UNFINISHED } }),
    ]);
    const { tooManyCode: code, sentences } = this.deps.kind;
    if (company !== undefined && company.unfinished >= unfinishedMax) {
      throw this.refusal(new AppError("too-many", sentences.tooMany, { code, retryAfterMs: RETRY_AFTER_MS }));
    }
    if (all !== undefined && all.unfinished >= backlogMax) {
      const message = "The server has more work than it can do at the moment. Try again later.";
      throw this.refusal(new AppError("unavailable", message, { code: "overloaded", retryAfterMs: RETRY_AFTER_MS }));
    }
    for (const count of [company, all]) if (count !== undefined) count.unfinished += 1;
  }

  private refusal(error: AppError): AppError {
    this.deps.metrics.countRequestShed(error.code);
    return error;
  }

  /** Concurrent requests share one count. */
  private async current(
    whose: number,
    max: number,
    filter: Filter<JobRecord>,
  ): Promise<{ unfinished: number } | undefined> {
    if (max === 0) return undefined;
    const { records, now } = this.deps;
    const known = this.counts.get(whose);
    if (known !== undefined && Math.abs(now() - known.countedAt) < COUNT_TTL_MS) return known.count;
    const count = records.count(filter).then((unfinished) => ({ unfinished }));
    this.counts.set(whose, { count, countedAt: now() });
    count.catch(() => this.counts.delete(whose));
    return count;
  }
}
