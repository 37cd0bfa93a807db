import { isUnavailable } from "../errors/app-error.js";
import type { Logger } from "../log.js";
import { failpoint } from "../process/failpoint.js";
import { FairLimit, type Release } from "../process/fair-limit.js";
import { pause } from "../process/pause.js";
import { type Repetition, type Stoppable, together } from "../process/repetition.js";
import { pauseAfter, type RetryPolicy } from "../process/retry-policy.js";
import { addQueueGauges, type Outcome, type Queue, subscribe } from "../queue/queue.js";
import { makingRoom } from "../storage/disk-reserve.js";
import { type Measurements, NO_MEASUREMENTS } from "../telemetry/measurements.js";
import { inSpan, type SpanStart } from "../telemetry/spans.js";
import { type AnyDueKind, DUE_WORK_MESSAGE, type NamedRecord } from "./due-kind.js";
import { claimDue, claimTime, type DueClaim, type DueRecord, leaseOf } from "./due-record.js";
import { messagingAttributes, workerFailpoint } from "./job-kind.js";
import { type LostClaim, settleLost } from "./lost-claim.js";
import { startRelay } from "./relay.js";
import type { WorkPolicy } from "./retry.js";

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

/**
 * When work is done again that failed. After `attemptsMax` failures a dead letter says so, and it is still done again after
 * the longest pause; after `deathsMax` workers that are gone it is left alone for a day.
 */
