import type { Logger } from "../log/logger.js";

/** Stops a part of the process within `graceMs` milliseconds. */
export type Stop = (graceMs: number) => Promise<void> | void;

interface Part {
  name: string;
  stop: Stop;
}

/**
 * The parts of a running process, in start order. They stop in reverse order, so that the users of a part stop before
 * it; entrances, through which work arrives from outside, stop before all others. All parts share one grace period.
 */
export class Lifecycle {
  private readonly parts: Part[] = [];
  private readonly entrances: Part[] = [];
  private readonly controller = new AbortController();
  private stopping: Promise<void> | undefined;

  constructor(private readonly log: Logger) {}

  /** Aborted when stopping begins, to end all waits. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Registers a part that has just been started. */
  add(name: string, stop: Stop): void {
    this.parts.push({ name, stop });
  }

  /** Registers a port that may be open before the parts behind it exist. */
  addEntrance(name: string, stop: Stop): void {
    this.entrances.push({ name, stop });
  }

  /** Stops all parts; further calls have no effect. A failure of one part is logged and does not affect the others. */
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
