import { AppError } from "@hourglass/runtime";
import { OverQuota, ServerBusy } from "../errors.js";

export interface BudgetOptions {
  /** Bytes that may be held for all clients together. */
  bytesMax: number;
  /** Bytes that may be held for one user. */
  userBytesMax: number;
}

/** An object for which bytes are held until it ends. */
export interface Holder {
  /** Undefined: not authenticated. */
  readonly userId: number | undefined;
  /** Whether it has ended and needs no more bytes. */
  readonly isOver: boolean;
  /** Maintained by the budget. */
  heldBytes: number;
}

/**
 * Bounds the memory for bodies and responses in transfer. A slow client makes the server hold what it sends or reads
 * for half a minute; without a bound, a few hundred of them with large records would exhaust the memory of the process.
 */
export class Budget {
  private total = 0;
  private readonly byUser = new Map<number | undefined, number>();

  constructor(private readonly options: BudgetOptions) {}

  /** Bytes held for all clients. */
  get heldBytes(): number {
    return this.total;
  }

  /**
   * Takes bytes for a holder. Fails with AppError `too-many` or `unavailable`. The only holder always gets its bytes;
   * one that has ended gets none (`cancelled`), since it would never release them.
   */
  take(holder: Holder, bytes: number): void {
    if (holder.isOver) throw new AppError("cancelled", "The client has left.");
    const ofUser = this.byUser.get(holder.userId) ?? 0;
    if (ofUser > holder.heldBytes && ofUser + bytes > this.options.userBytesMax)
      throw userFull(this.options.userBytesMax);
    if (this.total > holder.heldBytes && this.total + bytes > this.options.bytesMax) throw full();
    this.total += bytes;
    this.byUser.set(holder.userId, ofUser + bytes);
    holder.heldBytes += bytes;
  }

  /** Fails like `take`, but takes nothing. */
  check(holder: Holder, bytes: number): void {
    this.take(holder, bytes);
    this.give(holder, bytes);
  }

  /** Releases all bytes of a holder. */
  release(holder: Holder): void {
    if (holder.heldBytes > 0) this.give(holder, holder.heldBytes);
  }

  private give(holder: Holder, bytes: number): void {
    const left = (this.byUser.get(holder.userId) ?? 0) - bytes;
    if (left > 0) this.byUser.set(holder.userId, left);
    else this.byUser.delete(holder.userId);
    this.total -= bytes;
    holder.heldBytes -= bytes;
  }
}

const RETRY_AFTER_MS = 2000;

function userFull(limit: number): AppError {
  const message = "Too many of your large requests are in progress. Wait until some of them have ended.";
  const options = { code: "too_much_in_progress", retryAfterMs: RETRY_AFTER_MS };
  return new OverQuota({ name: "bytes-in-progress", limit }, message, options);
}

function full(): AppError {
  const message = "The server is busy with large requests. Try again later.";
  return new ServerBusy(message, { code: "busy", retryAfterMs: RETRY_AFTER_MS });
}
