import type { Change, Collection, Filter } from "../store/store.js";
import { Lease } from "./lease.js";

/** A record with work that is due at a certain time. */
export interface DueRecord {
  id: string | number;
  /** Milliseconds since the epoch; null: never. While it is published or claimed, when that runs out. */
  dueAt: number | null;
  /** How often a worker took it since its work last ended well. */
  attempts?: number;
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
): Promise<DueClaim<R> | undefined> {
  const begun = performance.now();
  const records = source.records as unknown as Collection<DueRecord>;
  // Differs from the replaced time; otherwise the loser of a race could not detect that it lost.
  const until = Math.ceil(Math.max(source.now() + source.leaseMs, (dueAt ?? 0) + 1));
  const change = { set: { ...set, dueAt: until }, ...(increment && { increment }) } as Change<DueRecord>;
  const record = await records.update({ id, dueAt }, change);
  return record && new DueClaim(source, record as R, { until, begun });
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
  write<T>(work: (fence: { id: R["id"]; dueAt: number }) => Promise<T>): Promise<T> {
    const done = this.lastWrite.then(() => work(this.fence));
    this.lastWrite = done.catch(() => undefined);
    return done;
  }

  /**
   * Changes fields of the record; returns it, or undefined if the claim was lost. With `dueAt` the claim ends, and the
   * attempts are forgotten unless they are given, too.
   */
  update(set: Partial<Omit<R, "id">>): Promise<R | undefined> {
    const change = { set: "dueAt" in set ? { attempts: 0, ...set } : set };
    return this.write((fence) => this.source.records.update(fence as Filter<R>, change));
  }

  /** Removes the record, unless the claim was lost. */
  async delete(): Promise<void> {
    await this.write((fence) => this.source.records.delete(fence as Filter<R>));
  }

  /**
   * Extends the claim by another lease; false if it is lost. It moves on at least by the time that has passed, since the
   * process that looks for what is due may have a clock that is ahead of this one.
   */
  renew(fields: Partial<Omit<R, "id">> = {}): Promise<boolean> {
    return this.write(async (fence) => {
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
    return this.end({ dueAt, attempts: 0 });
  }

  /** Ends the claim of work that was not begun or was interrupted, and is to be done later: that is no attempt. */
  putBack(afterMs: number): Promise<boolean> {
    const { attempts = 1 } = this.record;
    return this.again(afterMs, attempts - 1);
  }

  /** Ends the claim of work that is to be done again after a pause. */
  again(afterMs: number, attempts: number): Promise<boolean> {
    const dueAt = Math.ceil(this.source.now() + afterMs);
    return this.end({ ...(this.source.waiting as object), dueAt, attempts });
  }

  private end(set: Pick<DueRecord, "dueAt" | "attempts">): Promise<boolean> {
    return this.write(async (fence) => (await this.records.update(fence, { set })) !== undefined);
  }
}
