import { AppError, type Collection } from "@hourglass/runtime";
import { type OperationRecord, UNFINISHED } from "./operation.js";

/** A count is used for so long, in milliseconds: counting a long backlog for every request would slow down the overload. */
const COUNT_TTL_MS = 200;
/** What a refused caller is told to wait, in milliseconds. */
const RETRY_AFTER_MS = 2000;

/** Bounds the unfinished operations of one company. Racing requests and processes may overshoot a little. */
export class Quota {
  private readonly counts = new Map<number, { unfinished: number; countedAt: number }>();

  /** `unfinishedMax` 0: no bound. */
  constructor(
    private readonly operations: Collection<OperationRecord>,
    private readonly unfinishedMax: number,
    private readonly now: () => number,
  ) {}

  /** Takes a place for one more operation. Throws AppError `too-many` when there is none. */
  async take(companyId: number): Promise<void> {
    if (this.unfinishedMax === 0) return;
    const count = await this.current(companyId);
    if (count.unfinished >= this.unfinishedMax) {
      throw new AppError("too-many", "Too many operations of your company wait to be analysed. Try again later.", {
        code: "too_many_unfinished_operations",
        retryAfterMs: RETRY_AFTER_MS,
      });
    }
    count.unfinished += 1;
  }

  private async current(companyId: number): Promise<{ unfinished: number; countedAt: number }> {
    const known = this.counts.get(companyId);
    if (known !== undefined && Math.abs(this.now() - known.countedAt) < COUNT_TTL_MS) return known;
    const unfinished = await this.operations.count({ companyId, status: { in: UNFINISHED } });
    const count = { unfinished, countedAt: this.now() };
    this.counts.set(companyId, count);
    return count;
  }
}
