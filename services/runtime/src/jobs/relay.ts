import { repeat, type Repetition, type Stoppable } from "../process/repetition.js";
import { addQueueGauges } from "../queue/queue.js";
import type { Filter } from "../store/store.js";
import type { Reading } from "../telemetry/measurements.js";
import { type FairOrder, firstOfEachCompany, IN_SEQUENCE } from "./fairness.js";
import { type JobRecord, type JobStatus, UNFINISHED } from "./job.js";
import { type JobContext, type Lane, lanesOf, traceOf } from "./job-kind.js";
import { publishJob } from "./outbox.js";

export interface RelayOptions {
  order: FairOrder;
  /** Minimum target for jobs that are published but not begun; if more jobs are running, their number is the target. */
  waitingMin: number;
}

/** Interval for finding jobs stored by other processes, in milliseconds. */
const IDLE_MS = 1000;
/** Interval while more jobs are ready than the queue has room for, in milliseconds. */
const CROWDED_MS = 50;
/** A check of many companies' jobs takes long; the relay pauses for this multiple of its duration. */
const REST_PER_LOOK = 4;
const AFTER_FAILURE_MS = 1000;
const BATCH_MAX = 64;

/**
 * Publishes ready jobs to the queues of their lanes. Only a few wait in a queue at a time, so that the order is decided
 * late and a company with a long backlog cannot fill the queue before another company's first job: the shared lane uses
 * fair order, in the other lanes each company has its own order. Several relays may work on one store: a job that
 * two of them publish is run once.
 */
export class Relay<R extends JobRecord> implements Stoppable {
  private readonly loops: ReadonlyMap<Lane, Repetition>;
  private readonly window: PublishWindow;

  /** Publishes from now on. */
  constructor(
    private readonly context: JobContext<R>,
    private readonly options: RelayOptions,
  ) {
    const { shared, perCompany } = context.kind.lanes;
    this.window = new PublishWindow(options.waitingMin);
    this.loops = new Map([
      [shared, this.repeatedly(() => this.publishShared())],
      ...perCompany.map((lane) => [lane, this.repeatedly(() => this.publishPerCompany(lane))] as const),
    ]);
  }

  /** Checks a lane immediately. */
  wake(lane: Lane): void {
    this.loops.get(lane)?.wake();
  }

  async stop(graceMs: number): Promise<void> {
    await Promise.all([...this.loops.values()].map((loop) => loop.stop(graceMs)));
  }

  /** Publishes repeatedly, at a shorter interval if jobs were held back for lack of room. */
  private repeatedly(publish: () => Promise<boolean>): Repetition {
    const { log, kind } = this.context;
    return repeat(async () => {
      const begun = performance.now();
      try {
        if (!(await publish())) return IDLE_MS;
        return Math.max(CROWDED_MS, REST_PER_LOOK * (performance.now() - begun));
      } catch (error) {
        log.warn({ err: error }, `could not publish ${kind.name}s, trying again`);
        return AFTER_FAILURE_MS;
      }
    });
  }

  /** Publishes jobs of the shared lane until none is ready (false) or the window is full (true). */
  private async publishShared(): Promise<boolean> {
    const heldBack = await this.fillWindow();
    this.window.finish(heldBack);
    return heldBack;
  }

  private async fillWindow(): Promise<boolean> {
    let wanted: number | undefined;
    for (;;) {
      const [waiting, running] = await this.countPublished({ line: null });
      wanted ??= this.window.observe(waiting);
      const room = Math.min(Math.max(wanted, running) - waiting, BATCH_MAX);
      const ready = { status: "ready", line: null } as const;
      const records = await this.context.jobs.find(ready, { sort: IN_SEQUENCE, limit: Math.max(room, 1) });
      if (room <= 0) return records.length > 0;
      await Promise.all(records.map((record) => this.publish(record)));
      await this.options.order.advance(records.at(-1)?.turn ?? 0);
      if (records.length < room) return false;
    }
  }

