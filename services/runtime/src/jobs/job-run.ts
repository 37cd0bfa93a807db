import { setTimeout as sleep } from "node:timers/promises";
import { isUnavailable } from "../errors/app-error.js";
import type { Logger } from "../log.js";
import { failpoint } from "../process/failpoint.js";
import { pauseAfter } from "../process/retry-policy.js";
import type { Outcome } from "../queue/queue.js";
import type { Measurements } from "../telemetry/measurements.js";
import { inSpan } from "../telemetry/spans.js";
import { DONE, RETRIED } from "./due-jobs.js";
import type { Again, DueClaim } from "./due-record.js";
import type { EndStatus, JobRecord } from "./job.js";
import { jobAttributes, type JobKind, laneKeyOf, type Lane, logFields, workerFailpoint } from "./job-kind.js";
import type { Lease } from "./lease.js";
import { PostponedError } from "./retry.js";

/** A job that a worker has as long as its lease is renewed. */
export interface LeasedJob<R extends JobRecord> {
  record: R;
  lease: Lease;
  /** Changes fields of the record, unless the lease is lost. */
  update: (set: Partial<Omit<R, "id">>) => Promise<R | undefined>;
}

/** How a job's work ended, and the fields to store in its record. */
export interface JobEnd<R extends JobRecord> {
  to: EndStatus;
  /** Message for the owner if the status is not `done`. */
  error?: string;
  progress?: number;
  fields?: Partial<Omit<R, Exclude<keyof JobRecord, "dueAt">>>;
}

/**
 * Does the work of one job, from its record alone. Two runs may overlap, so it stores only data that another run can
 * distinguish from its own, after `lease.require()`. Ends early if `lease.signal` aborts. Throws PostponedError for a
 * later retry, any other error for a failed attempt.
 */
export type JobWork<R extends JobRecord> = (leased: LeasedJob<R>) => Promise<JobEnd<R>>;

/** Pause between two tries to end a job, in milliseconds. */
const COMMIT_AGAIN_MS = 250;
/** Of the log lines that say that a job waits for a newer worker, one in so many is written. */
const LOG_EVERY = 12;

/** What a run needs of the jobs of its process. */
export interface RunContext<R extends JobRecord> {
  kind: JobKind<R>;
  /** The lane whose worker has the job. */
  lane: Lane;
  work: JobWork<R>;
  log: Logger;
  metrics: Measurements;
  now: () => number;
  cleanUp: (record: R) => Promise<void>;
  onBegun: (id: number, lease: Lease) => void;
  /** Called when the job, or an attempt at it, has ended in this process. */
  onEnded: (id: number) => void;
}

/** One run of a job by a worker. */
export class JobRun<R extends JobRecord> {
  private readonly record: R;
  private readonly known: Record<string, number | string>;

  constructor(
    private readonly context: RunContext<R>,
    private readonly claim: DueClaim<R>,
  ) {
    this.record = claim.record;
    this.known = { ...logFields(context.kind, claim.record), run: claim.record.runs };
  }

  async run(stopping: AbortSignal): Promise<Outcome> {
    const { kind, lane, onBegun, onEnded } = this.context;
    const { record, claim } = this;
    claim.reportBy((progress) => ({ progress }) as Partial<Omit<R, "id">>);
    const lease = claim.hold();
    // From a release with other lanes.
    if (kind.lanes.laneOf(record) !== lane) {
      return this.again({ afterMs: 0, isUncounted: true }, { laneKey: laneKeyOf(kind.lanes, record) });
    }
    if (record.attempts > kind.policy.deathsMax) return this.fail(kind.sentences.gaveUp, "its workers ended too often");
    onBegun(record.id, lease);
    try {
      return await this.attempt(lease);
    } catch (error) {
      // The remaining work of the attempt is useless, and other jobs wait for its places.
      lease.interrupt(new Error("the attempt has failed", { cause: error }));
      return await this.recover(error, { lease, stopping });
    } finally {
      onEnded(record.id);
    }
  }

