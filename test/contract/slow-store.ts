import { setTimeout as realSleep } from "node:timers/promises";
import { AppError, type Collection, type Store } from "@hourglass/runtime";
import { vi } from "vitest";

/**
 * How a store is slow. `answers-late`: it does what it is told at once, and says so late; `acts-late`: it does it late;
 * `times-out`: it does it at once, and its client gives up before it says so.
 */
export type Slowness = "answers-late" | "acts-late" | "times-out";

const LATE_MS = 40_000;
const TIMEOUT_MS = 10_000;
const STEP_MS = 1_000;

/** A store that can be made slow, on a clock that the test moves on. */
export class SlowStore {
  slowness: Slowness | undefined;
  private readonly originals = new WeakMap<object, object>();

  /** Has the clock stand still until `pass`. Files are still read and written in real time. */
  static stopClock(): void {
    vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "Date"],
    });
  }

  /** Lets time pass. `each` is called every second of it. */
  static async pass(ms: number, each: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await vi.advanceTimersByTimeAsync(STEP_MS);
      // The disk of the machine has no part in it.
      await realSleep(2);
      await each();
    }
  }

  collection<T extends { id: string | number }>(target: Collection<T>): Collection<T> {
    return this.around(target);
  }

  store(target: Store): Store {
    return this.around(target);
  }

  private around<T extends object>(target: T): T {
    const wrapped = new Proxy(target, {
      get: (_, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== "function") return value;
        return (...given: unknown[]): unknown => {
          const own = given.map((each) => this.originals.get(each as object) ?? each);
          const call = (): unknown => value.apply(target, own);
          if (key === "stream") return this.streamed(call as () => AsyncIterable<unknown>);
          if (key === "collection") return (call() as Promise<object>).then((opened) => this.around(opened));
          return this.late(call as () => Promise<unknown>);
        };
      },
    });
    this.originals.set(wrapped, target);
    return wrapped;
  }

  private async *streamed(call: () => AsyncIterable<unknown>): AsyncIterable<unknown> {
    await this.late(() => Promise.resolve());
    yield* call();
  }

  private async late<T>(call: () => Promise<T>): Promise<T> {
    switch (this.slowness) {
      case undefined:
        return call();
      case "acts-late":
        await wait(LATE_MS);
        return call();
      case "answers-late": {
        const result = await call();
        await wait(LATE_MS);
        return result;
      }
      case "times-out":
        await call();
        await wait(TIMEOUT_MS);
        throw new AppError("unavailable", "The database did not answer in time.");
    }
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
