import { AppError } from "@hourglass/runtime";
import { OverQuota, ServerBusy } from "../errors.js";

export interface BudgetOptions {
  /** Bytes that may be held for all clients together. */
  bytesMax: number;
  /** Bytes that may be held for one user. */
  userBytesMax: number;
}

/** Something that bytes are held for, until it is over. */
export interface Holder {
  /** Undefined: nobody has signed in. */
  readonly userId: number | undefined;
  /** Whether it has ended, and with it all need. */
  readonly isOver: boolean;
  /** Kept by the budget. */
  heldBytes: number;
}

/**
 * Bounds the memory that bodies and answers on their way take. A slow client makes the server hold what it sends or
 * reads for half a minute; a few hundred of them with large records would otherwise end the process.
 */
export class Budget {
  private total = 0;
  private readonly byUser = new Map<number | undefined, number>();

  constructor(private readonly options: BudgetOptions) {}

  /** Bytes that are held for everybody. */
  get heldBytes(): number {
    return this.total;
  }

  /**
   * Takes bytes for a holder. Fails with AppError `too-many` or `unavailable`; a holder alone gets what it needs, and one
   * that is over nothing (`cancelled`), as it would never give it back.
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

  /** Fails as `take` would, and takes nothing. */
  check(holder: Holder, bytes: number): void {
    this.take(holder, bytes);
    this.give(holder, bytes);
  }

  /** Gives back all that a holder has. */
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
