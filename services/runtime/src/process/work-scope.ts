import { AsyncLocalStorage } from "node:async_hooks";

/**
 * A value that work, and whatever it awaits, can read. Before Node 24, an AsyncLocalStorage that was used once slows every
 * promise of the process, so it is disabled while no work has a value. Work that outlives the promise of `run` loses it.
 */
export class WorkScope<V> {
  private readonly storage = new AsyncLocalStorage<V>();
  private running = 0;

  /** Runs work with a value, until its promise settles. */
  async run<T>(value: V, work: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await this.storage.run(value, work);
    } finally {
      this.running -= 1;
      if (this.running === 0) this.storage.disable();
    }
  }

  /** The value of the current work; undefined if it has none. */
  get value(): V | undefined {
    return this.storage.getStore();
  }
}
