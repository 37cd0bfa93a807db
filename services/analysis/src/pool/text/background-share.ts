import { type BatchSize, SIZE_MAX } from "./pool-batches.js";

/** Without foreground texts, batches are as large as allowed: small batches take more time per text. */
const WHILE_ALONE = SIZE_MAX;
/**
 * About 30 ms of work: a batch on the last free thread delays foreground texts that arrive meanwhile. The shortest texts
 * first, since a single long one may take a second; other threads take those.
 */
const ON_LAST_THREAD: BatchSize = { texts: 8, characters: 2_000, shortest: true };
/** About 15 ms, while foreground texts arrive: their threads share cores with this one. */
const BESIDE_OTHERS: BatchSize = { texts: 4, characters: 1_000 };
/** About 8 ms, if all foreground texts that arrive have to wait for this thread. */
const IN_THE_WAY: BatchSize = { texts: 2, characters: 500, shortest: true };

/** Foreground texts are expected again within this time after the last ones, in milliseconds. */
const OTHERS_MS = 10_000;

/**
 * Decides how much of the threads the background gets. Waiting for a thread is noticeable only in requests of few texts:
 * for ten seconds after one in the foreground, the background leaves a thread free for the next.
 */
export class BackgroundShare {
  private othersAt = -Infinity;

  constructor(
    private readonly threads: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Notes texts in the foreground. */
  noteOthers(texts: number): void {
    if (texts <= SIZE_MAX.texts) this.othersAt = this.now();
  }

  /** While this many batches are running, none begins in the background. */
  get threadsMax(): number {
    return this.othersCome ? Math.max(1, this.threads - 1) : this.threads;
  }

  /** Size of a batch that begins while `busy` others are running. */
  sizeBeside(busy: number): BatchSize {
    const isLastThread = busy >= this.threads - 1;
    if (this.othersCome) return isLastThread ? IN_THE_WAY : BESIDE_OTHERS;
    return isLastThread ? ON_LAST_THREAD : WHILE_ALONE;
  }

  private get othersCome(): boolean {
    return this.now() - this.othersAt < OTHERS_MS;
  }
}
