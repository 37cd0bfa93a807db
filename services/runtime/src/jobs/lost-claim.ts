import { pauseAfter } from "../process/retry-policy.js";
import type { Change } from "../store/store.js";
import type { AnyDueKind } from "./due-kind.js";
import { type DueRecord, longestLeaseOf, type Setback } from "./due-record.js";

/** A claim that its worker has lost, or of which it does not know whether it was stored. */
export interface LostClaim {
  kind: AnyDueKind;
  id: DueRecord["id"];
  /** The due time that the claim began with, and the one that was stored last. */
  token: number;
  until: number;
  /** Whether it was stored; otherwise it may have been. */
  isConfirmed: boolean;
  /** Whether the store answered too late for it. Otherwise another write took the record from its worker. */
  isOverdue: boolean;
}

/**
 * First pause of work whose claim was lost while its worker lived, in milliseconds. With a short lease it is as short; the
 * longest is the longest lease.
 */
const FIRST_PAUSE_MS = 5_000;
const TRIES_MAX = 10;

/**
 * Has the record say that the worker lives: the claim was no attempt. If the store answered too late for it, the work waits
 * for a pause that grows, unless it was published or claimed again, and its next claims last twice as long. Returns the
 * record after the change; undefined if nothing had to be changed. May be repeated.
 */
export async function settleLost(lost: LostClaim, now: () => number): Promise<DueRecord | undefined> {
  const { kind, id, token, isConfirmed, isOverdue } = lost;
  const { records } = kind;
  const more = { attempts: -1, ...(isOverdue && { losses: 1 }) };
  // Each turn but the last was overtaken by another write.
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const found = await records.get(id);
    if (found === undefined || kind.isUnfinished?.(found) === false) return undefined;
    const { claimed = null, attempts = 0, dueAt } = found;
    // The claim has ended after all, or was never stored.
    if (claimed === null || attempts < 1 || (claimed !== token && !isConfirmed)) return undefined;
    // Another worker has claimed it since.
    if (claimed !== token) return records.update({ id, attempts: { gte: 1 } }, { increment: more });
    const change: Change<DueRecord> = { set: { claimed: null, ...afterLoss(lost, found, now) }, increment: more };
    const settled = await records.update({ id, claimed: token, dueAt }, change);
    if (settled !== undefined) return settled;
  }
  return undefined;
}

function afterLoss({ kind, until, isOverdue }: LostClaim, found: DueRecord, now: () => number): Partial<DueRecord> {
  if (!isOverdue || found.dueAt === null) return {};
  const setbackUntil = (time: number): Setback => ({ why: "lost", until: time });
  if (found.dueAt !== until) return { setback: setbackUntil(found.dueAt) };
  const { leaseMs } = kind;
  const pause = { firstMs: Math.min(FIRST_PAUSE_MS, leaseMs), maxMs: longestLeaseOf(leaseMs) };
  const dueAt = Math.ceil(now() + pauseAfter(pause, (found.losses ?? 0) + 1));
  return { ...kind.changes?.waiting, dueAt, setback: setbackUntil(dueAt) };
}
