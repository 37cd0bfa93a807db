import type { Logger } from "../log/logger.js";

/** Ends a part of the process; told how long it may take, in milliseconds. */
export type Stop = (graceMs: number) => Promise<void> | void;

/**
 * The parts of a running process, in the order they were started. Stopping goes backwards, so that whoever uses a part
 * ends before it. All parts together have one grace period.
 */
export class Lifecycle {
  private readonly parts: { name: string; stop: Stop }[] = [];
  private stopping: Promise<void> | undefined;

  constructor(private readonly log: Logger) {}

  /** Registers a part that has just been started. */
  add(name: string, stop: Stop): void {
    this.parts.push({ name, stop });
  }

  /** Stops all parts, once, however often it is called. A part that fails to stop is logged and does not hold up the others. */
  stop(graceMs: number): Promise<void> {
    this.stopping ??= this.stopAll(Date.now() + graceMs);
    return this.stopping;
  }

  private async stopAll(deadline: number): Promise<void> {
    for (const part of this.parts.reverse()) {
      try {
        await part.stop(Math.max(0, deadline - Date.now()));
      } catch (error) {
        this.log.error({ err: error, part: part.name }, "part did not stop cleanly");
      }
    }
  }
}
