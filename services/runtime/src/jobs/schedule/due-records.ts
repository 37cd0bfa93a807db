import type { Change, Collection, Filter } from "../../store/store.js";

/** A record that something is to be done about at a time. */
export interface DueRecord {
  id: string | number;
  /** Milliseconds since the epoch; null: never. */
  dueAt: number | null;
}

/** The index that finding due records needs: a look-up reads those that are due, however many are not. */
export const DUE_INDEX = { fields: ["dueAt"] } as const;

export interface ClaimDeps<R extends DueRecord> {
  records: Collection<R>;
  /** How long a claim lasts: when its process dies, the record is due again by then. In milliseconds. */
  leaseMs: number;
  now: () => number;
}

/** The records that are due, those that have waited longest first. */
export function findDue<R extends DueRecord>(
  { records, now }: Pick<ClaimDeps<R>, "records" | "now">,
  limit: number,
): Promise<R[]> {
  const due = records as unknown as Collection<DueRecord>;
  return due.find({ dueAt: { lte: now() } }, { sort: [["dueAt", 1]], limit }) as Promise<R[]>;
}

/**
 * Claims a due record, so that of several processes one does its work: by one conditional write `dueAt` moves a lease
 * ahead, and that time is the claim's token, since no two claims of a record share it. Nothing when another process was
 * quicker, or the record was changed.
 */
export async function claimDue<R extends DueRecord>(
  deps: ClaimDeps<R>,
  { id, dueAt }: R,
): Promise<DueClaim<R> | undefined> {
  const records = deps.records as unknown as Collection<DueRecord>;
  // Never the time that is replaced, or whoever lost the claim could not tell.
  const until = Math.max(deps.now() + deps.leaseMs, (dueAt ?? 0) + 1);
  const record = await records.update({ id, dueAt }, { set: { dueAt: until } });
  return record && new DueClaim(deps, record as R, until);
}

/** A due record that is this process's own until `dueAt`. */
export class DueClaim<R extends DueRecord> {
  private readonly records: Collection<DueRecord>;

  constructor(
    private readonly deps: ClaimDeps<R>,
    readonly record: R,
    private until: number,
  ) {
    this.records = deps.records as unknown as Collection<DueRecord>;
  }

  /** Holds only as long as the claim does: what its owner writes carries it as a condition. */
  get fence(): { id: R["id"]; dueAt: number } {
    return { id: this.record.id, dueAt: this.until };
  }

  /** Makes the claim last another lease; false when it is lost. Not to be called while a fenced write is under way. */
  async renew(): Promise<boolean> {
    const next = Math.max(this.deps.now() + this.deps.leaseMs, this.until + 1);
    return this.moveTo(next);
  }

  /** Ends the claim: the record is due again then, null: never. False when the claim was lost. */
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
