import { AppError, type Collection, type Filter } from "@hourglass/runtime";
import { type OperationRecord, UNFINISHED } from "../records/operation.js";

/** A count is used for so long, in milliseconds: counting a long backlog for every request would slow down the overload. */
const COUNT_TTL_MS = 200;
/** What a refused caller is told to wait, in milliseconds. */
const RETRY_AFTER_MS = 2000;

/** Stands for all companies together. */
const ALL = 0;

export interface QuotaLimits {
  /** Unfinished operations of one company; 0: no bound. */
  unfinishedMax: number;
  /** Unfinished operations of all companies; 0: no bound. */
  backlogMax: number;
}

/** Bounds the unfinished operations of one company, and of all. Racing requests and processes may overshoot a little. */
export class Quota {
  private readonly counts = new Map<number, { count: Promise<{ unfinished: number }>; countedAt: number }>();

  constructor(
    private readonly operations: Collection<OperationRecord>,
    private readonly limits: QuotaLimits,
    private readonly now: () => number,
  ) {}

  /**
   * Takes a place for one more operation. Throws AppError `too-many` when the company has no more, and `unavailable` when
   * nobody has: then work comes in faster than it is done.
   */
  async take(companyId: number): Promise<void> {
    const { unfinishedMax, backlogMax } = this.limits;
    const [company, all] = await Promise.all([
      this.current(companyId, unfinishedMax, { companyId, status: { in: UNFINISHED } }),
      this.current(ALL, backlogMax, { status: { in: UNFINISHED } }),
    ]);
    if (company !== undefined && company.unfinished >= unfinishedMax) {
      throw new AppError("too-many", "Too many operations of your company wait to be analysed. Try again later.", {
        code: "too_many_unfinished_operations",
        retryAfterMs: RETRY_AFTER_MS,
      });
    }
    if (all !== undefined && all.unfinished >= backlogMax) {
      throw new AppError("unavailable", "The server has more work than it can do at the moment. Try again later.", {
        code: "overloaded",
        retryAfterMs: RETRY_AFTER_MS,
      });
    }
    for (const count of [company, all]) if (count !== undefined) count.unfinished += 1;
  }

  /** Requests that come in together share one count. */
  private async current(
    whose: number,
    max: number,
    filter: Filter<OperationRecord>,
  ): Promise<{ unfinished: number } | undefined> {
    if (max === 0) return undefined;
    const known = this.counts.get(whose);
    if (known !== undefined && Math.abs(this.now() - known.countedAt) < COUNT_TTL_MS) return known.count;
    const count = this.operations.count(filter).then((unfinished) => ({ unfinished }));
    this.counts.set(whose, { count, countedAt: this.now() });
    count.catch(() => this.counts.delete(whose));
    return count;
  }
}
