import type { Change, Collection, Filter } from "../store/store.js";
import { Lease } from "./lease.js";

/** A record with work that is due at a certain time. */
export interface DueRecord {
  id: string | number;
  /** Milliseconds since the epoch; null: never. While it is published or claimed, when that runs out. */
  dueAt: number | null;
  /** Attempts that failed, those whose worker is gone, and the one in work, since the work last ended well. */
  attempts?: number;
  /** The due time that its last claim began with; null once that claim has ended. */
  claimed?: number | null;
  /** Claims that were lost while their workers lived, since the work last ended well. Each doubles the next lease. */
  losses?: number;
  /** Why the work waits that did not end well; null once it has. */
  setback?: Setback | null;
}

/**
 * `failed`: the work failed; `unavailable`: something that it needs did not answer; `lost`: the store answered too late for
 * the claim of a worker that lived; `died`: too many workers ended before the work did.
 */
export type SetbackReason = "failed" | "unavailable" | "lost" | "died";

/** Work that is to be done again. */
export interface Setback {
  why: SetbackReason;
  /** The due time until which it waits. A record with another one is published or in work. */
  until: number;
  /** The due time that its dead letter names, if it has one. */
  letter?: number;
}

/** What a record says whose work ended well; with the next due time. */
export const ENDED_WELL = {
  attempts: 0,
  claimed: null,
  losses: 0,
  setback: null,
} as const satisfies Partial<DueRecord>;

/**
 * Longest lease that losses lead to, in milliseconds, and as a power of two of the lease of the kind. Who chose a short lease
 * wants the work of a dead worker to be done again soon. Leases that are longer by themselves stay as they are.
 */
const LEASE_MAX_MS = 10 * 60_000;
const DOUBLINGS_MAX = 5;

/** The lease of a record: a claim that was lost while its worker lived doubles it, since the store answers too late for it. */
export function leaseOf({ losses = 0 }: Pick<DueRecord, "losses">, leaseMs: number): number {
  return Math.max(leaseMs, Math.min(leaseMs * 2 ** Math.min(losses, DOUBLINGS_MAX), LEASE_MAX_MS));
}

/** The longest lease of a record of a kind with this lease. */
export function longestLeaseOf(leaseMs: number): number {
  return leaseOf({ losses: DOUBLINGS_MAX }, leaseMs);
}

/** The index for finding due records; a query reads only due records. */
export const DUE_INDEX = { fields: ["dueAt"] } as const;

/** Records with due times, and the clock by which they are due. */
export interface DueRecords<R extends DueRecord> {
  records: Collection<R>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export interface ClaimableRecords<R extends DueRecord> extends DueRecords<R> {
  /** How long a claim lasts without a renewal, in milliseconds. The record is then due again. */
  leaseMs: number;
  /** Set when a claim ends without an end of the work. */
  waiting?: Partial<R> | undefined;
}

/**
 * The due records, longest waiting first, in constant memory. A record may be returned twice if it becomes due again
 * meanwhile.
 */
export function streamDue<R extends DueRecord>({ records, now }: DueRecords<R>, limit: number): AsyncIterable<R> {
  const due = records as unknown as Collection<DueRecord>;
  return due.stream({ dueAt: { lte: now() } }, { sort: [["dueAt", 1]], limit }) as AsyncIterable<R>;
}

/** The due time that a claim begins with. It differs from the one it replaces, so that the loser of a race learns of it. */
export function claimTime<R extends DueRecord>(
  { now, leaseMs }: ClaimableRecords<R>,
  { dueAt = null }: { dueAt?: number | null },
): number {
  return Math.ceil(Math.max(now() + leaseMs, (dueAt ?? 0) + 1));
}

/**
 * Claims a due record, so that only one of several processes does its work. One conditional write moves `dueAt` ahead
 * by a lease; the new value is the claim's token, because no two claims of a record share it. Undefined if another
 * process was faster or the record was changed.
 */
export async function claimDue<R extends DueRecord>(
  source: ClaimableRecords<R>,
  { id, dueAt = null }: Pick<DueRecord, "id"> & { dueAt?: number | null },
  /** Changed by the same write. */
  { set, increment }: Change<R> = {},
  until = claimTime(source, { dueAt }),
): Promise<DueClaim<R> | undefined> {
  const begun = performance.now();
  const records = source.records as unknown as Collection<DueRecord>;
  const change = { set: { ...set, dueAt: until }, ...(increment && { increment }) } as Change<DueRecord>;
  const record = await records.update({ id, dueAt }, change);
  return record && new DueClaim(source, record as R, { until, begun });
}

/** How the work of a claim that is done again later went. */
export interface Again {
  afterMs: number;
  /** Absent: it was not begun, or was interrupted. */
  why?: SetbackReason;
  /** Whether this was no attempt. */
  isUncounted?: boolean;
  /** Whether the attempts before are forgotten. */
  forgetsAttempts?: boolean;
  /** The due time that a dead letter names. */
  letter?: number | undefined;
}

/**
 * A due record claimed by this process until `dueAt`. Its writes happen one after the other, because the fence of each
 * is the due time that the one before has left.
 */
export class DueClaim<R extends DueRecord> {
  private readonly records: Collection<DueRecord>;
  private until: number;
  private lastWrite: Promise<unknown> = Promise.resolve();
  private lease: Lease | undefined;
  private fieldsOf: (progress: number) => Partial<Omit<R, "id">> = () => ({});
  /** When it was claimed, and when it was extended last, on the monotonic clock of this process. */
  private readonly begun: number;
  private extendedAt: number;
  private hasEnded = false;
  /** Whether the last write of the work was stored. */
  private hasLanded = true;

