import type { Logger } from "../../log.js";
import { repeat, type Repetition } from "../../process/repetition.js";
import { DueLine, type DueOrder, LONGEST_WAITING_FIRST } from "./due-line.js";
import { claimDue, type ClaimDeps, type DueClaim, type DueRecord, streamDue } from "./due-records.js";

export interface ScheduleDeps<R extends DueRecord> extends ClaimDeps<R> {
  /** Interval between checks for due records, in milliseconds. */
  everyMs: number;
  /** Records processed concurrently. */
  concurrency: number;
  /** Default: longest waiting first. */
  order?: DueOrder<R>;
  /** The order applies to this many records that have waited longest; they are read at once. Default 100. */
  lookAhead?: number;
  log: Logger;
  /** Log message for a failure, for example `old files could not be removed`. */
  failure: string;
}

/**
 * Does the work of a due record: ends the claim with `reschedule`, or removes or changes the record under its `fence`.
 * A record that is left unchanged, or whose work fails, is due again when the claim expires.
 */
export type DueWork<R extends DueRecord> = (claim: DueClaim<R>) => Promise<void>;

const LOOK_AHEAD = 100;

/**
 * Does the work of records when they are due. Any number of processes may run a schedule: each record is claimed by one
 * of them at a time. Work that is overdue several times is done once. Slow work delays only what has no free lane.
 */
export function startSchedule<R extends DueRecord>(deps: ScheduleDeps<R>, work: DueWork<R>): Repetition {
  const lanes = new Lanes(deps, work);
  const loop = repeat(async () => {
    await lanes.check();
    return deps.everyMs;
  });
  lanes.onFree = () => loop.wake();
  return {
    wake: () => loop.wake(),
    stop: async (graceMs) => {
      lanes.close();
      await loop.stop(graceMs);
      await lanes.ended();
    },
  };
}

/** The records in work, and those that wait for a free lane. */
class Lanes<R extends DueRecord> {
  /** Called when a lane is free and the records must be read again. */
  onFree = (): void => undefined;
  private readonly line: DueLine<R>;
  private readonly running = new Map<R["id"], Promise<void>>();
  /** Whether more records are due than the line was given. */
  private hasMore = false;
  /** Whether a check was left out because no lane was free, so that the line may lack urgent records. */
  private isStale = false;
  private closed = false;

  constructor(
    private readonly deps: ScheduleDeps<R>,
    private readonly work: DueWork<R>,
  ) {
    this.line = new DueLine<R>(deps.order ?? LONGEST_WAITING_FIRST);
  }

  /** Reads what is due and fills the free lanes. If none is free, the next free lane causes a check. */
  async check(): Promise<void> {
    this.isStale = this.running.size >= this.deps.concurrency;
    if (this.closed || this.isStale) return;
    try {
      await this.fillLine();
    } catch (error) {
      this.warn(error);
    }
    this.fillLanes();
  }

  close(): void {
    this.closed = true;
    this.line.clear();
  }

  async ended(): Promise<void> {
    await Promise.all(this.running.values());
  }

  private async fillLine(): Promise<void> {
    const limit = this.deps.lookAhead ?? LOOK_AHEAD;
    const due = new Map<R["id"], R>();
    let read = 0;
    this.hasMore = false;
    for await (const record of streamDue(this.deps, limit)) {
      read += 1;
      due.set(record.id, record);
    }
    if (this.closed) return;
    this.line.fill(due.values());
    this.hasMore = read === limit;
  }

  private fillLanes(): void {
    while (!this.closed && this.running.size < this.deps.concurrency) {
      const record = this.line.next();
      if (record === undefined) return;
      // It was read before its claim was stored.
      if (this.running.has(record.id)) continue;
      this.running.set(record.id, this.process(record));
    }
  }

  private async process(record: R): Promise<void> {
    try {
      const claim = await this.claim(record);
      if (claim !== undefined) await this.work(claim);
    } catch (error) {
      this.warn(error);
    }
    this.running.delete(record.id);
    if (this.isStale || (this.hasMore && this.line.isEmpty)) this.onFree();
    else this.fillLanes();
  }

  private async claim(record: R): Promise<DueClaim<R> | undefined> {
    try {
      return await claimDue(this.deps, record);
    } catch (error) {
      // The store is unavailable: the next check reads the records again.
      this.line.clear();
      this.hasMore = false;
      throw error;
    }
  }

  private warn(error: unknown): void {
    this.deps.log.warn({ err: error }, `${this.deps.failure}, trying again`);
  }
}
