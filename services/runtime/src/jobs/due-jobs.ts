import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type DueWork as DueMessage, DueWorkSchema } from "@hourglass/proto/job/v1/job";
import type { Logger } from "../log.js";
import { failpoint } from "../process/failpoint.js";
import type { Owner } from "../process/fair-limit.js";
import { repeat, type Repetition, type Stoppable } from "../process/repetition.js";
import { addQueueGauges, type Outcome, type Queue, subscribe } from "../queue/queue.js";
import { makingRoom } from "../storage/disk-reserve.js";
import type { Collection } from "../store/store.js";
import { type Measurements, NO_MEASUREMENTS } from "../telemetry/measurements.js";
import { inSpan, type SpanAttributes } from "../telemetry/spans.js";
import { claimDue, type DueClaim, type DueRecord, streamDue } from "./due-record.js";
import { CompanyPlaces, FairQueue } from "./fairness.js";
import { jobFailpoint, workerFailpoint } from "./job-kind.js";
import { messagingAttributes } from "./outbox.js";
import { PublishWindow } from "./relay.js";
import { backoffMs } from "./retry.js";

/**
 * Does the work of a claimed record: ends the claim with `reschedule`, or removes or changes the record by the claim. A
 * record that is left unchanged is due again when the claim runs out, and after a pause if this rejects. `stopping`
 * aborts as soon as the worker stops: work of several steps then ends after the current one. The claim's own signal
 * aborts when half of the time for stopping is over, or when the claim is lost.
 */
export type DueWork<R extends DueRecord> = (claim: DueClaim<R>, stopping: AbortSignal) => Promise<void>;

/** Declares one kind of work on records with due times. */
export interface DueKind<R extends DueRecord> {
  /** Lower-case words joined by `-`. Messages name it, so it must never change. */
  readonly name: string;
  readonly records: Collection<R>;
  /** How long a worker keeps a record without renewing its claim, and how long a message is waited for, in milliseconds. */
  readonly leaseMs: number;
  readonly work: DueWork<R>;
  /** What is logged when the work fails, for example `a feed could not be read`. */
  readonly failure: string;
  /** Owners take turns; records of one owner go longest waiting first. Default: all have one owner. */
  ownerOf?(record: R): Owner;
  /** Urgent records go before all others. Default: none. */
  isUrgent?(record: R): boolean;
  /** Whether the work deletes, and so may use the room that is reserved for that. Default: false. */
  readonly deletes?: boolean;
  /** The order applies to this many records that have waited longest; they are read at once. Default 100. */
  readonly lookAhead?: number;
  /** Stores records for work that is found by other means, before the relay reads what is due. */
  prepare?(): Promise<void>;
}

/** A kind among those of other records. */
export type AnyDueKind = DueKind<DueRecord>;

/** A kind among those of other records. */
export function dueKind<R extends DueRecord>(kind: DueKind<R>): AnyDueKind {
  // A kind gets only what was read from its own records.
  return kind as unknown as AnyDueKind;
}

export interface DueJobsOptions {
  /** Name of the queue, one of the contract's for DueWork. */
  name: string;
  queue: Queue;
  kinds: readonly AnyDueKind[];
  /** Records in work at a time in one process. */
  places: number;
  /** Those of one owner, urgent ones aside. Default: all. */
  placesPerOwner?: number;
  /** Interval between looks for what is due while nothing is, in milliseconds. Default 1,000. */
  checkMs?: number | undefined;
  log: Logger;
  metrics?: Measurements;
  now: () => number;
}

/** When work is done again that failed or killed its worker. */
const RETRY = { backoffMs: 5_000, maxMs: 10 * 60_000 } as const;
/** Attempts that may fail until a dead letter says so; the work is still done again after the longest pause. */
const ATTEMPTS_MAX = 5;
/** Attempts that may end with their process until the work is left alone for a day. */
const DEATHS_MAX = 10;
const GIVEN_UP_MS = 24 * 60 * 60_000;
/** Failures count up to here only: work that fails for long, as while a service is away, is not left alone. */
const FAILURES_COUNTED_MAX = DEATHS_MAX - 2;
/** Deliveries of one message, which only a worker that is killed before it takes the record uses up. */
const DELIVERIES_MAX = 20;
/** Time for which work waits for a place of its owner, and delay if none was given back, in milliseconds. */
const PLACE_WAIT_MS = 250;
const DEFER_MS = 1_000;
/** Work that may wait for a place beside that in work. */
const WAITING_FOR_PLACE = 2;

