import type { Logger } from "../log.js";
import type { Owner } from "../process/fair-limit.js";
import { repeat, type Repetition } from "../process/repetition.js";
import { makingRoom } from "../storage/disk-reserve.js";
import type { Change, Collection, Filter } from "../store/store.js";

/** A record with work that is due at a certain time. */
export interface DueRecord {
  id: string | number;
  /** Milliseconds since the epoch; null: never. */
  dueAt: number | null;
}

/** The index for finding due records; a query reads only due records. */
export const DUE_INDEX = { fields: ["dueAt"] } as const;

/** Records with due times, and the clock by which they are due. */
export interface DueRecords<R extends DueRecord> {
  records: Collection<R>;
  now: () => number;
}

export interface ClaimableRecords<R extends DueRecord> extends DueRecords<R> {
  /** How long a claim lasts, in milliseconds. If its process dies, the record is due again after this time. */
  leaseMs: number;
}

/** The due records, longest waiting first. */
export function findDue<R extends DueRecord>({ records, now }: DueRecords<R>, limit: number): Promise<R[]> {
  const due = records as unknown as Collection<DueRecord>;
  return due.find({ dueAt: { lte: now() } }, { sort: [["dueAt", 1]], limit }) as Promise<R[]>;
}

/** Like findDue, in constant memory. A record may be returned twice if it becomes due again meanwhile. */
export function streamDue<R extends DueRecord>({ records, now }: DueRecords<R>, limit: number): AsyncIterable<R> {
  const due = records as unknown as Collection<DueRecord>;
  return due.stream({ dueAt: { lte: now() } }, { sort: [["dueAt", 1]], limit }) as AsyncIterable<R>;
}

/**
 * Claims a due record, so that only one of several processes does its work. One conditional write moves `dueAt` ahead
 * by a lease; the new value is the claim's token, because no two claims of a record share it. Undefined if another
 * process was faster or the record was changed.
 */
export async function claimDue<R extends DueRecord>(
  source: ClaimableRecords<R>,
  { id, dueAt }: R,
): Promise<DueClaim<R> | undefined> {
  const records = source.records as unknown as Collection<DueRecord>;
  // Differs from the replaced time; otherwise the loser of a race could not detect that it lost.
  const until = Math.max(source.now() + source.leaseMs, (dueAt ?? 0) + 1);
  const record = await records.update({ id, dueAt }, { set: { dueAt: until } });
  return record && new DueClaim(source, record as R, until);
}

/** A due record claimed by this process until `dueAt`. */
export class DueClaim<R extends DueRecord> {
  private readonly records: Collection<DueRecord>;

  constructor(
    private readonly source: ClaimableRecords<R>,
    readonly record: R,
    private until: number,
  ) {
    this.records = source.records as unknown as Collection<DueRecord>;
  }

  /** A condition for the owner's writes, which is true only while the claim is held. */
  get fence(): { id: R["id"]; dueAt: number } {
    return { id: this.record.id, dueAt: this.until };
  }

  /** Extends the claim by another lease; false if it is lost. Must not be called during a fenced write. */
  async renew(): Promise<boolean> {
    const next = Math.max(this.source.now() + this.source.leaseMs, this.until + 1);
    return this.moveTo(next);
  }

  /** Ends the claim and sets the next due time; null: never. False if the claim was lost. */
  async reschedule(dueAt: number | null): Promise<boolean> {
    return this.moveTo(dueAt);
  }

  private async moveTo(dueAt: number | null): Promise<boolean> {
    const filter: Filter<DueRecord> = this.fence;
    const change: Change<DueRecord> = { set: { dueAt } };
    const moved = await this.records.update(filter, change);
    if (moved !== undefined) this.until = dueAt ?? this.until;
    return moved !== undefined;
  }
}

export interface ScheduleOptions<R extends DueRecord> extends ClaimableRecords<R> {
  /** Interval between checks for due records, in milliseconds. */
  everyMs: number;
  /** Records processed concurrently. */
  concurrency: number;
  /** Whether the work deletes, and so may use the room that is reserved for that. Default: false. */
  deletes?: boolean;
  /** Default: longest waiting first. */
  order?: DueOrder<R>;
  /** The order applies to this many records that have waited longest; they are read at once. Default 100. */
  lookAhead?: number;
  log: Logger;
  /** Log message for a failure, for example `old files could not be removed`. */
  failure: string;
}

/**
 * Does the work of a due record: ends the claim with `reschedule`, or removes or changes the record under its `fence`.
 * A record that is left unchanged, or whose work fails, is due again when the claim expires.
 */
export type DueWork<R extends DueRecord> = (claim: DueClaim<R>) => Promise<void>;

const LOOK_AHEAD = 100;
/** One owner, none urgent. */
const LONGEST_WAITING_FIRST: DueOrder<unknown> = { isUrgent: () => false, ownerOf: () => 0 };

/**
 * Does the work of records when they are due. Any number of processes may run a schedule: each record is claimed by one
 * of them at a time. Work that is overdue several times is done once. Slow work delays only what has no free place.
 */
export function startSchedule<R extends DueRecord>(options: ScheduleOptions<R>, work: DueWork<R>): Repetition {
  const places = new Places(options, work);
  const loop = repeat(async () => {
    await places.check();
    return options.everyMs;
  });
  places.onFree = () => loop.wake();
  return {
    wake: () => loop.wake(),
    stop: async (graceMs) => {
      places.close();
      await loop.stop(graceMs);
      await places.ended();
    },
  };
}

