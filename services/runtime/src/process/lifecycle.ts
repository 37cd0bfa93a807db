import type { Logger } from "../log/logger.js";

/** Ends a part of the process; told how long it may take, in milliseconds. */
export type Stop = (graceMs: number) => Promise<void> | void;

interface Part {
  name: string;
  stop: Stop;
}

/**
 * The parts of a running process, in the order they were started. Stopping goes backwards, so that whoever uses a part
 * ends before it; entrances, by which work comes in from outside, end before all others. All parts together have one
 * grace period.
 */
export class Lifecycle {
  private readonly parts: Part[] = [];
  private readonly entrances: Part[] = [];
  private readonly controller = new AbortController();
  private stopping: Promise<void> | undefined;

  constructor(private readonly log: Logger) {}

  /** Aborted when stopping begins: what waits for something should wait no longer. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Registers a part that has just been started. */
  add(name: string, stop: Stop): void {
    this.parts.push({ name, stop });
  }

  /** Registers a port that may be open before the parts behind it are there. */
  addEntrance(name: string, stop: Stop): void {
    this.entrances.push({ name, stop });
  }

  /** Stops all parts, once, however often it is called. A part that fails to stop is logged and does not hold up the others. */
  stop(graceMs: number): Promise<void> {
    this.stopping ??= this.stopAll(Date.now() + graceMs);
    return this.stopping;
  }

  private async stopAll(deadline: number): Promise<void> {
    this.controller.abort(new Error("the process is stopping"));
    for (const part of [...this.entrances.reverse(), ...this.parts.reverse()]) {
      try {
        await part.stop(Math.max(0, deadline - Date.now()));
      } catch (error) {
        this.log.error({ err: error, part: part.name }, "part did not stop cleanly");
      }
    }
  }
}
