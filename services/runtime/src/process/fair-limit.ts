export interface FairLimitOptions {
  /** Number of concurrent tasks. */
  places: number;
  /** Maximum number of places of one owner. Default: all. */
  placesPerOwner?: number;
}

/** The owner of work, for example the id of a company. */
export type Owner = string | number;

/** Releases a place. Further calls do nothing. */
export type Release = () => void;

interface Waiting {
  start: () => void;
}

/**
 * Limits concurrent work and shares the places between owners: the next place goes to the owner that holds the fewest,
 * and among equals to the one served longest ago. Work of one owner begins in order of arrival.
 */
export class FairLimit {
  private readonly held = new Map<Owner, number>();
  /** Ordered by the time at which owners were last served. */
  private readonly waiting = new Map<Owner, Set<Waiting>>();
  private readonly places: number;
  private readonly placesPerOwner: number;
  private total = 0;

  constructor({ places, placesPerOwner = places }: FairLimitOptions) {
    this.places = places;
    this.placesPerOwner = Math.min(placesPerOwner, places);
  }

  /** Runs the work once a place is free. Rejects with the signal's reason if it aborts before the work begins. */
  async run<T>(owner: Owner, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(owner, signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Resolves when a place is free. Rejects with the signal's reason if it aborts first. */
  async acquire(owner: Owner, signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    if (this.hasPlaceFor(owner)) this.take(owner);
    else await this.wait(owner, signal);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.giveBack(owner);
    };
  }

  private hasPlaceFor(owner: Owner): boolean {
    return this.total < this.places && this.heldBy(owner) < this.placesPerOwner;
  }

  private heldBy(owner: Owner): number {
    return this.held.get(owner) ?? 0;
  }

  private take(owner: Owner): void {
    this.total += 1;
    this.held.set(owner, this.heldBy(owner) + 1);
  }

  private giveBack(owner: Owner): void {
    this.total -= 1;
    const left = this.heldBy(owner) - 1;
    if (left > 0) this.held.set(owner, left);
    else this.held.delete(owner);
    this.startNext();
  }

  private wait(owner: Owner, signal: AbortSignal | undefined): Promise<void> {
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
      const line = this.waiting.get(owner) ?? new Set();
      this.waiting.set(owner, line.add(entry));
    });
  }

  private startNext(): void {
    const owner = this.nextOwner();
    const [entry] = (owner !== undefined && this.waiting.get(owner)) || [];
    if (owner === undefined || entry === undefined) return;
    this.take(owner);
    this.remove(owner, entry);
    const rest = this.waiting.get(owner);
    if (rest !== undefined) {
      // This owner was served last, so it moves to the end.
      this.waiting.delete(owner);
      this.waiting.set(owner, rest);
    }
    entry.start();
  }

  private nextOwner(): Owner | undefined {
    let next: Owner | undefined;
    for (const owner of this.waiting.keys()) {
      if (!this.hasPlaceFor(owner)) continue;
      if (next === undefined || this.heldBy(owner) < this.heldBy(next)) next = owner;
    }
    return next;
  }

  private remove(owner: Owner, entry: Waiting): void {
    const line = this.waiting.get(owner);
    line?.delete(entry);
    if (line?.size === 0) this.waiting.delete(owner);
  }
}