const CHECK_MS = 1_000;
/** Interval between looks while there is work, in milliseconds. */
const BUSY_MS = 50;
/** A look at much work takes long; the relay pauses for this multiple of its duration. */
const REST_PER_LOOK = 4;
const BATCH_MAX = 64;
const LOOK_AHEAD = 100;

/** What waits to be published. */
interface Due {
  kind: AnyDueKind;
  record: DueRecord;
}

/**
 * Work that is due at certain times, over one queue. The record is the truth: the relay publishes what is due, and moves
 * its due time ahead so that it does so once; the worker claims the record that a message names. A lost message, a dead
 * worker and a failed attempt all end in the same way: the record is due again.
 */
export class DueJobs {
  private readonly kinds: ReadonlyMap<string, AnyDueKind>;
  private readonly metrics: Measurements;
  private relay: Repetition | undefined;
  private inWork = 0;
  /** Whether messages may use the room that is reserved for deletions: without it, a full disk would stop them. */
  private readonly deletes: boolean;

  constructor(private readonly options: DueJobsOptions) {
    this.kinds = new Map(options.kinds.map((kind) => [kind.name, kind]));
    this.deletes = options.kinds.some((kind) => kind.deletes === true);
    this.metrics = options.metrics ?? NO_MEASUREMENTS;
  }

  /**
   * Publishes what is due until stopped. Any number of processes may do so. `wake` has it look at once.
   */
  startRelay(): Repetition {
    const { name, queue, log, checkMs = CHECK_MS } = this.options;
    addQueueGauges({ queue, metrics: this.metrics }, [name]);
    this.addGauge();
    const relay = new DueRelay(this.options, () => this.inWork);
    this.relay = repeat(async () => {
      const begun = performance.now();
      try {
        const publish = () => relay.publish();
        if (!(await (this.deletes ? makingRoom(publish) : publish()))) return checkMs;
        return Math.max(BUSY_MS, REST_PER_LOOK * (performance.now() - begun));
      } catch (error) {
        log.warn({ err: error, queue: name }, "could not publish what is due, trying again");
        return checkMs;
      }
    });
    return this.relay;
  }

