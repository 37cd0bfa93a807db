import type { Migration } from "@hourglass/runtime";
import type { Collections } from "./collections.js";
import { postingOrder } from "./posting-order.js";
import { type InsightRecord, sortNameOf } from "./records.js";

/** What lists of insights are sorted by, as the interface names it, and the field that has it. */
export const SORT_FIELDS = {
  created_at: "id",
  name: "sortName",
  activity: "activeAt",
  postings: "postings",
} as const satisfies Readonly<Record<string, keyof InsightRecord>>;

export type InsightSort = keyof typeof SORT_FIELDS;

/**
 * Gives insights of earlier releases what lists are sorted by. The last activity is that of the posting that was posted last,
 * since no index tells which was stored last.
 */
export function sortKeysMigration(
  { insights, postings }: Pick<Collections, "insights" | "postings">,
  version: number,
): Migration {
  return {
    owner: "insight",
    version,
    up: async (_store, progress) => {
      for await (const insight of insights.stream({ status: { ne: "deleted" } })) {
        const { id: insightId } = insight;
        const [last] = await postings.find({ insightId }, { sort: postingOrder("postedAt", -1), limit: 1 });
        const activeAt = insight.activeAt ?? last?.storedAt ?? null;
        await insights.update({ id: insightId }, { set: { sortName: sortNameOf(insight), activeAt } });
        progress(1);
      }
    },
  };
}
