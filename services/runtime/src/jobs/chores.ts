import type { CollectionDeclaration } from "../store/declaration.js";
import type { Collection } from "../store/store.js";
import { type AnyDueKind, dueKind } from "./due-kind.js";
import type { DueRecord } from "./due-record.js";

/** When a chore is due next; its id is the chore's name. */
export interface ChoreRecord extends DueRecord {
  id: string;
}

/** Work that is repeated, by one of all processes at a time. */
export interface Chore {
  /** Unique in its service. The record has it as its id, so it must never change. */
  name: string;
  /** Pause until it is done again, in milliseconds. */
  everyMs: number;
  /** Does some of it; returns whether more can be done at once. May be repeated after a crash at any step. */
  work(stopping: AbortSignal): Promise<boolean>;
}

/** The collection with the chores of a service. */
export function choresOf(service: string): CollectionDeclaration<ChoreRecord> {
  return {
    name: `${service}_chores`,
    indexes: [{ fields: ["dueAt"] }],
    belongs: { because: "it says only when work is repeated" },
  };
}

/** The kind of repeated work, in each service. */
export const CHORE_KIND = "chore";
const LEASE_MS = 60_000;

/** The chores of a service as a kind of due work. A new chore is due at once. */
export function choreKind(
  records: Collection<ChoreRecord>,
  chores: readonly Chore[],
  { now }: { now: () => number },
): AnyDueKind {
  const byName = new Map(chores.map((chore) => [chore.name, chore]));
  let areStored = false;
  return dueKind<ChoreRecord>({
    name: CHORE_KIND,
    records,
    leaseMs: LEASE_MS,
    failure: "repeated work could not be done",
    deletes: true,
    prepare: async () => {
      if (areStored) return;
      await records.insertNew(chores.map(({ name }) => ({ id: name, dueAt: now() })));
      areStored = true;
    },
    work: async (claim, stopping) => {
      const chore = byName.get(claim.record.id);
      // Another release has it.
      if (chore === undefined) return void (await claim.reschedule(now() + LEASE_MS));
      const hasMore = await chore.work(stopping);
      await claim.reschedule(hasMore ? now() : now() + chore.everyMs);
    },
  });
}
