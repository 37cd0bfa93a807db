import type { Logger } from "../../log/logger.js";
import type { Consumer, Delivery, Outcome } from "../queue.js";
import type { Job, Jobs } from "./jobs.js";

export interface ConsumerOptions {
  queue: string;
  prefetch: number;
  attemptsMax: number;
  /** A consumer silent for so long loses its messages. */
  leaseMs: number;
  /** Looks for messages of other processes this often. */
  pollMs: number;
  /** Pause after the first failed delivery; doubles with each. */
  backoffMs: number;
  handle: (delivery: Delivery) => Promise<Outcome>;
  log: Logger;
}

const BACKOFF_MAX_MS = 60_000;

/** Delivers the messages of one queue until stopped. */
export class EmbeddedConsumer implements Consumer {
  private readonly inWork = new Map<Job, Promise<void>>();
  private readonly abort = new AbortController();
  private readonly renewal: NodeJS.Timeout;
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

  /** Looks for messages now. */
  wake(): void {
    this.woken = true;
    if (this.stopped) return;
    this.looking ??= this.look().finally(() => {
      this.looking = undefined;
      this.scheduleLook();
    });
  }

  async stop(graceMs: number): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.looking;
    const late = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      void Promise.all(this.inWork.values()).then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    await late;
    clearInterval(this.renewal);
    this.abort.abort(new Error("the consumer has stopped"));
    const left = [...this.inWork.keys()];
    await Promise.all(left.map((job) => this.jobs.giveBack(job, { runAt: Date.now(), uncounted: true })));
  }

  private async look(): Promise<void> {
    while (this.woken && !this.stopped) {
      this.woken = false;
      const free = this.options.prefetch - this.inWork.size;
      const now = Date.now();
      // Reading first: a claim that finds nothing would cost a write.
      if (free <= 0 || (this.jobs.nextDue(this.options.queue) ?? Infinity) > now) return;
      const jobs = await this.jobs.claim(this.options.queue, free, { now, until: now + this.options.leaseMs });
      for (const job of jobs) this.begin(job);
      if (jobs.length === free) return;
    }
  }

  private scheduleLook(): void {
    if (this.stopped) return;
    if (this.woken && this.inWork.size < this.options.prefetch) {
      this.wake();
      return;
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.wake();
    }, this.options.pollMs);
  }

  private begin(job: Job): void {
    const work = this.deliver(job).finally(() => {
      this.inWork.delete(job);
      this.wake();
    });
    this.inWork.set(job, work);
  }

  private async deliver(job: Job): Promise<void> {
    try {
      // It took the process down each time: handing it out again would only do so once more.
      if (job.attempts > this.options.attemptsMax) await this.end(job, { kind: "dead", reason: "deliveries used up" });
      else await this.end(job, await this.outcomeOf(job));
    } catch (error) {
      // The claim runs out and the message comes again.
      this.options.log.warn({ err: error, queue: this.options.queue }, "could not end a delivery");
    }
  }

  private async outcomeOf(job: Job): Promise<Outcome> {
    try {
      return await this.options.handle({ body: job.body, attempt: job.attempts, signal: this.abort.signal });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.options.log.warn({ err: error, queue: this.options.queue, attempt: job.attempts }, "delivery failed");
      return { kind: "retry", delayMs: this.backoff(job.attempts), reason };
    }
  }

  private async end(job: Job, outcome: Outcome): Promise<void> {
    if (outcome.kind === "done") await this.jobs.remove(job);
    else if (outcome.kind === "dead" || job.attempts >= this.options.attemptsMax) {
      await this.jobs.bury(job, { reason: outcome.reason, diedAt: Date.now() });
    } else await this.jobs.giveBack(job, { runAt: Date.now() + outcome.delayMs, uncounted: false });
  }

  private async renew(): Promise<void> {
    if (this.inWork.size === 0) return;
    await this.jobs.renew([...this.inWork.keys()], Date.now() + this.options.leaseMs).catch((error: unknown) => {
      this.options.log.warn({ err: error, queue: this.options.queue }, "could not renew deliveries");
    });
  }

  /** Spread, so that messages that failed together do not come back together. */
  private backoff(attempts: number): number {
    const ms = Math.min(this.options.backoffMs * 2 ** (attempts - 1), BACKOFF_MAX_MS);
    return Math.round(ms * (0.75 + Math.random() / 2));
  }
}