  /** Starts relay and worker. */
  start(): Repetition {
    const [relay, worker] = [this.startRelay(), this.startWorker()];
    return {
      wake: () => relay.wake(),
      stop: async (graceMs) => void (await Promise.all([relay.stop(graceMs), worker.stop(graceMs)])),
    };
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
    const held = new CompanyPlaces(placesPerOwner, places);
    const worker = { held, stopping: stopping.signal, expired: expired.signal };
    const prefetch = placesPerOwner < places ? places + WAITING_FOR_PLACE : places;
    const options = { queue, name, log, prefetch, attemptsMax: DELIVERIES_MAX, deletes: this.deletes };
    const consumer = subscribe(options, async ({ body }): Promise<Outcome> => {
      const due = readMessage(body);
      const kind = due && this.kinds.get(due.kind);
      if (due === undefined || kind === undefined) return { kind: "dead", reason: "not a message of this queue" };
      this.inWork += 1;
      try {
        const run = () => this.run(kind, due, worker);
        return await (kind.deletes === true ? makingRoom(run) : run());
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

  /** Takes the record that a message names, if it still is as it was published. */
  private async run(kind: AnyDueKind, { id, dueAt, since }: ReadMessage, worker: RunningWorker): Promise<Outcome> {
    const { now, name: queue } = this.options;
    failpoint(workerFailpoint(kind.name, "after_delivery"));
    const source = { records: kind.records, leaseMs: kind.leaseMs, now };
    const again = { id, dueAt: dueAt + GIVEN_UP_MS };
    const claim =
      (await claimDue(source, { id, dueAt }, { countsAsAttempt: true })) ??
      (await claimDue(source, again, { countsAsAttempt: true }));
    if (claim === undefined) return DONE;
    failpoint(workerFailpoint(kind.name, "after_lease"));
    const { record } = claim;
    const owner = kind.isUrgent?.(record) === true ? undefined : (kind.ownerOf?.(record) ?? 0);
    if (owner !== undefined && !(await worker.held.takeWithin(owner, PLACE_WAIT_MS))) {
      await claim.putBack(DEFER_MS);
      return DONE;
    }
    this.metrics.observeJobAge({ queue, seconds: Math.max(0, now() - since) / 1000 });
    const begun = performance.now();
    let outcome = "error";
    try {
      const done = await (isHopeless(record) ? giveUp(claim, dueAt) : this.attempt(kind, claim, worker));
      outcome = done === RETRIED ? "retry" : done.kind;
      return done;
    } finally {
      if (owner !== undefined) worker.held.giveBack(owner);
      this.metrics.observeJob({ queue, outcome, seconds: (performance.now() - begun) / 1000 });
    }
  }

  private async attempt(kind: AnyDueKind, claim: DueClaim<DueRecord>, worker: RunningWorker): Promise<Outcome> {
    const { attempts = 1 } = claim.record;
    const signal = claim.hold();
    const interrupt = () => claim.interrupt(new Error("the worker is stopping"));
    worker.expired.addEventListener("abort", interrupt);
    if (worker.expired.aborted) interrupt();
    try {
      await inSpan(this.spanOf(kind, claim.record), () => kind.work(claim, worker.stopping));
      failpoint(workerFailpoint(kind.name, "before_ack"));
      return DONE;
    } catch (error) {
      if (worker.stopping.aborted) {
        await claim.putBack(0);
        return DONE;
      }
      if (signal.aborted) return DONE; // the claim was lost
      this.options.log.warn(
        { err: error, [kind.name]: claim.record.id, attempt: attempts },
        `${kind.failure}, trying again`,
      );
      const dueAt = this.options.now() + Math.round(Math.min(RETRY.maxMs, backoffMs(RETRY, attempts)));
      await claim.update({ dueAt, attempts: Math.min(attempts, FAILURES_COUNTED_MAX) });
      return attempts === ATTEMPTS_MAX ? { kind: "dead", reason: `failed after ${attempts} attempts` } : RETRIED;
    } finally {
      worker.expired.removeEventListener("abort", interrupt);
      await claim.release();
    }
  }

  private spanOf({ name }: AnyDueKind, { id, attempts = 1 }: DueRecord) {
    const { name: queue } = this.options;
    const attributes: SpanAttributes = {
      ...messagingAttributes(queue, "process"),
      [`hourglass.${name}.id`]: id,
      "hourglass.attempt": attempts,
    };
    return { name: `process ${queue}`, kind: "consumer", parent: null, attributes } as const;
  }

  private addGauge(): void {
    const { name: queue, now, kinds } = this.options;
    const countOf = async ({ name: kind, records }: AnyDueKind) => ({
      labels: { queue, kind },
      value: await records.count({ dueAt: { lte: now() } }, COUNT_MAX),
    });
    this.metrics.gauge(
      "hourglass_due",
      "Records whose work is due and not published, at most 100,000",
      () => Promise.all(kinds.map(countOf)),
      ["queue", "kind"],
    );
  }
}

/** The failpoints of a kind of due work. A crash at any of them must neither lose the work nor end its record early. */
export function dueFailpoints(kind: string): string[] {
  const published = (["before_publish", "after_publish"] as const).map((step) => jobFailpoint(kind, step));
  const taken = (["after_delivery", "after_lease", "before_ack"] as const).map((step) => workerFailpoint(kind, step));
  return [...published, ...taken];
}

/** Counting more would take the store longer than a figure is worth that only says "too many". */
const COUNT_MAX = 100_000;

const DONE: Outcome = { kind: "done" };
/** The message is done with; the record says when the work is done again. */
const RETRIED: Outcome = { kind: "done" };

function isHopeless({ attempts = 1 }: DueRecord): boolean {
  return attempts > DEATHS_MAX;
}

/**
 * Leaves work alone for a day. The record then has a time that follows from the message, so that its dead letter takes it
 * at once if somebody puts it back.
 */
async function giveUp(claim: DueClaim<DueRecord>, published: number): Promise<Outcome> {
  await claim.update({ dueAt: published + GIVEN_UP_MS, attempts: 0 });
  return { kind: "dead", reason: `${DEATHS_MAX} workers ended before the work did` };
}

interface RunningWorker {
  /** Places that owners hold. */
  held: CompanyPlaces;
  /** Aborts when the worker is told to stop. */
  stopping: AbortSignal;
  /** Aborts when half of the time for stopping is over. */
  expired: AbortSignal;
}

/** Publishes due records of one queue, in fair order, as many as workers take soon. */
class DueRelay {
  private readonly waiting = new FairQueue<Due>({
    isUrgent: ({ kind, record }) => kind.isUrgent?.(record) ?? false,
    ownerOf: ({ kind, record }) => kind.ownerOf?.(record) ?? 0,
  });
  private readonly window: PublishWindow;
  private readAt = -Infinity;

  constructor(
    private readonly options: DueJobsOptions,
    /** Messages of this queue in work in this process. */
    private readonly inWork: () => number,
  ) {
    this.window = new PublishWindow(Math.max(2, Math.ceil(options.places / 2)));
  }

  /** Publishes until nothing is due or the window is full; false if nothing was due. */
  async publish(): Promise<boolean> {
    const { queue, name } = this.options;
    await this.read();
    const hasWork = !this.waiting.isEmpty;
    let wanted: number | undefined;
    while (!this.waiting.isEmpty) {
      const depth = Math.max(0, (await queue.depth(name)) - this.inWork());
      wanted ??= this.window.observe(depth);
      const room = Math.min(wanted - depth, BATCH_MAX);
      if (room <= 0) break;
      await Promise.all(this.waiting.take(room).map((due) => this.publishOne(due)));
    }
    this.window.finish(!this.waiting.isEmpty);
    return hasWork;
  }

  /** Reads what is due, at most once in a while as long as some of it waits. */
  private async read(): Promise<void> {
    const { kinds, checkMs = CHECK_MS, now } = this.options;
    if (!this.waiting.isEmpty && performance.now() - this.readAt < checkMs) return;
    this.readAt = performance.now();
    const due = new Map<string, Due>();
    for (const kind of kinds) {
      await kind.prepare?.();
      for await (const record of streamDue({ records: kind.records, now }, kind.lookAhead ?? LOOK_AHEAD)) {
        due.set(`${kind.name} ${record.id}`, { kind, record });
      }
    }
    this.waiting.fill(due.values());
  }

  private async publishOne({ kind, record }: Due): Promise<void> {
    const { now, queue, name } = this.options;
    const { records, leaseMs } = kind;
    const { dueAt: wasDueAt, attempts = 0 } = record;
    const since = wasDueAt ?? now();
    const marked = await claimDue({ records, leaseMs, now }, record);
    if (marked === undefined) return; // another relay was faster, or the record was changed
    const { id, dueAt } = marked.record;
    try {
      failpoint(jobFailpoint(kind.name, "before_publish"));
      await queue.publish(name, toMessage({ kind: kind.name, id, dueAt: dueAt ?? 0, since }));
      failpoint(jobFailpoint(kind.name, "after_publish"));
    } catch (error) {
      await marked.update({ dueAt: wasDueAt, attempts });
      throw error;
    }
  }
}

interface ReadMessage {
  kind: string;
  id: DueRecord["id"];
  /** The due time that marks the record as published. */
  dueAt: number;
  /** Since when it was due. */
  since: number;
}

function toMessage({ kind, id, dueAt, since }: ReadMessage): Uint8Array {
  const record: DueMessage["record"] =
    typeof id === "number" ? { case: "number", value: BigInt(id) } : { case: "key", value: id };
  const message = { kind, record, dueAt: BigInt(dueAt), since: BigInt(Math.floor(since)) };
  return toBinary(DueWorkSchema, create(DueWorkSchema, message));
}

/** Undefined if the body is no such message. */
function readMessage(body: Uint8Array): ReadMessage | undefined {
  try {
    const { kind, record, dueAt, since } = fromBinary(DueWorkSchema, body);
    if (record.case === undefined) return undefined;
    const id = record.case === "number" ? Number(record.value) : record.value;
    return { kind, id, dueAt: Number(dueAt), since: Number(since) };
  } catch {
    return undefined;
  }
}