const DUE_RETRY: WorkPolicy = { firstMs: 5_000, maxMs: 10 * 60_000, attemptsMax: 5, deathsMax: 10 };
const GIVEN_UP_MS = 24 * 60 * 60_000;
/** Failures count up to so many below `deathsMax`: work that fails for long, as while a service is away, is not left alone. */
const FAILURES_BELOW_DEATHS = 2;
/** When work is done again that needs what is unavailable, in milliseconds. That is no failure of the work. */
const OUTAGE_PAUSE_MS = 15_000;
/** When a worker tries again to say that it lives, and that its claim was lost. */
const SETTLE: RetryPolicy = { firstMs: 500, maxMs: 15_000 };
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
/** The same: the claim was lost while its worker lived. */
const LOST: Outcome = { kind: "done" };

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
    const { name, queue } = this.options;
    addQueueGauges({ queue, metrics: this.metrics }, [name]);
    this.addGauge();
    this.relay = this.openRelay();
    return this.relay;
  }

  private openRelay(): Repetition {
    const { places, waitingMin = Math.max(WAITING_MIN, Math.ceil(places / 2)), checkMs = CHECK_MS } = this.options;
    return startRelay({ ...this.options, waitingMin, checkMs, inWork: () => this.inWork });
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
    const { name, queue, log, places, placesPerOwner = places } = this.options;
    const stopping = new AbortController();
    const expired = new AbortController();
    const held = placesPerOwner < places ? new FairLimit({ places, placesPerOwner }) : undefined;
    const worker = { held, stopping: stopping.signal, expired: expired.signal };
    const prefetch = held === undefined ? places : places + WAITING_FOR_PLACE;
    // Nobody else can publish to it.
    const relay = queue.isLocal ? this.openRelay() : undefined;
    const options = { queue, name, log, prefetch, onConsuming: () => relay?.wake() };
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
        await Promise.all([relay?.stop(graceMs), consumer.stop(graceMs)]);
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
    const arrived = performance.now();
    const record = await this.readPublished(kind, named, arrived);
    // It was removed, its work has ended, or another worker has it: a late or repeated message.
    if (record === undefined) return DONE;
    const release = await this.takePlace(kind, record, worker);
    if (release === undefined) return DONE;
    try {
      const claim = await this.claim(kind, record, { arrived, worker });
      return claim === undefined ? DONE : await this.runClaimed(kind, claim, { named, worker });
    } finally {
      release();
    }
  }

  private async readPublished(
    kind: AnyDueKind,
    { id, dueAt }: NamedRecord,
    arrived: number,
  ): Promise<DueRecord | undefined> {
    const record = await kind.records.get(id);
    if (record === undefined) return undefined;
    if (record.dueAt === dueAt || isRetriedBy(record, dueAt)) return record;
    await this.noteSlowStore(kind, record, arrived);
    return undefined;
  }

  /** If the store answers so late that messages are overtaken on their way to a claim, the lease of the record has to be longer. */
  private async noteSlowStore({ records, leaseMs }: AnyDueKind, record: DueRecord, arrived: number): Promise<void> {
    if (performance.now() - arrived < leaseOf(record, leaseMs) / 2) return;
    await records.update({ id: record.id, dueAt: { ne: null } }, { increment: { losses: 1 } });
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

  /** Undefined if another process was faster, or if the store did not say that the record is claimed. */
  private async claim(
    kind: AnyDueKind,
    record: DueRecord,
    { arrived, worker }: { arrived: number; worker: RunningWorker },
  ): Promise<DueClaim<DueRecord> | undefined> {
    const { records, changes = {} } = kind;
    const leaseMs = leaseOf(record, kind.leaseMs);
    const source = { records, leaseMs, now: this.options.now, waiting: changes.waiting };
    const { set, increment } = changes.claimed ?? {};
    const token = claimTime(source, record);
    const change = { set: { ...set, claimed: token }, increment: { ...increment, attempts: 1 } };
    try {
      const claim = await claimDue(source, record, change, token);
      if (claim === undefined) await this.noteSlowStore(kind, record, arrived);
      return claim;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.options.log.warn({ err: error, [kind.name]: record.id }, "the store did not confirm a claim");
      const lost = { kind, id: record.id, token, until: token, isConfirmed: false, isOverdue: true };
      await this.settle(lost, worker);
      return undefined;
    }
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
      const token = claim.fence.dueAt;
      const done = await this.end(kind, claim, { letter: named.dueAt, token, worker });
      outcome = NAMES.get(done) ?? done.kind;
      return done;
    } finally {
      this.metrics.observeJob({ queue, outcome, seconds: (performance.now() - begun) / 1000 });
    }
  }

  /** Ends the claim: with its work, or as lost. */
  private async end(
    kind: AnyDueKind,
    claim: DueClaim<DueRecord>,
    { letter, token, worker }: { letter: number; token: number; worker: RunningWorker },
  ): Promise<Outcome> {
    const lost = (isOverdue: boolean): LostClaim => {
      const { id, dueAt: until } = claim.fence;
      return { kind, id, token, until, isConfirmed: true, isOverdue };
    };
    try {
      const retry = { ...DUE_RETRY, ...kind.retry };
      const isHopeless = (claim.record.attempts ?? 1) > retry.deathsMax;
      const done = await (isHopeless
        ? this.giveUp(kind, claim, letter)
        : this.attempt(kind, claim, { letter, retry, worker }));
      if (!claim.isLost) return done;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.options.log.warn(
        { err: error, [kind.name]: claim.record.id },
        "the store did not confirm the end of a claim",
      );
      await claim.release();
      await this.settle(lost(true), worker);
      return POSTPONED;
    }
    const { isOverdue } = claim;
    await this.settle(lost(isOverdue), worker);
    return isOverdue ? LOST : DONE;
  }

  private async attempt(
    kind: AnyDueKind,
    claim: DueClaim<DueRecord>,
    { letter, retry, worker }: { letter: number; retry: WorkPolicy; worker: RunningWorker },
  ): Promise<Outcome> {
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
        await claim.again({ afterMs: 0, isUncounted: true });
        return DONE;
      }
      if (signal.aborted) return DONE; // the claim was lost
      const known = { err: error, [kind.name]: claim.record.id, attempt: attempts };
      if (isUnavailable(error)) {
        this.options.log.warn(known, `${kind.failure}, since something is unavailable; trying again`);
        const afterMs = OUTAGE_PAUSE_MS * (0.75 + Math.random() / 2);
        await claim.again({ afterMs, why: "unavailable", isUncounted: true });
        return POSTPONED;
      }
      this.options.log.warn(known, `${kind.failure}, trying again`);
      const isUncounted = attempts > retry.deathsMax - FAILURES_BELOW_DEATHS;
      const named = attempts === retry.attemptsMax ? letter : claim.record.setback?.letter;
      await claim.again({ afterMs: pauseAfter(retry, attempts), why: "failed", isUncounted, letter: named });
      return attempts === retry.attemptsMax ? { kind: "dead", reason: `failed after ${attempts} attempts` } : RETRIED;
    } finally {
      worker.expired.removeEventListener("abort", interrupt);
      await claim.release();
    }
  }

  /** Leaves work alone for a day, unless somebody puts its dead letter back. */
  private async giveUp(kind: AnyDueKind, claim: DueClaim<DueRecord>, letter: number): Promise<Outcome> {
    const { attempts = 1, id } = claim.record;
    const reason = `${attempts - 1} workers ended before the work did`;
    this.options.log.error(
      { [kind.name]: id, queue: this.options.name },
      `${kind.failure}: ${reason}; left alone for a day`,
    );
    await claim.again({ afterMs: GIVEN_UP_MS, why: "died", forgetsAttempts: true, letter });
    return { kind: "dead", reason };
  }

  /**
   * Says in the record that this worker lives, as soon as the store takes it. Until then the worker keeps the place: other
   * work could not be done either.
   */
  private async settle(lost: LostClaim, { stopping }: RunningWorker): Promise<void> {
    const { log, now, name: queue } = this.options;
    const { kind, id } = lost;
    for (let tries = 1; ; tries += 1) {
      try {
        const { losses } = (await settleLost(lost, now)) ?? {};
        if (!lost.isOverdue || losses === undefined) return;
        this.metrics.countLeaseLoss(queue);
        const known = { [kind.name]: id, queue, losses, leaseMs: leaseOf({ losses }, kind.leaseMs) };
        log.warn(known, "the store answered too late for a claim, its next ones last longer");
        return;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        if (stopping.aborted) return;
        await pause(pauseAfter(SETTLE, tries), stopping);
      }
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
  [LOST, "lost"],
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

/** Whether a message that was a dead letter names the record as it waits: somebody wants its work to be done at once. */
function isRetriedBy({ dueAt, setback }: DueRecord, letter: number): boolean {
  return setback?.letter === letter && setback.until === dueAt;
}