  constructor(
    private readonly source: ClaimableRecords<R>,
    /** As it was when it was claimed. */
    readonly record: R,
    { until, begun }: { until: number; begun: number },
  ) {
    this.records = source.records as unknown as Collection<DueRecord>;
    this.until = until;
    this.begun = begun;
    this.extendedAt = begun;
  }

  /** A condition that is true only while the claim is held; for claims that nothing renews meanwhile. */
  get fence(): { id: R["id"]; dueAt: number } {
    return { id: this.record.id, dueAt: this.until };
  }

  /** Whether the claim is no longer held, though nothing has ended it. */
  get isLost(): boolean {
    return !this.hasEnded && (!this.hasLanded || this.lease?.isLost === true);
  }

  /** Whether it ran out, rather than being taken away by another write. */
  get isOverdue(): boolean {
    return performance.now() - this.extendedAt >= OVERDUE * this.source.leaseMs;
  }

  /** Renews the claim until it is released. */
  hold(): Lease {
    const { leaseMs } = this.source;
    const extend = (progress: number) => this.renew(this.fieldsOf(progress));
    return (this.lease ??= new Lease({ leaseMs, begun: this.begun, extend }));
  }

  /** Has each renewal store the fields for the progress that was reported last. */
  reportBy(fieldsOf: (progress: number) => Partial<Omit<R, "id">>): void {
    this.fieldsOf = fieldsOf;
  }

  /** Aborts when a held claim is found to be lost, or when its process stops. */
  get signal(): AbortSignal {
    return this.hold().signal;
  }

  /** Aborts the work, which keeps the claim. */
  interrupt(reason: Error): void {
    this.lease?.interrupt(reason);
  }

  /** Ends the renewals; resolves when no write is under way any more. */
  async release(): Promise<void> {
    this.lease?.release();
    await this.lastWrite;
  }

  /**
   * Does a write on the condition `fence`, which is true only while the claim is held. A write that moves `dueAt` ends the
   * claim.
   */
  async write<T>(work: (fence: { id: R["id"]; dueAt: number }) => Promise<T>): Promise<T> {
    const result = await this.inTurn(work);
    this.hasLanded = isStored(result);
    return result;
  }

  /**
   * Changes fields of the record; returns it, or undefined if the claim was lost. With `dueAt` the claim ends well, and the
   * attempts are forgotten unless they are given, too.
   */
  async update(set: Partial<Omit<R, "id">>): Promise<R | undefined> {
    const ends = "dueAt" in set;
    const change = { set: ends ? { ...ENDED_WELL, ...set } : set };
    const record = await this.write((fence) => this.source.records.update(fence as Filter<R>, change));
    if (ends && record !== undefined) this.hasEnded = true;
    return record;
  }

  /** Removes the record, unless the claim was lost. */
  async delete(): Promise<void> {
    const count = await this.write((fence) => this.source.records.delete(fence as Filter<R>));
    if (count > 0) this.hasEnded = true;
  }

  /**
   * Extends the claim by another lease; false if it is lost. It moves on at least by the time that has passed, since the
   * process that looks for what is due may have a clock that is ahead of this one.
   */
  renew(fields: Partial<Omit<R, "id">> = {}): Promise<boolean> {
    return this.inTurn(async (fence) => {
      const { now, leaseMs } = this.source;
      const at = performance.now();
      const next = Math.ceil(Math.max(now() + leaseMs, this.until + at - this.extendedAt + 1));
      const renewed = (await this.records.update(fence, { set: { ...(fields as object), dueAt: next } })) !== undefined;
      if (renewed) [this.until, this.extendedAt] = [next, at];
      return renewed;
    });
  }

  /** Ends the claim well and sets the next due time; null: never. False if the claim was lost. */
  reschedule(dueAt: number | null): Promise<boolean> {
    return this.end({ set: { ...ENDED_WELL, dueAt } });
  }

  /** Ends the claim of work that is to be done again later. False if the claim was lost. */
  again(
    { afterMs, why, isUncounted, forgetsAttempts, letter }: Again,
    set: Partial<Omit<R, "id">> = {},
  ): Promise<boolean> {
    const dueAt = Math.ceil(this.source.now() + afterMs);
    const setback: Setback | undefined = why && { why, until: dueAt, ...(letter !== undefined && { letter }) };
    return this.end({
      set: {
        ...(this.source.waiting as object),
        ...(set as object),
        dueAt,
        claimed: null,
        ...(setback && { setback }),
        ...(forgetsAttempts === true && { attempts: 0 }),
      },
      ...(isUncounted === true && { increment: { attempts: -1 } }),
    });
  }

  private async end(change: Change<DueRecord>): Promise<boolean> {
    const hasEnded = await this.write(async (fence) => (await this.records.update(fence, change)) !== undefined);
    if (hasEnded) this.hasEnded = true;
    return hasEnded;
  }

  private inTurn<T>(work: (fence: { id: R["id"]; dueAt: number }) => Promise<T>): Promise<T> {
    const done = this.lastWrite.then(() => work(this.fence));
    this.lastWrite = done.catch(() => undefined);
    return done;
  }
}

/** The part of a lease after which a claim that is lost counts as overdue; a clock may be read a little early. */
const OVERDUE = 0.9;

/** Whether a conditional write was done, as collections and stores say it. */
function isStored(result: unknown): boolean {
  if (result === undefined || result === false || result === 0) return false;
  return !(typeof result === "object" && result !== null && "done" in result && result.done === false);
}
