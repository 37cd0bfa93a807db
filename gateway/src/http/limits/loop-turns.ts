import { RoundRobin } from "./round-robin.js";

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
