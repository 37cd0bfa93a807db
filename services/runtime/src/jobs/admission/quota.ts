import { AppError } from "../../errors/app-error.js";
import type { Filter } from "../../store/store.js";
import type { JobContext } from "../record/job-context.js";
import { type JobRecord, UNFINISHED } from "../record/job-record.js";

/** A count is used for so long, in milliseconds: counting a long backlog for every request would slow down the overload. */
const COUNT_TTL_MS = 200;
/** What a refused caller is told to wait, in milliseconds. */
const RETRY_AFTER_MS = 2000;

/** Stands for all companies together. */
const ALL = 0;

export interface QuotaLimits {
  /** Unfinished jobs of one company; 0: no bound. */
  unfinishedMax: number;
  /** Unfinished jobs of all companies; 0: no bound. */
  backlogMax: number;
}

export interface QuotaDeps<R extends JobRecord> extends Pick<JobContext<R>, "kind" | "jobs" | "now" | "metrics"> {
  limits: QuotaLimits;
}

/** Bounds the unfinished jobs of one company, and of all. Racing requests and processes may overshoot a little. */
export class Quota<R extends JobRecord> {
  private readonly counts = new Map<number, { count: Promise<{ unfinished: number }>; countedAt: number }>();

  constructor(private readonly deps: QuotaDeps<R>) {}

  /**
   * Takes a place for one more job. Throws AppError `too-many` when the company has no place left, and `unavailable` when
   * nobody has: then work comes in faster than it is done.
   */
  async take(companyId: number): Promise<void> {
    const { unfinishedMax, backlogMax } = this.deps.limits;
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

  /** Requests that come in together share one count. */
  private async current(
    whose: number,
    max: number,
    filter: Filter<JobRecord>,
  ): Promise<{ unfinished: number } | undefined> {
    if (max === 0) return undefined;
    const { jobs, now } = this.deps;
    const known = this.counts.get(whose);
    if (known !== undefined && Math.abs(now() - known.countedAt) < COUNT_TTL_MS) return known.count;
    const count = jobs.count(filter).then((unfinished) => ({ unfinished }));
    this.counts.set(whose, { count, countedAt: now() });
    count.catch(() => this.counts.delete(whose));
    return count;
  }
}
