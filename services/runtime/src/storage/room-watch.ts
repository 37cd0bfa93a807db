import { isDiskFull } from "../blob/disk-full.js";
import { AppError } from "../errors/app-error.js";
import type { Logger } from "../log/logger.js";

/** Large writes may fail and small ones succeed, over and over: it is not told more often than this. */
const SAY_EVERY_MS = 60_000;
/** Codes of the ports for a write that there was no room for. */
const FULL = new Set(["store_full", "storage_full"]);

/**
 * Tells the log when a disk is full, and when it has room again: one line each, however many writes fail meanwhile, since
 * callers are told each time.
 */
export class RoomWatch {
  private full = false;
  private saidAt = -Infinity;

  /** `folder` is on the disk; `holds` says what is written there, such as `records`. */
  constructor(
    private readonly log: Logger,
    private readonly place: { folder: string; holds: string },
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Watches one write; its result and its failure go through as they are. */
  over<T>(write: Promise<T>): Promise<T> {
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
    if (!this.full) return;
    this.full = false;
    this.log.info(this.place, "the disk has room again");
  }

  private failed(error: unknown): void {
    if (this.full || this.now() - this.saidAt < SAY_EVERY_MS) return;
    this.full = true;
    this.saidAt = this.now();
    this.log.warn({ ...this.place, err: error }, "the disk is full: make room, until then new work is refused");
  }
}

function isFull(error: unknown): boolean {
  return isDiskFull(error) || (error instanceof AppError && FULL.has(error.code));
}
