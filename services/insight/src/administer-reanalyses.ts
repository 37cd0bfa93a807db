import type { Store } from "@hourglass/runtime";
import { type Collections, insightNotFound, openCollections } from "./store/collections.js";
import type { InsightRecord, Reanalysis } from "./store/records.js";

/** How far the reanalysis of an insight is. */
export interface ReanalysisState {
  insightId: number;
  status: "never asked for" | "running" | "done";
  /** Stored postings, how many of them were looked at, and how many of these were put into analysis. */
  postings: number;
  seen: number;
  put: number;
  /** Milliseconds since the epoch; undefined: not yet. */
  startedAt: number | undefined;
  finishedAt: number | undefined;
}

/** One insight, or all of a company. */
export type ReanalysisScope = { insightId: number } | { companyId: number };

/** Has the stored postings of insights analyzed again. AppError `not-found` for an insight that is not there. */
export interface ReanalysisAdministration {
  /** Begins it, where it is not running; workers do it in the background. */
  begin(scope: ReanalysisScope): Promise<ReanalysisState[]>;
  read(scope: ReanalysisScope): Promise<ReanalysisState[]>;
}

/** Opens the reanalyses on a store that servers may be using. */
export async function administerReanalyses({
  store,
  now = Date.now,
}: {
  store: Store;
  /** Tests set it. */
  now?: () => number;
}): Promise<ReanalysisAdministration> {
  const collections = await openCollections(store);
  const { reanalyses } = collections;
  const read = async (scope: ReanalysisScope) => {
    const insights = await insightsOf(collections, scope);
    const found = await reanalyses.find({ id: { in: insights.map(({ id }) => id) } });
    const known = new Map(found.map((record) => [record.id, record]));
    return insights.map((insight) => stateOf(insight, known.get(insight.id)));
  };
  return {
    read,
    begin: async (scope) => {
      for (const { id, companyId } of await insightsOf(collections, scope)) {
        const { id: _id, ...fresh } = newReanalysis({ id, companyId }, now());
        const [isNew] = await reanalyses.insertNew([{ ...fresh, id }]);
        if (isNew !== true) await reanalyses.update({ id, finishedAt: { ne: null } }, { set: fresh });
      }
      return read(scope);
    },
  };
}

async function insightsOf({ insights }: Collections, scope: ReanalysisScope): Promise<InsightRecord[]> {
  if ("companyId" in scope) return insights.find({ companyId: scope.companyId, status: { ne: "deleted" } });
  const insight = await insights.get(scope.insightId);
  if (insight === undefined || insight.status === "deleted") throw insightNotFound();
  return [insight];
}

function newReanalysis(of: Pick<Reanalysis, "id" | "companyId">, now: number): Reanalysis {
  const nothing = { after: null, isRead: false, seen: 0, put: 0, putAt: 0, attempts: 0 };
  return { ...of, ...nothing, startedAt: now, finishedAt: null, dueAt: now };
}

function stateOf({ id: insightId, postings }: InsightRecord, record: Reanalysis | undefined): ReanalysisState {
  if (record === undefined) {
    const nothing = { seen: 0, put: 0, startedAt: undefined, finishedAt: undefined };
    return { insightId, postings, status: "never asked for", ...nothing };
  }
  const { seen, put, startedAt, finishedAt } = record;
  const status = finishedAt === null ? "running" : "done";
  return { insightId, postings, status, seen, put, startedAt, finishedAt: finishedAt ?? undefined };
}
