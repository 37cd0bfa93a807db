/**
 * Spreads work over turns of the event loop: each turn does a limited amount, alternating between keys, and events that
 * have arrived are handled in between. Without this, all responses to a client that requests much at once would be made
 * in one turn and block all other clients.
 */
export class LoopTurns<K> {
  private readonly waiting = new RoundRobin<K, () => void>();
  private scheduled = false;

  constructor(private readonly perTurn: number) {}

  /** Does the work in one of the next turns. */
  take(key: K, work: () => void): void {
    this.waiting.push(key, work);
    this.schedule();
  }

  /** Resolves in one of the next turns. */
  next(key: K): Promise<void> {
    return new Promise((resolve) => this.take(key, resolve));
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      for (let count = 0; count < this.perTurn; count++) this.waiting.shift()?.();
      if (!this.waiting.isEmpty) this.schedule();
    });
  }
}

/** A queue in which the keys take turns, however many items one of them adds. */
export class RoundRobin<K, T> {
  private readonly lanes = new Map<K, T[]>();

  get isEmpty(): boolean {
    return this.lanes.size === 0;
  }

  push(key: K, item: T): void {
    const lane = this.lanes.get(key);
    if (lane === undefined) this.lanes.set(key, [item]);
    else lane.push(item);
  }

  /** Removes the oldest item of the key whose turn it is. */
  shift(): T | undefined {
    for (const [key, lane] of this.lanes) {
      const item = lane.shift();
      this.lanes.delete(key); // moves to the end of the queue, or out of it
      if (lane.length > 0) this.lanes.set(key, lane);
      return item;
    }
    return undefined;
  }
}
