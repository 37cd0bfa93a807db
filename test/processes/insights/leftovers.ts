import type { OpenedStore } from "./open-store.js";

/** Collections with records of insights; the field names the insight. */
const HOLDERS = [
  ["insights", "id"],
  ["insight_searches", "insightId"],
  ["postings", "insightId"],
  ["posting_work", "insightId"],
  ["posting_imports", "insightId"],
] as const;

interface Held {
  id: string | number;
  insightId: number;
}

/** What the store still holds of deleted insights: sentences such as `postings holds 3 of insight 7`. */
export async function findLeftovers({ store }: OpenedStore, insightIds: readonly number[]): Promise<string[]> {
  const left: string[] = [];
  for (const [name, field] of HOLDERS) {
    const collection = await store.collection<Held>({ name });
    for (const id of insightIds) {
      const count = await collection.count({ [field]: id });
      if (count > 0) left.push(`${name} holds ${count} of insight ${id}`);
    }
  }
  return left;
}