  private async attempt(lease: Lease): Promise<Outcome> {
    const { kind, work } = this.context;
    const { record, claim } = this;
    const unknown = kind.findUnknown(record);
    if (unknown !== undefined) return this.leaveToNewer(unknown);
    const end = await work({ record, lease, update: (set) => claim.update(set) });
    lease.require();
    failpoint(workerFailpoint(kind.name, "before_done"));
    await this.end(end);
    return DONE;
  }

  /** During a rolling update, a record may need a feature of a newer release: it waits until such a worker gets it. */
  private async leaveToNewer(unknown: string): Promise<Outcome> {
    const { kind, log } = this.context;
    const { newerWorkerMs, newerWorkersMax } = kind.policy;
    const { newerOffers: offers = 0 } = this.record;
    if (offers >= newerWorkersMax) {
      await this.end({ to: "failed", error: kind.sentences.needsNewerRelease(unknown) });
      return DONE;
    }
    // Logs the first offer, then about one a minute: logging each job only once would require state.
    if (offers % LOG_EVERY === 0) {
      log.warn({ ...this.known, newerOffers: offers + 1, unknown }, `${kind.name} needs a newer worker, put back`);
    }
    return this.again({ afterMs: newerWorkerMs, isUncounted: true }, { newerOffers: offers + 1 });
  }

  private async recover(
    error: unknown,
    { lease, stopping }: { lease: Lease; stopping: AbortSignal },
  ): Promise<Outcome> {
    const { kind, log } = this.context;
    const { attempts, runs } = this.record;
    if (lease.isLost) {
      log.info(this.known, `${kind.name} was deleted or taken over, work dropped`);
      return DONE;
    }
    if (stopping.aborted) return this.again({ afterMs: 0, isUncounted: true });
    if (error instanceof PostponedError && runs < error.runsMax) {
      if (error.isExpected) log.debug(this.known, error.message);
      else log.warn({ ...this.known, err: error.cause }, error.message);
      return this.again({ afterMs: error.delayMs, isUncounted: true });
    }
    log.warn({ ...logFields(kind, this.record), attempt: attempts, err: error }, `${kind.name} did not succeed`);
    if (attempts >= kind.policy.attemptsMax)
      return this.fail(kind.sentences.gaveUp, `failed after ${attempts} attempts`);
    await this.again({ afterMs: pauseAfter(kind.policy, attempts), why: "failed" });
    return RETRIED;
  }

  /** Ends the lease; the job is published again after the pause. */
  private async again(how: Again, fields: Partial<JobRecord> = {}): Promise<Outcome> {
    await this.claim.again(how, fields as unknown as Partial<Omit<R, "id">>);
    return DONE;
  }

  private async fail(error: string, reason: string): Promise<Outcome> {
    await this.end({ to: "failed", error });
    return { kind: "dead", reason };
  }

  /** Ends the job, unless this worker has lost it; then another worker ends it. */
  private async end(end: JobEnd<R>): Promise<void> {
    const { kind, metrics, log, cleanUp } = this.context;
    const attributes = { ...jobAttributes(kind, this.record.id), [`hourglass.${kind.name}.status`]: end.to };
    const record = await inSpan({ name: `commit ${kind.name}`, attributes }, () => this.commit(end));
    if (record === undefined) return;
    metrics.countJobEnded({ kind: kind.name, status: record.status });
    log.info({ ...this.known, status: record.status }, `${kind.name} ended`);
    if (record.runs > 1) await cleanUp(record);
  }

  /** Retries as long as the lease lasts, so that a short outage of the store does not waste minutes of work. */
  private async commit({ to, error, progress, fields = {} }: JobEnd<R>): Promise<R | undefined> {
    const { claim, context, record } = this;
    const given = { ...(error === undefined ? {} : { error }), ...(progress === undefined ? {} : { progress }) };
    const lease = claim.hold();
    for (;;) {
      try {
        const { attempts } = record;
        const ended = { status: to, laneKey: null, finishedAt: context.now(), attempts };
        return await claim.update({ dueAt: null, ...fields, ...given, ...ended } as unknown as Partial<Omit<R, "id">>);
      } catch (failure) {
        if (lease.isLost || !isUnavailable(failure)) throw failure;
        await sleep(COMMIT_AGAIN_MS);
      }
    }
  }
}
