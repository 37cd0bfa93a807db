import type { Migration, Store } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import type { InsightRecord } from "../records/insight.js";
import { markSteps } from "./marks.js";
import { endOf, startOf } from "./periods.js";

export interface MarkAllDeps {
  store: Pick<Store, "commit">;
  collections: Pick<Collections, "insights" | "postings" | "summaryMarks">;
  now: () => number;
}

/** Hours marked in one commit. */
const HOURS_AT_ONCE = 500;
/** Earlier than any time that a timestamp can state. */
const EARLIEST = -8.64e15;

/**
 * Marks every hour with analysed postings once, since earlier versions stored postings without marks, or counted them
 * by other rules. A change of what is counted of a posting has a further version of this.
 */
export function markAllMigration({ store, collections, now }: MarkAllDeps): Migration {
  const { insights, summaryMarks } = collections;
  return {
    owner: "insight",
    version: 1,
    up: async () => {
      for await (const insight of insights.stream({ status: { ne: "deleted" } })) {
        let hours: Hour[] = [];
        for await (const hour of hoursOf(collections, insight)) {
          hours.push(hour);
          if (hours.length < HOURS_AT_ONCE) continue;
          await store.commit(markSteps(summaryMarks, hours, now()));
          hours = [];
        }
        if (hours.length > 0) await store.commit(markSteps(summaryMarks, hours, now()));
      }
    },
  };
}

interface Hour {
  insightId: number;
  postedAt: number;
}

/** The first posting of each hour: one look into the index for each, however many postings there are. */
async function* hoursOf(
  { postings }: Pick<Collections, "postings">,
  { id: insightId }: Pick<InsightRecord, "id">,
): AsyncGenerator<Hour> {
  for (let from = EARLIEST; ;) {
    const listedAt = { gte: from };
    const [first] = await postings.find({ insightId, listedAt }, { sort: [["listedAt", 1]], limit: 1 });
    if (typeof first?.listedAt !== "number") return;
    yield { insightId, postedAt: first.listedAt };
    from = endOf("hour", startOf("hour", first.listedAt));
  }
}
