export interface FairLimitOptions {
  /** Pieces of work at a time. */
  places: number;
  /** Places that one owner may hold, at most. Default: all. */
  placesPerOwner?: number;
}

/** Whose work it is, such as the number of a company. */
export type Owner = string | number;

/** Gives a place back. Further calls do nothing. */
export type Release = () => void;

interface Waiting {
  start: () => void;
}

/**
 * Bounds how much work is done at a time, and shares the places between owners: the next one goes to the owner who holds the
 * fewest, of several to the one who was served longest ago. Work of one owner begins in the order in which it came.
 */
export class FairLimit {
  private readonly held = new Map<Owner, number>();
  /** In the order in which owners were last served. */
  private readonly waiting = new Map<Owner, Set<Waiting>>();
  private readonly places: number;
  private readonly placesPerOwner: number;
  private total = 0;

  constructor({ places, placesPerOwner = places }: FairLimitOptions) {
    this.places = places;
    this.placesPerOwner = Math.min(placesPerOwner, places);
  }

  /** Does the work once there is a place for it. Rejects with the signal's reason when that aborts before it begins. */
  async run<T>(owner: Owner, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(owner, signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Resolves when there is a place. Rejects with the signal's reason when that aborts before. */
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
      // Served just now, so its turn comes last.
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
