import type { Collections } from "../records/collections.js";

/** An operation as its caller has read it when it was done. */
export interface KnownOperation {
  id: number;
  finishedAt: number;
}

/**
 * Returns the ids of the operations that still are as they were read. An operation that is done changes no more until it
 * is deleted, and its id is never given again; the time of its end tells apart those of a store that was restored.
 */
export type CheckOperations = (known: readonly KnownOperation[], companyId: number) => Promise<number[]>;

export function createCheckOperations({ operations }: Pick<Collections, "operations">): CheckOperations {
  return async (given, companyId) => {
    const known = given.filter(({ id, finishedAt }) => Number.isSafeInteger(id) && Number.isSafeInteger(finishedAt));
    const ids = [...new Set(known.map(({ id }) => id))];
    const times = [...new Set(known.map(({ finishedAt }) => finishedAt))];
    const filter = { id: { in: ids }, companyId, status: "done", finishedAt: { in: times } } as const;
    // Nearly always all are unchanged, which a count tells without reading one of them.
    if ((await operations.count(filter)) === ids.length) return ids;
    const ends = new Map((await operations.find(filter)).map(({ id, finishedAt }) => [id, finishedAt]));
    return known.filter(({ id, finishedAt }) => ends.get(id) === finishedAt).map(({ id }) => id);
  };
}
