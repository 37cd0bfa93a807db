import { isUnavailable } from "../errors/app-error.js";
import type { Logger } from "../log.js";
import { failpoint } from "../process/failpoint.js";
import { FairLimit, type Release } from "../process/fair-limit.js";
import { type Repetition, type Stoppable, together } from "../process/repetition.js";
import { addQueueGauges, type Outcome, type Queue, subscribe } from "../queue/queue.js";
import { makingRoom } from "../storage/disk-reserve.js";
import { type Measurements, NO_MEASUREMENTS } from "../telemetry/measurements.js";
import { inSpan, type SpanStart } from "../telemetry/spans.js";
import { type AnyDueKind, DUE_WORK_MESSAGE, type NamedRecord } from "./due-kind.js";
import { claimDue, type DueClaim, type DueRecord } from "./due-record.js";
import { messagingAttributes, workerFailpoint } from "./job-kind.js";
import { startRelay } from "./relay.js";
import { backoffMs } from "./retry.js";

export interface DueJobsOptions {
  /** Name of the queue, one of the contract's. */
  name: string;
  queue: Queue;
  /** Either all of them have the message of DueWork, or there is one. */
  kinds: readonly AnyDueKind[];
  /** Records in work at a time in one process. */
  places: number;
  /** Those of one owner, urgent ones aside. Default: all. */
  placesPerOwner?: number | undefined;
  /** Records that are published and not taken yet, at least. Default: half as many as places. */
  waitingMin?: number;
  /** Interval between looks for what is due while nothing is, in milliseconds. Default 1,000. */
  checkMs?: number | undefined;
  log: Logger;
  metrics?: Measurements;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** When work is done again that failed. */
const RETRY = { backoffMs: 5_000, maxMs: 10 * 60_000 } as const;
/** Attempts that may fail until a dead letter says so; the work is still done again after the longest pause. */
const ATTEMPTS_MAX = 5;
/** Attempts that may end with their process until the work is left alone for a day. */
const DEATHS_MAX = 10;
const GIVEN_UP_MS = 24 * 60 * 60_000;
/** Failures count up to here only: work that fails for long, as while a service is away, is not left alone. */
const FAILURES_COUNTED_MAX = DEATHS_MAX - 2;
/** When work is done again that needs what is unavailable, in milliseconds. That is no failure of the work. */
const OUTAGE_PAUSE_MS = 15_000;
/** Deliveries of a message while the store is unavailable; then the time of the record decides when it comes again. */
const OUTAGE_DELIVERIES_MAX = 5;
/**
 * Time for which work waits for a place of its owner, and delay if none was given back, in milliseconds. A shorter wait would
 * leave places empty between short works of one owner; a longer one would keep those of others from the worker.
 */
const PLACE_WAIT_MS = 1_000;
const DEFER_MS = 1_000;
/** Messages of a worker that may wait for a place while all places are taken. */
const WAITING_FOR_PLACE = 2;
const WAITING_MIN = 2;
const CHECK_MS = 1_000;

/** The message is done with. */
export const DONE: Outcome = { kind: "done" };
/** The message is done with; the record says when the work is done again, which has failed. */
export const RETRIED: Outcome = { kind: "done" };
/** The same, without a failure of the work. */
const POSTPONED: Outcome = { kind: "done" };

/**
 * Work that is due at certain times, over one queue. The record is the truth: the relay publishes what is due, and the
 * worker claims the record that a message names. A lost message, a dead worker and a failed attempt all end in the same way:
 * the record is due again.
 */
export class DueJobs {
  private readonly kinds: ReadonlyMap<string, AnyDueKind>;
  private readonly metrics: Measurements;
  private relay: Repetition | undefined;
  private inWork = 0;

  constructor(private readonly options: DueJobsOptions) {
    this.kinds = new Map(options.kinds.map((kind) => [kind.name, kind]));
    this.metrics = options.metrics ?? NO_MEASUREMENTS;
  }

  /** Publishes what is due until stopped, and adds gauges for it. */
  startRelay(): Repetition {
    const { name, queue, places, waitingMin, checkMs = CHECK_MS } = this.options;
    addQueueGauges({ queue, metrics: this.metrics }, [name]);
    this.addGauge();
    this.relay = startRelay({
      ...this.options,
      waitingMin: waitingMin ?? Math.max(WAITING_MIN, Math.ceil(places / 2)),
      checkMs,
      inWork: () => this.inWork,
    });
    return this.relay;
  }

  /** Starts relay and worker. */
  start(): Repetition {
    const [relay, worker] = [this.startRelay(), this.startWorker()];
    return { ...together([relay, worker]), wake: () => relay.wake() };
  }

