import { AppError } from "../errors/app-error.js";
import type { Logger } from "../log.js";

/** Shortest interval between messages, because large writes may keep failing while small ones succeed. */
const LOG_EVERY_MS = 60_000;
/** Error codes of the ports for a write that failed because the storage is full. */
export const FULL_CODES: ReadonlySet<string> = new Set(["store_full", "storage_full"]);

/**
 * Logs when a disk is full and when it has space again: one line each, not one for each failed write,
 * because every caller gets the failure.
 */
export class DiskSpaceMonitor {
  private full = false;
  private lastFailed = false;
  private loggedAt = -Infinity;

  /** `folder` is on the disk; `holds` names what is written there, for example `records`. */
  constructor(
    private readonly log: Logger,
    private readonly place: { folder: string; holds: string },
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether the last write found no room. */
  get isFull(): boolean {
    return this.lastFailed;
  }

  /** Watches one write; its result or failure passes through unchanged. */
  observe<T>(write: Promise<T>): Promise<T> {
    return write.then(
      (result) => {
        this.succeeded();
        return result;
      },
      (error: unknown) => {
        if (isFull(error)) this.failed(error);
        throw error;
      },
    );
  }

  private succeeded(): void {
    this.lastFailed = false;
    if (!this.full) return;
    this.full = false;
    this.log.info(this.place, "the disk has room again");
  }

  private failed(error: unknown): void {
    this.lastFailed = true;
    if (this.full || this.now() - this.loggedAt < LOG_EVERY_MS) return;
    this.full = true;
    this.loggedAt = this.now();
    this.log.warn({ ...this.place, err: error }, "the disk is full: make room, until then new work is refused");
  }
}

function isFull(error: unknown): boolean {
  return isDiskFull(error) || (error instanceof AppError && FULL_CODES.has(error.code));
}

/** Whether a file could not be written because the disk is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}
