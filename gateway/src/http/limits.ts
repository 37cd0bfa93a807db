import { AppError, callerIdOf, type Principal } from "@hourglass/runtime";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { OverQuota, ServerBusy, type Quota } from "./errors.js";
import type { HeaderList } from "./headers.js";

interface BudgetOptions {
  /** Bytes that may be held for all clients together. */
  bytesMax: number;
  /** Bytes that may be held for one user. */
  userBytesMax: number;
}

/** Names a user, or an API key, which counts apart from the user who made it. */
export type CallerId = ReturnType<typeof callerIdOf>;

/** An object for which bytes are held until it ends. */
export interface Holder {
  /** The user or API key; undefined: not authenticated. */
  readonly callerId: CallerId | undefined;
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
  private readonly byUser = new Map<CallerId | undefined, number>();

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
    const ofUser = this.byUser.get(holder.callerId) ?? 0;
    if (ofUser > holder.heldBytes && ofUser + bytes > this.options.userBytesMax)
      throw userFull(this.options.userBytesMax);
    if (this.total > holder.heldBytes && this.total + bytes > this.options.bytesMax) throw full();
    this.total += bytes;
    this.byUser.set(holder.callerId, ofUser + bytes);
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
    const left = (this.byUser.get(holder.callerId) ?? 0) - bytes;
    if (left > 0) this.byUser.set(holder.callerId, left);
    else this.byUser.delete(holder.callerId);
    this.total -= bytes;
    holder.heldBytes -= bytes;
  }
}

const RETRY_AFTER_MS = 2000;

function userFull(limit: number): AppError {
  const message = "Too many of your large requests are in progress. Wait until some of them have ended.";
  const options = { code: "too_much_in_progress" as const, retryAfterMs: RETRY_AFTER_MS };
  return new OverQuota({ name: "bytes-in-progress", limit }, message, options);
}

function full(): AppError {
  const message = "The server is busy with large requests. Try again later.";
  return new ServerBusy(message, { code: "busy", retryAfterMs: RETRY_AFTER_MS });
}

const WINDOW_SECONDS = 60;

/** Receives the headers that tell how much of a limit is left. */
interface RateReport {
  /** RateLimit headers of the response. */
  rateHeaders: HeaderList;
}

/** Counts a request of its user. Fails with AppError `too-many`; in both cases the response tells how much is left. */
export type CountRequest = (context: RateReport, principal: Principal) => Promise<void>;

/** Limits the requests of each user, and of each API key, per minute; 0: no limit. */
export function createUserLimit(perMinute: number): CountRequest | undefined {
  if (perMinute === 0) return undefined;
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  const policy = `"user";q=${perMinute};w=${WINDOW_SECONDS}`;
  const quota: Quota = { name: "user", limit: perMinute, windowSeconds: WINDOW_SECONDS };
  return async (context, principal) => {
    try {
      const { remainingPoints, msBeforeNext } = await limiter.consume(callerIdOf(principal));
      const reset = Math.ceil(msBeforeNext / 1000);
      context.rateHeaders = ["RateLimit", `"user";r=${remainingPoints};t=${reset}`, "RateLimit-Policy", policy];
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new OverQuota(quota, `You have sent more than ${perMinute} requests in a minute. Try again later.`, {
        retryAfterMs: refusal.msBeforeNext,
      });
    }
  };
}

/** A transfer of bytes from or to one client. */
export interface Transfer {
  /** Whether the client can proceed now; otherwise it waits for the server. */
  readonly clientsTurn: boolean;
  /** Bytes moved so far. */
  moved(): number;
  /** Ends the transfer together with its connection. */
  cut(): void;
}

interface SlowTransfersOptions {
  /** How long a client may be too slow. */
  windowMs: number;
  /** Average rate that it must reach in that time. */
  bytesPerSecondMin: number;
}

interface Window {
  startedAt: number;
  movedBefore: number;
}

/**
 * Cuts clients that send or read too slowly. Node's own timeouts do not cover slow readers, and a total limit would cut
 * large transfers of honest clients. The pace is therefore checked window by window: the kernel buffers megabytes for a
 * client that reads nothing, which would keep an average over the whole time high for long. One timer serves all
 * transfers, since a timer for each would add noticeable cost to a short request.
 */
export class SlowTransfers {
  private readonly windows = new Map<Transfer, Window | undefined>();
  private readonly bytesMin: number;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: SlowTransfersOptions) {
    this.bytesMin = (options.windowMs / 1000) * options.bytesPerSecondMin;
    this.timer = setInterval(() => this.sweep(Date.now()), Math.min(1000, options.windowMs / 4));
    this.timer.unref();
  }

  /** Number of watched transfers. */
  get size(): number {
    return this.windows.size;
  }

  add(transfer: Transfer): void {
    this.windows.set(transfer, undefined);
  }

  delete(transfer: Transfer): void {
    this.windows.delete(transfer);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sweep(now: number): void {
    for (const [transfer, window] of this.windows) {
      const moved = transfer.moved();
      if (window === undefined || !transfer.clientsTurn || this.hasKeptPace(window, moved, now)) {
        this.windows.set(transfer, { startedAt: now, movedBefore: moved });
      } else if (now - window.startedAt >= this.options.windowMs) {
        this.windows.delete(transfer);
        transfer.cut();
      }
    }
  }

  /** Whether a window has ended with sufficient pace. */
  private hasKeptPace({ startedAt, movedBefore }: Window, moved: number, now: number): boolean {
    return now - startedAt >= this.options.windowMs && moved - movedBefore >= this.bytesMin;
  }
}
