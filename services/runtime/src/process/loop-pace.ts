import { setImmediate } from "node:timers/promises";

/**
 * Divides long work into parts of a few milliseconds, each in a turn of the event loop of its own, so that other requests
 * are served in between.
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
