import { RoundRobin } from "./round-robin.js";

/**
 * Spreads work over turns of the event loop: only so much of it is done in each, by the keys in turn, and whatever has
 * arrived meanwhile is served in between. Without this the answers to one client that asks for much at once are made in
 * one go, and nobody else is heard until then.
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
