interface FairLimitOptions {
  /** Number of concurrent tasks. */
  places: number;
  /** Maximum number of places of one owner. Default: all. */
  placesPerOwner?: number;
  /** Work in the background begins only while fewer places are held by any work. Default: all. */
  backgroundPlaces?: number | (() => number);
  /**
   * Work in the background that has waited since the last such work began, and at least so many milliseconds, is next,
   * regardless of what else waits. Default: it waits for all other work.
   */
  backgroundEveryMs?: number;
  /** Milliseconds of a clock that is never set back; tests set it. */
  now?: () => number;
}

/** The owner of work, for example the id of a company. */
export type Owner = string | number;

/** Releases a place. Further calls do nothing. */
export type Release = () => void;

/** Work in the background gets a place only when no other work waits for one, or after a long wait. */
type Rank = "foreground" | "background";

export interface Admittance {
  signal?: AbortSignal | undefined;
  /** Default `foreground`. */
  rank?: Rank;
}

/**
 * Limits concurrent work and shares the places between owners: the next place goes to the owner that holds the fewest,
 * and among equals to the one served longest ago. Work of one owner begins in order of arrival.
 */
export class FairLimit {
  private readonly places: number;
  private readonly placesOf: Record<Rank, () => number>;
  private readonly queues: Record<Rank, RankQueue>;
  private readonly backgroundEveryMs: number;
  private readonly now: () => number;
  /** When the wait in the background began, or work of it last did. */
  private backgroundSince = 0;

  constructor(options: FairLimitOptions) {
    const { places, placesPerOwner = places, backgroundPlaces = places, backgroundEveryMs = Infinity } = options;
    this.places = places;
    const background = typeof backgroundPlaces === "number" ? () => backgroundPlaces : backgroundPlaces;
    this.placesOf = { foreground: () => places, background: () => Math.min(background(), places) };
    const perOwner = Math.min(placesPerOwner, places);
    this.queues = { foreground: new RankQueue(perOwner), background: new RankQueue(perOwner) };
    this.backgroundEveryMs = backgroundEveryMs;
    this.now = options.now ?? (() => performance.now());
  }

  /** Runs the work once a place is free. Rejects with the signal's reason if it aborts before the work begins. */
  async run<T>(owner: Owner, work: () => Promise<T>, admittance?: AbortSignal | Admittance): Promise<T> {
    const release = await this.acquire(owner, admittance);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Resolves when a place is free. Rejects with the signal's reason if it aborts first. */
  async acquire(owner: Owner, admittance: AbortSignal | Admittance = {}): Promise<Release> {
    const { signal, rank = "foreground" } = admittance instanceof AbortSignal ? { signal: admittance } : admittance;
    signal?.throwIfAborted();
    const queue = this.queues[rank];
    if (rank === "background" && queue.next() === undefined) this.backgroundSince = this.now();
    if (this.hasPlaceFor(rank) && queue.hasPlaceFor(owner)) queue.take(owner);
    else await queue.wait(owner, signal);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      queue.giveBack(owner);
      while (this.startOverdue() || this.startNext("foreground") || this.startNext("background"));
    };
  }

  private get taken(): number {
    return this.queues.foreground.total + this.queues.background.total;
  }

  private hasPlaceFor(rank: Rank): boolean {
    if (this.taken >= this.placesOf[rank]()) return false;
    return rank === "foreground" || this.queues.foreground.next() === undefined;
  }

  private startNext(rank: Rank): boolean {
    const started = this.hasPlaceFor(rank) && this.queues[rank].startNext();
    if (started && rank === "background") this.backgroundSince = this.now();
    return started;
  }

  /** Starts one piece of work in the background that was passed for too long. */
  private startOverdue(): boolean {
    const isOverdue = this.now() - this.backgroundSince >= this.backgroundEveryMs;
    if (!isOverdue || this.taken >= this.places || !this.queues.background.startNext()) return false;
    this.backgroundSince = this.now();
    return true;
  }
}

interface Waiting {
  start: () => void;
}

/** The work of one rank: what holds a place, and what waits for one. */
class RankQueue {
  /** Number of places held. */
  total = 0;
  private readonly taken = new Map<Owner, number>();
  /** Ordered by the time at which owners were last served. */
  private readonly waiting = new Map<Owner, Set<Waiting>>();

  constructor(private readonly placesPerOwner: number) {}

  hasPlaceFor(owner: Owner): boolean {
    return this.takenBy(owner) < this.placesPerOwner;
  }

  take(owner: Owner): void {
    this.total += 1;
    this.taken.set(owner, this.takenBy(owner) + 1);
  }

  giveBack(owner: Owner): void {
    this.total -= 1;
    const left = this.takenBy(owner) - 1;
    if (left > 0) this.taken.set(owner, left);
    else this.taken.delete(owner);
  }

  wait(owner: Owner, signal: AbortSignal | undefined): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const entry: Waiting = {
        start: () => {
          signal?.removeEventListener("abort", abort);
          resolve();
        },
      };
      const abort = (): void => {
        this.remove(owner, entry);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener("abort", abort, { once: true });
      const queue = this.waiting.get(owner) ?? new Set();
      this.waiting.set(owner, queue.add(entry));
    });
  }

  /** Starts the next piece of work; returns false if none waits, or only work of owners that have all their places. */
  startNext(): boolean {
    const owner = this.next();
    const [entry] = (owner !== undefined && this.waiting.get(owner)) || [];
    if (owner === undefined || entry === undefined) return false;
    this.take(owner);
    this.remove(owner, entry);
    const rest = this.waiting.get(owner);
    if (rest !== undefined) {
      // This owner was served last, so it moves to the end.
      this.waiting.delete(owner);
      this.waiting.set(owner, rest);
    }
    entry.start();
    return true;
  }

  /** The owner whose waiting work is next. */
  next(): Owner | undefined {
    let next: Owner | undefined;
    for (const owner of this.waiting.keys()) {
      if (!this.hasPlaceFor(owner)) continue;
      if (next === undefined || this.takenBy(owner) < this.takenBy(next)) next = owner;
    }
    return next;
  }

  private takenBy(owner: Owner): number {
    return this.taken.get(owner) ?? 0;
  }

  private remove(owner: Owner, entry: Waiting): void {
    const queue = this.waiting.get(owner);
    queue?.delete(entry);
    if (queue?.size === 0) this.waiting.delete(owner);
  }
}