  /** Has the relay of this process look at once for what is due. */
  wake(): void {
    this.relay?.wake();
  }

  /** Does the work until stopped. Any number of processes may do so. */
  startWorker(): Stoppable {
    const { name, queue, log, places, placesPerOwner = places, kinds } = this.options;
    const stopping = new AbortController();
    const expired = new AbortController();
    const held = placesPerOwner < places ? new FairLimit({ places, placesPerOwner }) : undefined;
    const worker = { held, stopping: stopping.signal, expired: expired.signal };
    const prefetch = held === undefined ? places : places + WAITING_FOR_PLACE;
    const deletes = kinds.some((kind) => kind.deletes === true);
    const options = { queue, name, log, prefetch, deletes };
    const consumer = subscribe(options, async ({ body, attempt }): Promise<Outcome> => {
      const [named, kind] = this.read(body);
      if (named === undefined || kind === undefined) return { kind: "dead", reason: "not a message of this queue" };
      this.inWork += 1;
      try {
        const run = () => this.run(kind, named, worker);
        return await (kind.deletes === true ? makingRoom(run) : run());
      } catch (error) {
        if (!isUnavailable(error) || attempt < OUTAGE_DELIVERIES_MAX) throw error;
        return POSTPONED;
      } finally {
        this.inWork -= 1;
      }
    });
    return {
      stop: async (graceMs) => {
        stopping.abort(new Error("the worker is stopping"));
        const timer = setTimeout(() => expired.abort(new Error("the worker is stopping")), graceMs / 2);
        await consumer.stop(graceMs);
        clearTimeout(timer);
      },
    };
  }

  private read(body: Uint8Array): [NamedRecord | undefined, AnyDueKind | undefined] {
    const { message = DUE_WORK_MESSAGE } = this.options.kinds[0] ?? {};
    const named = message.decode(body);
    return [named, named && this.kinds.get(named.kind)];
  }

  /** Does the work of the record that a message names, if it still is as it was published. */
  private async run(kind: AnyDueKind, named: NamedRecord, worker: RunningWorker): Promise<Outcome> {
    failpoint(workerFailpoint(kind.name, "after_delivery"));
    const record = await this.readPublished(kind, named);
    // It was removed, its work has ended, or another worker has it: a late or repeated message.
    if (record === undefined) return DONE;
    const release = await this.takePlace(kind, record, worker);
    if (release === undefined) return DONE;
    try {
      const claim = await this.claim(kind, record);
      return claim === undefined ? DONE : await this.runClaimed(kind, claim, { named, worker });
    } finally {
      release();
    }
  }

  private async readPublished(kind: AnyDueKind, { id, dueAt }: NamedRecord): Promise<DueRecord | undefined> {
    const record = await kind.records.get(id);
    if (record === undefined) return undefined;
    if (dueAt === undefined) return kind.isPublished?.(record) === true ? record : undefined;
    return record.dueAt === dueAt || record.dueAt === dueAt + GIVEN_UP_MS ? record : undefined;
  }

  /**
   * Takes a place for the owner of the record. Undefined if the owner holds all its places: the record is published again a
   * little later.
   */
  private async takePlace(kind: AnyDueKind, record: DueRecord, { held }: RunningWorker): Promise<Release | undefined> {
    if (held === undefined || kind.isUrgent?.(record) === true) return () => undefined;
    try {
      return await held.acquire(kind.ownerOf?.(record) ?? 0, AbortSignal.timeout(PLACE_WAIT_MS));
    } catch {
      const { id, dueAt } = record;
      const later = { ...kind.changes?.waiting, dueAt: this.options.now() + DEFER_MS };
      await kind.records.update({ id, dueAt }, { set: later });
      return undefined;
    }
  }

  private claim(kind: AnyDueKind, record: DueRecord): Promise<DueClaim<DueRecord> | undefined> {
    const { records, leaseMs, changes = {} } = kind;
    const source = { records, leaseMs, now: this.options.now, waiting: changes.waiting };
    const { set, increment } = changes.claimed ?? {};
    return claimDue(source, record, { ...(set && { set }), increment: { ...increment, attempts: 1 } });
  }

