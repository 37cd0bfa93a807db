import { type IdPage, type IdPageRequest, readIdPage } from "@hourglass/runtime";
import { recheckWarning } from "../collect/search/recheck-warning.js";
import { type ShownState, shownState } from "../collect/search/platform-state.js";
import type { Collections } from "../records/collections.js";
import type { InsightRecord } from "../records/insight.js";
import { findInsight } from "../records/find-insight.js";
import { recheckId } from "../records/recheck.js";

/** An insight with the state of its collection. */
export interface FullInsight {
  insight: InsightRecord;
  /** In the order of the query's platforms. */
  searches: ShownState[];
  /** Postings whose analysis is neither done nor given up. */
  unanalysed: number;
}

export interface ReadInsightsDeps {
  collections: Collections;
  now: () => number;
}

/** Throws AppError `not-found` for an insight that is unknown or another company's. */
export type GetInsight = (id: number, companyId: number) => Promise<FullInsight>;

export function createGetInsight(deps: ReadInsightsDeps): GetInsight {
  return async (id, companyId) => fill(deps, await findInsight(deps.collections.insights, id, companyId));
}

/** One page, newest first. Throws AppError `invalid` for a cursor that was not issued here. */
export type ListInsights = (companyId: number, page: IdPageRequest) => Promise<IdPage<FullInsight>>;

export function createListInsights(deps: ReadInsightsDeps): ListInsights {
  return async (companyId, page) => {
    const filter = { companyId, status: { ne: "deleted" } } as const;
    const { records, nextCursor } = await readIdPage(deps.collections.insights, filter, page);
    return { records: await Promise.all(records.map((insight) => fill(deps, insight))), nextCursor };
  };
}

async function fill({ collections, now }: ReadInsightsDeps, insight: InsightRecord): Promise<FullInsight> {
  const { searches, work } = collections;
  const { id: insightId, query } = insight;
  const [found, unanalysed, late] = await Promise.all([
    searches.find({ insightId }),
    work.count({ insightId }),
    readWarnings(collections, insight, now()),
  ]);
  const inOrder = query.platforms.flatMap((name) => found.filter(({ platform }) => platform === name));
  const shown = inOrder.map((search) => {
    const state = shownState(search, now());
    return { ...state, warnings: [...state.warnings, ...(late.get(search.platform) ?? [])] };
  });
  return { insight, searches: shown, unanalysed };
}

/** By platform: what the owner should know about the comparison of stored postings with it. */
async function readWarnings(
  { rechecks }: Pick<Collections, "rechecks">,
  { companyId, query }: InsightRecord,
  now: number,
): Promise<Map<string, string[]>> {
  const ids = query.platforms.map((platform) => recheckId(companyId, platform));
  const records = await rechecks.find({ id: { in: ids } });
  return new Map(
    records.map((record) => [record.platform, [recheckWarning(record, now)].flatMap((text) => text ?? [])]),
  );
}