  /** Publishes as many of every company's jobs as there is room for; true if jobs are left. */
  private async publishPerCompany(lane: Lane): Promise<boolean> {
    const { jobs } = this.context;
    let heldBack = false;
    for await (const { laneKey } of firstOfEachCompany(jobs, { lane, status: "ready" })) {
      const [waiting, running] = await this.countPublished({ line: laneKey });
      const room = Math.min(Math.max(this.options.waitingMin, running) - waiting, BATCH_MAX);
      if (room > 0) {
        const records = await jobs.find({ status: "ready", line: laneKey }, { sort: IN_SEQUENCE, limit: room });
        await Promise.all(records.map((record) => this.publish(record)));
        if (records.length < room) continue;
      }
      heldBack = true;
    }
    return heldBack;
  }

  /** How many of those jobs wait in the queue, and how many are running. */
  private countPublished(which: Filter<JobRecord>): Promise<[number, number]> {
    const { jobs } = this.context;
    return Promise.all([
      // Excludes jobs that wait for another attempt, a newer worker or a later time, because they do not delay others.
      jobs.count({ ...which, status: "pending", attempts: 0, handedOn: null, postponed: null }),
      jobs.count({ ...which, status: "running" }),
    ]);
  }

  private async publish(record: R): Promise<void> {
    const { kind, jobs, now } = this.context;
    const { id } = record;
    await publishJob(this.context, { id, to: kind.lanes.laneOf(record).queue, trace: traceOf(record) });
    // Has no effect if a worker, another relay, or a deletion was faster.
    await jobs.transition(id, { from: "ready", to: "pending", set: { queuedAt: now() } });
  }
}

/** With a larger window, one company's backlog would stay ahead of another's first job for too long. */
const WAITING_MAX = 512;

/**
 * Target number of jobs waiting in the queue: few, so that their order is decided late, but enough to keep workers in
 * other processes busy until the next check. The window doubles when all waiting jobs were taken while more were ready,
 * and halves when half of it is left.
 */
export class PublishWindow {
  private wanted: number;
  private heldBack = false;

  constructor(private readonly waitingMin: number) {
    this.wanted = waitingMin;
  }

  /** Takes the number of waiting jobs; returns the target. */
  observe(waiting: number): number {
    if (waiting === 0 && this.heldBack) this.wanted = Math.min(2 * this.wanted, WAITING_MAX);
    else if (2 * waiting >= this.wanted) this.wanted = Math.max(Math.floor(this.wanted / 2), this.waitingMin);
    return this.wanted;
  }

  /** Records whether jobs were held back because the window was full. */
  finish(heldBack: boolean): void {
    this.heldBack = heldBack;
  }
}

/** Number of next jobs to read. They include the first job of every company, so one of them is the oldest. */
const NEXT_MAX = 16;

/** Reports the backlog at every scrape. Every count uses an index, and no read scans the backlog. */
export function addJobGauges<R extends JobRecord>(context: JobContext<R>): void {
  const { kind, jobs, metrics } = context;
  const countOf = async (status: JobStatus): Promise<Reading> => ({
    labels: { kind: kind.name, status },
    value: await jobs.count({ status }),
  });
  metrics.gauge("hourglass_jobs", "Jobs that have not ended", () => Promise.all(UNFINISHED.map(countOf)), [
    "kind",
    "status",
  ]);
  metrics.gauge(
    "hourglass_oldest_unfinished_seconds",
    "Age of the oldest job that has not ended",
    async () => [{ labels: { kind: kind.name }, value: await oldestSeconds(context) }],
    ["kind"],
  );
  const queues = lanesOf(kind.lanes).map((lane) => lane.queue);
  addQueueGauges(context, queues);
}

async function oldestSeconds<R extends JobRecord>(context: JobContext<R>): Promise<number> {
  const now = context.now();
  const next = await Promise.all(UNFINISHED.map((status) => nextJobs(context, status)));
  const oldest = Math.min(now, ...next.flat().map(({ createdAt }) => createdAt));
  return (now - oldest) / 1000;
}

/** The next jobs of the shared lane, and the first job of each company in the other lanes. */
async function nextJobs<R extends JobRecord>({ kind, jobs }: JobContext<R>, status: JobStatus): Promise<R[]> {
  const next = await jobs.find({ status, line: null }, { sort: IN_SEQUENCE, limit: NEXT_MAX });
  for (const lane of kind.lanes.perCompany) {
    let companies = 0;
    for await (const { record } of firstOfEachCompany(jobs, { lane, status })) {
      next.push(record);
      if (++companies >= NEXT_MAX) break;
    }
  }
  return next;
}
