import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../errors/app-error.js";
import { failpoint } from "../process/failpoint.js";
import type { Stoppable } from "../process/repetition.js";
import { type Delivery, type Outcome, subscribe } from "../queue/queue.js";
import { inSpan, type Span, type SpanStart } from "../telemetry/spans.js";
import { CompanyPlaces } from "./fairness.js";
import type { EndStatus, JobRecord } from "./job.js";
import { jobAttributes, type JobContext, type Lane, lanesOf, logFields, traceOf, workerFailpoint } from "./job-kind.js";
import { handBack, type LeasedJob, readPublished, takeLease } from "./lease.js";
import { messagingAttributes } from "./outbox.js";
import { backoffMs, changeLane, defer, mayRequeue, postpone, PostponedError, requeueForNewerWorker } from "./retry.js";

/** How a job's work ended, and the fields to store in its record. */
export interface JobEnd<R extends JobRecord> {
  to: EndStatus;
  /** Message for the owner if the status is not `done`. */
  error?: string;
  progress?: number;
  fields?: Partial<Omit<R, keyof JobRecord>>;
}

/**
 * Does the work of one job, from its record alone. Two runs may overlap, so it stores only data that another run can
 * distinguish from its own, after `lease.require()`. Ends early if `lease.signal` aborts. Throws PostponedError for a
 * later retry, any other error for a failed attempt.
 */
export type JobWork<R extends JobRecord> = (leased: LeasedJob<R>) => Promise<JobEnd<R>>;

export interface WorkerOptions<R extends JobRecord> {
  work: JobWork<R>;
  /** Concurrent jobs of one lane; in a lane per company, those of one company. */
  concurrency: number;
  /** Called when a job has been taken from its queue. */
  onBegun: (leased: LeasedJob<R>) => void;
}

/** Handles the job that a message names. */
type Handle = (id: number) => Promise<Outcome>;

const DONE: Outcome = { kind: "done" };
/** Pause between two tries to end a job, in milliseconds. */
const COMMIT_AGAIN_MS = 250;

/** Runs jobs from the queues of all lanes. On stop, jobs may run for half the grace period; the rest is handed back. */
export class JobWorker<R extends JobRecord> implements Stoppable {
  private readonly consumers: readonly Stoppable[];
  /** Aborts when the jobs in work are handed back, as if they had not begun. */
  private readonly stopping = new AbortController();

  /** Takes jobs from now on. */
  constructor(
    private readonly context: JobContext<R>,
    private readonly options: WorkerOptions<R>,
  ) {
    const { kind } = context;
    const { concurrency } = options;
    this.consumers = lanesOf(kind.lanes).map((lane) => {
      const run: Handle = (id) => this.run(id, lane);
      return lane === kind.lanes.shared
        ? this.subscribe(lane, { prefetch: concurrency, handle: run })
        : this.subscribe(lane, { prefetch: concurrency + 1, handle: this.sharingPlaces(run) });
    });
  }

