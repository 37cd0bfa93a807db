import type { Collections } from "../../store/collections.js";
import type { InsightRecord } from "../../store/records.js";

export interface EndPreviewDeps {
  collections: Pick<Collections, "insights" | "searches" | "work">;
  now: () => number;
}

const NO_ANSWER =
  "None of the platforms answered. See the state of each platform for the reason, then create another preview.";

/**
 * Ends a preview all of whose searches have ended and whose postings are analysed; false if there is more to come. It
 * failed if no platform answered and nothing was imported.
 */
export async function endPreview({ collections, now }: EndPreviewDeps, insight: InsightRecord): Promise<boolean> {
  const { insights, searches, work } = collections;
  const { id, epoch, batch } = insight;
  const found = await searches.find({ insightId: id });
  if (found.some(({ outcome }) => outcome === null)) return false;
  if ((await work.find({ insightId: id }, { sort: [["batch", 1]], limit: 1 })).length > 0) return false;
  const hasAnswer = insight.postings > 0 || found.some(({ outcome }) => outcome === "answered");
  const end = hasAnswer
    ? ({ status: "completed", error: null } as const)
    : ({ status: "failed", error: NO_ANSWER } as const);
  // Whatever was stored since the insight was read has moved the batch.
  const unchanged = { id, status: "running", epoch, batch } as const;
  const ended = await insights.update(unchanged, { set: { ...end, finishedAt: now(), dueAt: null } });
  return ended !== undefined;
}
