import type { Change, Collection, Filter } from "../../store/store.js";

/** A record with work that is due at a certain time. */
export interface DueRecord {
  id: string | number;
  /** Milliseconds since the epoch; null: never. */
  dueAt: number | null;
}

/** The index for finding due records; a query reads only due records. */
export const DUE_INDEX = { fields: ["dueAt"] } as const;

export interface ClaimDeps<R extends DueRecord> {
  records: Collection<R>;
  /** How long a claim lasts, in milliseconds. If its process dies, the record is due again after this time. */
  leaseMs: number;
  now: () => number;
}

/** The due records, longest waiting first. */
export function findDue<R extends DueRecord>(
  { records, now }: Pick<ClaimDeps<R>, "records" | "now">,
  limit: number,
): Promise<R[]> {
  const due = records as unknown as Collection<DueRecord>;
  return due.find({ dueAt: { lte: now() } }, { sort: [["dueAt", 1]], limit }) as Promise<R[]>;
}

/** Like findDue, in constant memory. A record may be returned twice if it becomes due again meanwhile. */
export function streamDue<R extends DueRecord>(
  { records, now }: Pick<ClaimDeps<R>, "records" | "now">,
  limit: number,
): AsyncIterable<R> {
  const due = records as unknown as Collection<DueRecord>;
  return due.stream({ dueAt: { lte: now() } }, { sort: [["dueAt", 1]], limit }) as AsyncIterable<R>;
}

/**
 * Claims a due record, so that only one of several processes does its work. One conditional write moves `dueAt` ahead
 * by a lease; the new value is the claim's token, because no two claims of a record share it. Undefined if another
 * process was faster or the record was changed.
 */
export async function claimDue<R extends DueRecord>(
  deps: ClaimDeps<R>,
  { id, dueAt }: R,
): Promise<DueClaim<R> | undefined> {
  const records = deps.records as unknown as Collection<DueRecord>;
  // Differs from the replaced time; otherwise the loser of a race could not detect that it lost.
  const until = Math.max(deps.now() + deps.leaseMs, (dueAt ?? 0) + 1);
  const record = await records.update({ id, dueAt }, { set: { dueAt: until } });
  return record && new DueClaim(deps, record as R, until);
}

/** A due record claimed by this process until `dueAt`. */
export class DueClaim<R extends DueRecord> {
  private readonly records: Collection<DueRecord>;

  constructor(
    private readonly deps: ClaimDeps<R>,
    readonly record: R,
    private until: number,
  ) {
    this.records = deps.records as unknown as Collection<DueRecord>;
  }

  /** A condition for the owner's writes, which is true only while the claim is held. */
  get fence(): { id: R["id"]; dueAt: number } {
    return { id: this.record.id, dueAt: this.until };
  }

  /** Extends the claim by another lease; false if it is lost. Must not be called during a fenced write. */
  async renew(): Promise<boolean> {
    const next = Math.max(this.deps.now() + this.deps.leaseMs, this.until + 1);
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