/** The records in work, and those that wait for a free place. */
class Places<R extends DueRecord> {
  /** Called when a place is free and the records must be read again. */
  onFree = (): void => undefined;
  private readonly queue: DueQueue<R>;
  private readonly running = new Map<R["id"], Promise<void>>();
  /** Whether more records are due than the queue was given. */
  private hasMore = false;
  /** Whether a check was left out because no place was free, so that the queue may lack urgent records. */
  private isStale = false;
  private closed = false;

  constructor(
    private readonly options: ScheduleOptions<R>,
    private readonly work: DueWork<R>,
  ) {
    this.queue = new DueQueue<R>(options.order ?? LONGEST_WAITING_FIRST);
  }

  /** Reads what is due and fills the free places. If none is free, the next free place causes a check. */
  async check(): Promise<void> {
    this.isStale = this.running.size >= this.options.concurrency;
    if (this.closed || this.isStale) return;
    try {
      await this.fillQueue();
    } catch (error) {
      this.warn(error);
    }
    this.fillPlaces();
  }

  close(): void {
    this.closed = true;
    this.queue.clear();
  }

  async ended(): Promise<void> {
    await Promise.all(this.running.values());
  }

  private async fillQueue(): Promise<void> {
    const limit = this.options.lookAhead ?? LOOK_AHEAD;
    const due = new Map<R["id"], R>();
    let read = 0;
    this.hasMore = false;
    for await (const record of streamDue(this.options, limit)) {
      read += 1;
      due.set(record.id, record);
    }
    if (this.closed) return;
    this.queue.fill(due.values());
    this.hasMore = read === limit;
  }

  private fillPlaces(): void {
    while (!this.closed && this.running.size < this.options.concurrency) {
      const record = this.queue.next();
      if (record === undefined) return;
      // It was read before its claim was stored.
      if (this.running.has(record.id)) continue;
      const process = () => this.process(record);
      this.running.set(record.id, this.options.deletes === true ? makingRoom(process) : process());
    }
  }

  private async process(record: R): Promise<void> {
    try {
      const claim = await this.claim(record);
      if (claim !== undefined) await this.work(claim);
    } catch (error) {
      this.warn(error);
    }
    this.running.delete(record.id);
    if (this.isStale || (this.hasMore && this.queue.isEmpty)) this.onFree();
    else this.fillPlaces();
  }

  private async claim(record: R): Promise<DueClaim<R> | undefined> {
    try {
      return await claimDue(this.options, record);
    } catch (error) {
      // The store is unavailable: the next check reads the records again.
      this.queue.clear();
      this.hasMore = false;
      throw error;
    }
  }

  private warn(error: unknown): void {
    this.options.log.warn({ err: error }, `${this.options.failure}, trying again`);
  }
}

/** Order of due records; default: longest waiting first. */
export interface DueOrder<R> {
  /** Urgent records go before all others. */
  isUrgent(record: R): boolean;
  /** Owners take turns, among urgent and among other records; records of one owner go longest waiting first. */
  ownerOf(record: R): Owner;
}

/** Records of each owner; owners in the order of their turns. */
type Turns<R> = Map<Owner, R[]>;

/**
 * Due records that wait for a free place. Owners keep their turns when the records are read again, so that one with a long
 * backlog is not served first each time.
 */
export class DueQueue<R extends DueRecord> {
  private urgent: Turns<R> = new Map();
  private others: Turns<R> = new Map();
  /** Ordinal of each owner's last turn. */
  private readonly served = new Map<Owner, number>();
  private turns = 0;

  constructor(private readonly order: DueOrder<R>) {}

  /** Replaces the records; they are given longest waiting first. */
  fill(records: Iterable<R>): void {
    const urgent: Turns<R> = new Map();
    const others: Turns<R> = new Map();
    for (const record of records) {
      const turns = this.order.isUrgent(record) ? urgent : others;
      const owner = this.order.ownerOf(record);
      const own = turns.get(owner);
      if (own === undefined) turns.set(owner, [record]);
      else own.push(record);
    }
    for (const owner of this.served.keys()) {
      if (!urgent.has(owner) && !others.has(owner)) this.served.delete(owner);
    }
    this.urgent = this.inTurn(urgent);
    this.others = this.inTurn(others);
  }

  /** Removes and returns the next record; undefined if none is left. */
  next(): R | undefined {
    return this.takeFrom(this.urgent) ?? this.takeFrom(this.others);
  }

  get isEmpty(): boolean {
    return this.urgent.size === 0 && this.others.size === 0;
  }

  clear(): void {
    this.urgent.clear();
    this.others.clear();
  }

  /** Owners served longest ago first; owners never served, by their longest waiting record, before them. */
  private inTurn(turns: Turns<R>): Turns<R> {
    const lastTurn = (owner: Owner) => this.served.get(owner) ?? 0;
    const sorted = [...turns].sort(([a], [b]) => lastTurn(a) - lastTurn(b));
    return new Map(sorted.map(([owner, records]) => [owner, records.reverse()]));
  }

  /** The records of an owner are reversed, so that the first is removed in constant time. */
  private takeFrom(turns: Turns<R>): R | undefined {
    for (const [owner, records] of turns) {
      const record = records.pop();
      turns.delete(owner);
      if (records.length > 0) turns.set(owner, records);
      this.served.set(owner, ++this.turns);
      return record;
    }
    return undefined;
  }
}
