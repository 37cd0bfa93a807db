import { setTimeout, setImmediate } from "node:timers/promises";

/** Requests are expected again within this time after the last one, in milliseconds. */
const REQUESTS_MS = 1_000;
/** A piece of work is followed by at most so much rest, in milliseconds, however long it waited for the disk. */
const REST_MS_MAX = 50;

interface LoopShareOptions {
  /** Milliseconds of a clock that is never set back; tests set it. */
  now?: () => number;
  sleep?: (ms: number) => Promise<unknown>;
}

/**
 * Shares the event loop of a process between requests and work in the background: while requests come, each piece of the
 * work is followed by as long a rest. A request then finds the loop free about every second time, and otherwise waits
 * for one piece, not for all that are due. Without requests the work does not rest.
 */
export class LoopShare {
  private requestAt = -Infinity;
  private restsUntil = -Infinity;
  private readonly now: () => number;
  private readonly sleep: (ms: number) => Promise<unknown>;

  constructor({ now = () => performance.now(), sleep = setTimeout }: LoopShareOptions = {}) {
    this.now = now;
    this.sleep = sleep;
  }

  /** Notes a request whose caller waits for the response. */
  noteRequest(): void {
    this.requestAt = this.now();
  }

  /** Does a piece of work, after the rest due after earlier pieces. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    for (let left = this.restMs; left > 0; left = this.restMs) await this.sleep(left);
    const begin = this.now();
    try {
      return await work();
    } finally {
      const end = this.now();
      this.restsUntil = Math.max(this.restsUntil, end + Math.min(end - begin, REST_MS_MAX));
    }
  }

  private get restMs(): number {
    const now = this.now();
    return now - this.requestAt < REQUESTS_MS ? this.restsUntil - now : 0;
  }
}

/** The share of this process. */
export const loopShare = new LoopShare();

/** Lets those who wait continue one after the other, each in a turn of the event loop of its own. */
export class OneByOne {
  private last: Promise<void> = Promise.resolve();

  /** Resolves in a later turn than for everybody who asked before. */
  next(): Promise<void> {
    return (this.last = this.last.then(() => setImmediate()));
  }
}

/**
 * Divides long work into parts of a few milliseconds, each in a separate turn of the event loop, so that other
 * requests are served in between.
 */
export class LoopPace {
  private endAt = 0;

  /** `nextTurn` resolves in one of the next turns. */
  constructor(
    private readonly nextTurn: () => Promise<void> = setImmediate,
    private readonly partMs = 4,
  ) {}

  /** Waits for the next turn if the current part has taken its time. */
  async step(): Promise<void> {
    if (performance.now() < this.endAt) return;
    await this.nextTurn();
    this.endAt = performance.now() + this.partMs;
  }
}