  async stop(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.stopping.abort(new Error("the worker is stopping")), graceMs / 2);
    await Promise.all(this.consumers.map((consumer) => consumer.stop(graceMs)));
    clearTimeout(timer);
  }

  private subscribe(lane: Lane, { prefetch, handle }: { prefetch: number; handle: Handle }): Stoppable {
    const { kind, queue, log } = this.context;
    const deliver = ({ body }: Delivery): Promise<Outcome> => {
      const id = kind.message.decode(body);
      if (id === undefined) return Promise.resolve({ kind: "dead", reason: `not a ${kind.message.name} message` });
      return handle(id);
    };
    return subscribe({ queue, name: lane.queue, log, prefetch, attemptsMax: kind.policy.deliveriesMax }, deliver);
  }

  /** Runs jobs of companies that have a free place; the others wait. */
  private sharingPlaces(run: Handle): Handle {
    const places = new CompanyPlaces(this.options.concurrency);
    return async (id) => {
      const record = await readPublished(this.context, id);
      // The job was deleted, has ended, or has another worker: a late or repeated message.
      if (record?.status !== "pending") return DONE;
      if (!places.take(record.companyId)) {
        await defer(this.context, record);
        return DONE;
      }
      try {
        return await run(id);
      } finally {
        places.giveBack(record.companyId);
      }
    };
  }

  /** Runs the job that a message of the lane names, if this worker gets it. */
  private async run(id: number, lane: Lane): Promise<Outcome> {
    const { kind, metrics, now } = this.context;
    failpoint(workerFailpoint(kind.name, "after_delivery"));
    const leased = await takeLease(this.context, id);
    // The job was deleted, has ended, or has another worker: a late or repeated message.
    if (leased === undefined) return DONE;
    failpoint(workerFailpoint(kind.name, "after_lease"));
    const { record } = leased;
    const own = kind.lanes.laneOf(record);
    if (lane === kind.lanes.shared && own !== lane) {
      await changeLane(this.context, leased);
      return DONE;
    }
    const { queue } = own;
    // Clocks of two processes may differ. Later runs say nothing about the initial wait.
    if (record.runs === 1) metrics.observeJobAge({ queue, seconds: Math.max(0, now() - record.createdAt) / 1000 });
    const startedAt = performance.now();
    let outcome: Outcome["kind"] | "error" = "error";
    try {
      const ended = await inSpan(this.spanOf(record, queue), (span) => this.attempt(leased, span));
      outcome = ended.kind;
      return ended;
    } finally {
      metrics.observeJob({ queue, outcome, seconds: (performance.now() - startedAt) / 1000 });
    }
  }

  /** Continues the trace of the request that created the job, however long ago that was. */
  private spanOf(record: R, queue: string): SpanStart {
    const { kind } = this.context;
    return {
      name: `process ${queue}`,
      kind: "consumer",
      parent: traceOf(record),
      attributes: {
        ...messagingAttributes(queue, "process"),
        ...jobAttributes(kind, record.id),
        ...kind.spanAttributes(record),
        "hourglass.run": record.runs,
      },
    };
  }

  private async attempt(leased: LeasedJob<R>, span: Span | undefined): Promise<Outcome> {
    this.options.onBegun(leased);
    const { lease } = leased;
    const { signal } = this.stopping;
    const interrupt = () => lease.interrupt(new Error("the worker is stopping"));
    signal.addEventListener("abort", interrupt);
    if (signal.aborted) interrupt();
    try {
      await this.carryOut(leased);
      return DONE;
    } catch (error) {
      if (!(error instanceof PostponedError && error.isExpected)) span?.fail(error);
      // The remaining work of the attempt is useless, and other jobs wait for its places.
      lease.interrupt(new Error("the attempt has failed", { cause: error }));
      return await this.recover(leased, error);
    } finally {
      signal.removeEventListener("abort", interrupt);
      lease.release();
      this.context.onEnded(leased.record.id);
    }
  }

  private async carryOut(leased: LeasedJob<R>): Promise<void> {
    const { kind } = this.context;
    const unknown = kind.findUnknown(leased.record);
    if (unknown !== undefined) {
      if (mayRequeue(kind.policy, leased.record)) await requeueForNewerWorker(this.context, leased, unknown);
      else await this.end(leased, { to: "failed", error: kind.sentences.needsNewerRelease(unknown) });
      return;
    }
    const end = await this.options.work(leased);
    leased.lease.require();
    failpoint(workerFailpoint(kind.name, "before_done"));
    await this.end(leased, end);
    failpoint(workerFailpoint(kind.name, "before_ack"));
  }

  private async recover(leased: LeasedJob<R>, error: unknown): Promise<Outcome> {
    const { kind, log } = this.context;
    const { record, lease } = leased;
    const known = { ...logFields(kind, record), run: record.runs };
    if (lease.isLost) {
      log.info(known, `${kind.name} was deleted or taken over, work dropped`);
      return DONE;
    }
    if (this.stopping.signal.aborted) {
      await handBack(this.context, leased, { countsAsAttempt: false });
      return { kind: "retry", delayMs: 0, reason: "the worker is stopping" };
    }
    if (error instanceof PostponedError && record.runs < error.runsMax) {
      if (error.isExpected) log.debug(known, error.message);
      else log.warn({ ...known, err: error.cause }, error.message);
      await postpone(this.context, leased, error.delayMs);
      return DONE;
    }
    return this.retryOrGiveUp(leased, error);
  }

  private async retryOrGiveUp(leased: LeasedJob<R>, error: unknown): Promise<Outcome> {
    const { kind, log } = this.context;
    const { record } = leased;
    const { attempts } = record;
    log.warn({ ...logFields(kind, record), attempt: attempts, err: error }, `${kind.name} did not succeed`);
    if (attempts >= kind.policy.attemptsMax) {
      await this.end(leased, { to: "failed", error: kind.sentences.gaveUp });
      return { kind: "dead", reason: `failed after ${attempts} attempts` };
    }
    await handBack(this.context, leased, { countsAsAttempt: true });
    return { kind: "retry", delayMs: backoffMs(kind.policy, attempts), reason: "the attempt did not succeed" };
  }

  /** Ends the job, unless this worker has lost it; then another worker ends it. */
  private async end(leased: LeasedJob<R>, end: JobEnd<R>): Promise<void> {
    const { kind, metrics, log, cleanUp } = this.context;
    const attributes = { ...jobAttributes(kind, leased.record.id), [`hourglass.${kind.name}.status`]: end.to };
    const record = await inSpan({ name: `commit ${kind.name}`, attributes }, () => this.commit(leased, end));
    if (record === undefined) return;
    metrics.countJobEnded({ kind: kind.name, status: record.status });
    log.info({ ...logFields(kind, record), status: record.status, run: record.runs }, `${kind.name} ended`);
    if (record.runs > 1) await cleanUp(record);
  }

  /** Retries as long as the lease lasts, so that a short outage of the store does not waste minutes of work. */
  private async commit(
    { record, lease }: LeasedJob<R>,
    { to, error, progress, fields = {} }: JobEnd<R>,
  ): Promise<R | undefined> {
    const { jobs, now } = this.context;
    const given = { ...(error === undefined ? {} : { error }), ...(progress === undefined ? {} : { progress }) };
    for (;;) {
      try {
        return await jobs.transition(record.id, {
          from: "running",
          to,
          where: { leaseToken: lease.token },
          set: { ...given, finishedAt: now(), leaseExpiresAt: null },
          fields,
        });
      } catch (failure) {
        if (lease.isLost || !isAway(failure)) throw failure;
        await sleep(COMMIT_AGAIN_MS);
      }
    }
  }
}

function isAway(error: unknown): boolean {
  return error instanceof AppError && error.kind === "unavailable";
}
