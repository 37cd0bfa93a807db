import type { Logger } from "../../log/logger.js";
import type { Consumer, Delivery, Outcome } from "../queue.js";
import type { Job, Jobs } from "./jobs.js";

export interface ConsumerOptions {
  queue: string;
  prefetch: number;
  attemptsMax: number;
  /** A consumer that does not renew its claims for this long loses its messages. */
  leaseMs: number;
  /** Looks for messages of other processes this often. */
  pollMs: number;
  /** Pause after the first failed delivery; doubles with each. */
  backoffMs: number;
  handle: (delivery: Delivery) => Promise<Outcome>;
  log: Logger;
}

interface Work {
  abort: AbortController;
  ended: Promise<void>;
}

const BACKOFF_MAX_MS = 60_000;
/** Time for an aborted handler to save its progress. */
const ABORTED_GRACE_MS = 1000;

/** Delivers the messages of one queue until stopped. */
export class EmbeddedConsumer implements Consumer {
  private readonly inWork = new Map<Job, Work>();
  private readonly renewal: NodeJS.Timeout;
  private handling = 0;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private woken = false;
  private stopped = false;

  constructor(
    private readonly jobs: Jobs,
    private readonly options: ConsumerOptions,
  ) {
    this.renewal = setInterval(() => void this.renew(), options.leaseMs / 3);
    this.wake();
  }

  /** Looks for messages immediately. */
  wake(): void {
    this.woken = true;
    if (!this.stopped) this.looking ??= this.look();
  }

  async stop(graceMs: number): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.looking;
    await this.quiet(graceMs);
    for (const { abort } of this.inWork.values()) abort.abort(new Error("the consumer has stopped"));
    await this.quiet(ABORTED_GRACE_MS);
    clearInterval(this.renewal);
    await this.giveBack([...this.inWork.keys()]);
  }

  /** Never rejects: after a failure it looks again later. */
  private async look(): Promise<void> {
    let dueInMs = this.options.pollMs;
    while (this.woken && !this.stopped) {
      this.woken = false;
      try {
        dueInMs = await this.take();
      } catch (error) {
        this.options.log.warn({ err: error, queue: this.options.queue }, "could not look for messages");
      }
    }
    this.looking = undefined;
    if (this.stopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), Math.min(dueInMs, this.options.pollMs));
  }

  /** Claims messages up to the free capacity; returns the milliseconds until there may be more. */
  private async take(): Promise<number> {
    const { queue, prefetch, leaseMs } = this.options;
    const free = prefetch - this.handling;
    if (free <= 0) return Infinity;
    const now = Date.now();
    // Read first, because a claim costs a write even if it finds nothing.
    const due = this.jobs.nextDue(queue) ?? Infinity;
    if (due > now) return due - now;
    const taken = await this.jobs.claim(queue, free, { now, until: now + leaseMs });
    if (this.stopped) await this.giveBack(taken);
    else for (const job of taken) this.begin(job);
    return Infinity;
  }

  private begin(job: Job): void {
    this.handling += 1;
    const abort = new AbortController();
    const ended = this.deliver(job, abort.signal)
      .catch((error: unknown) => {
        // The claim expires and the message is delivered again.
        this.options.log.warn({ err: error, queue: this.options.queue }, "could not end a delivery");
      })
      .finally(() => this.inWork.delete(job));
    this.inWork.set(job, { abort, ended });
  }

  private async deliver(job: Job, signal: AbortSignal): Promise<void> {
    const outcome = await this.outcomeOf(job, signal);
    const ending = this.end(job, outcome, signal.aborted);
    // Freed before the ending is on disk, so that the ending shares its commit with the claim of the next message.
    this.handling -= 1;
    this.wake();
    await ending;
  }

  private async outcomeOf(job: Job, signal: AbortSignal): Promise<Outcome> {
    const { attemptsMax, handle, log, queue } = this.options;
    // The message crashed the process each time, so it is not delivered again.
    if (job.attempts > attemptsMax) return { kind: "dead", reason: `not one of ${attemptsMax} deliveries was ended` };
    try {
      return await handle({ body: job.body, attempt: job.attempts, signal });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (signal.aborted) return { kind: "retry", delayMs: 0, reason };
      log.warn({ err: error, queue, attempt: job.attempts }, "delivery failed");
      return { kind: "retry", delayMs: this.backoff(job.attempts), reason };
    }
  }

  /** An aborted delivery that did not complete does not count as an attempt. */
  private async end(job: Job, outcome: Outcome, aborted: boolean): Promise<void> {
    if (outcome.kind === "done") await this.jobs.remove(job);
    else if (outcome.kind === "dead" || (job.attempts >= this.options.attemptsMax && !aborted)) {
      await this.jobs.bury(job, { reason: outcome.reason, diedAt: Date.now() });
    } else await this.jobs.giveBack(job, { runAt: Date.now() + outcome.delayMs, uncounted: aborted });
  }

  private async giveBack(jobs: readonly Job[]): Promise<void> {
    const now = Date.now();
    const given = jobs.map((job) => this.jobs.giveBack(job, { runAt: now, uncounted: true }));
    for (const result of await Promise.allSettled(given)) {
      if (result.status === "fulfilled") continue;
      this.options.log.warn({ err: result.reason, queue: this.options.queue }, "could not give back a message");
    }
  }

  /** Resolves when no message is in work, or after `limitMs`. */
  private async quiet(limitMs: number): Promise<void> {
    if (this.inWork.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([late, Promise.all([...this.inWork.values()].map(({ ended }) => ended))]);
    clearTimeout(timer);
  }

  private async renew(): Promise<void> {
    if (this.inWork.size === 0) return;
    try {
      const lost = await this.jobs.renew([...this.inWork.keys()], Date.now() + this.options.leaseMs);
      // Another consumer may have it by now.
      for (const job of lost) this.inWork.get(job)?.abort.abort(new Error("the claim on this message ran out"));
    } catch (error) {
      this.options.log.warn({ err: error, queue: this.options.queue }, "could not renew deliveries");
    }
  }

  /** With jitter, so that messages that failed together do not return together. */
  private backoff(attempts: number): number {
    const ms = Math.min(this.options.backoffMs * 2 ** (attempts - 1), BACKOFF_MAX_MS);
    return Math.round(ms * (0.75 + Math.random() / 2));
  }
}
