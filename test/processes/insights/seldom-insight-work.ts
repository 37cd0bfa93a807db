import { administerReanalyses } from "@hourglass/insight";
import type { DueRecord } from "@hourglass/runtime";
import type { SeldomWork } from "../crash-loop/lives.js";
import type { OpenedStore } from "./open-store.js";
import type { PromisedInsight } from "./promised-insight.js";

/**
 * Work on insights that traffic alone leads to seldom: erasures whose process has died, minutes before; counts for summaries
 * of what nobody has changed for a while; analyses that an operator repeats.
 */
export function seldomInsightWork({ store }: OpenedStore, insights: readonly PromisedInsight[]): SeldomWork {
  return {
    leftBy: { erasure: "insight.after_tombstone", recount: undefined, "posting-reanalysis": undefined },
    makeDue: async () => {
      for (const name of ["posting_erasures", "summary_marks", "summary_recounts", "posting_reanalyses"]) {
        const records = await store.collection<DueRecord>({ name });
        const now = Date.now();
        await records.updateMany({ dueAt: { gt: now } }, { set: { dueAt: now } });
      }
      const reanalyses = await administerReanalyses({ store });
      const [lasting] = insights;
      if (lasting !== undefined) await reanalyses.begin({ insightId: lasting.id });
    },
  };
}