  private async runClaimed(
    kind: AnyDueKind,
    claim: DueClaim<DueRecord>,
    { named, worker }: { named: NamedRecord; worker: RunningWorker },
  ): Promise<Outcome> {
    const { now, name: queue } = this.options;
    failpoint(workerFailpoint(kind.name, "after_lease"));
    const { record } = claim;
    const since = kind.sinceOf === undefined ? named.since : kind.sinceOf(record);
    // Clocks of two processes may differ.
    if (since !== undefined) this.metrics.observeJobAge({ queue, seconds: Math.max(0, now() - since) / 1000 });
    const begun = performance.now();
    let outcome = "error";
    try {
      const published = named.dueAt ?? now();
      const done = await (isHopeless(kind, record) ? giveUp(claim, published) : this.attempt(kind, claim, worker));
      outcome = NAMES.get(done) ?? done.kind;
      return done;
    } finally {
      this.metrics.observeJob({ queue, outcome, seconds: (performance.now() - begun) / 1000 });
    }
  }

  private async attempt(kind: AnyDueKind, claim: DueClaim<DueRecord>, worker: RunningWorker): Promise<Outcome> {
    const { attempts = 1 } = claim.record;
    const { signal } = claim;
    const interrupt = () => claim.interrupt(new Error("the worker is stopping"));
    worker.expired.addEventListener("abort", interrupt);
    if (worker.expired.aborted) interrupt();
    try {
      // Undefined if the work says nothing.
      const work = () => kind.work(claim, worker.stopping) as Promise<Outcome | undefined>;
      const ended = await inSpan(this.spanOf(kind, claim.record), work);
      failpoint(workerFailpoint(kind.name, "before_ack"));
      return ended ?? DONE;
    } catch (error) {
      if (worker.stopping.aborted) {
        await claim.putBack(0);
        return DONE;
      }
      if (signal.aborted) return DONE; // the claim was lost
      const known = { err: error, [kind.name]: claim.record.id, attempt: attempts };
      if (isUnavailable(error)) {
        this.options.log.warn(known, `${kind.failure}, since something is unavailable; trying again`);
        await claim.putBack(OUTAGE_PAUSE_MS * (0.75 + Math.random() / 2));
        return POSTPONED;
      }
      this.options.log.warn(known, `${kind.failure}, trying again`);
      const counted = Math.min(attempts, FAILURES_COUNTED_MAX);
      await claim.again(Math.min(RETRY.maxMs, backoffMs(RETRY, attempts)), counted);
      return attempts === ATTEMPTS_MAX ? { kind: "dead", reason: `failed after ${attempts} attempts` } : RETRIED;
    } finally {
      worker.expired.removeEventListener("abort", interrupt);
      await claim.release();
    }
  }

  private spanOf(kind: AnyDueKind, record: DueRecord): SpanStart {
    const { name: queue } = this.options;
    const { parent = null, attributes } = kind.spanOf?.(record) ?? {};
    const known = { [`hourglass.${kind.name}.id`]: record.id, "hourglass.attempt": record.attempts ?? 1 };
    return {
      name: `process ${queue}`,
      kind: "consumer",
      parent,
      attributes: { ...messagingAttributes(queue, "process"), ...known, ...attributes },
    };
  }

  private addGauge(): void {
    const { name: queue, now, kinds } = this.options;
    // Those that read what is due by themselves report it by themselves.
    const counted = kinds.filter((kind) => kind.readDue === undefined);
    if (counted.length === 0) return;
    const countOf = async ({ name: kind, records }: AnyDueKind) => ({
      labels: { queue, kind },
      value: await records.count({ dueAt: { lte: now() } }, COUNT_MAX),
    });
    this.metrics.gauge(
      "hourglass_due",
      "Records whose work is due and not published, at most 100,000",
      () => Promise.all(counted.map(countOf)),
      ["queue", "kind"],
    );
  }
}

/** What the metrics call these outcomes. */
const NAMES: ReadonlyMap<Outcome, string> = new Map([
  [RETRIED, "retry"],
  [POSTPONED, "postponed"],
]);

/** Counting more would take the store longer than a figure is worth that only says "too many". */
const COUNT_MAX = 100_000;

interface RunningWorker {
  /** The places of owners; undefined: an owner may have all. */
  held: FairLimit | undefined;
  /** Aborts when the worker begins to stop. */
  stopping: AbortSignal;
  /** Aborts when half of the time for stopping is over. */
  expired: AbortSignal;
}

function isHopeless({ deathsMax = DEATHS_MAX }: AnyDueKind, { attempts = 1 }: DueRecord): boolean {
  return attempts > deathsMax;
}

/**
 * Leaves work alone for a day. The record then has a time that follows from the message, so that its dead letter takes it
 * at once if somebody puts it back.
 */
async function giveUp(claim: DueClaim<DueRecord>, published: number): Promise<Outcome> {
  await claim.update({ dueAt: published + GIVEN_UP_MS, attempts: 0 });
  return { kind: "dead", reason: `${DEATHS_MAX} workers ended before the work did` };
}
