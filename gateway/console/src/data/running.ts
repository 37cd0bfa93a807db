import type { components } from "@hourglass/client";
import type { QueryObserverResult } from "@tanstack/query-core";
import { answered, api } from "./api.js";
import { every, useQuery } from "./queries.js";

type Schemas = components["schemas"];

/** What the server works on for the company, and whether it ever did. */
export interface Running {
  readonly analyses: readonly Schemas["ListedOperation"][];
  readonly exports: readonly Schemas["ListedExport"][];
  readonly hasAnalyses: boolean;
}

/** How often it is read while something runs, and otherwise. In milliseconds. */
const RUNNING_MS = 15_000;
const IDLE_MS = 60_000;
const SHOWN_MAX = 5;
const UNFINISHED: ReadonlySet<string> = new Set(["ready", "pending", "running"]);

/** Whether an analysis or an export waits or runs. Of a status that a later server may have, this is not known. */
export function isUnderWay(status: string): boolean {
  return UNFINISHED.has(status);
}

/** The newest analyses and exports that are not done. `products`: those of the company. */
export function useRunning(products: readonly string[] | undefined): QueryObserverResult<Running> {
  const hasApi = products?.includes("api") === true;
  const hasInsight = products?.includes("insight") === true;
  return useQuery<Running>({
    queryKey: ["running", hasApi, hasInsight],
    queryFn: async ({ signal }) => {
      const query = { limit: SHOWN_MAX };
      const [analyses, exports] = await Promise.all([
        hasApi ? answered(api.GET("/api/v2/products/api/operations", { params: { query }, signal })) : undefined,
        hasInsight ? answered(api.GET("/api/v2/products/insight/exports", { params: { query }, signal })) : undefined,
      ]);
      return {
        analyses: (analyses?.operations ?? []).filter(({ status }) => isUnderWay(status)),
        exports: (exports?.exports ?? []).filter(({ status }) => isUnderWay(status)),
        hasAnalyses: (analyses?.operations.length ?? 0) > 0,
      };
    },
    enabled: products !== undefined,
    refetchInterval: (query) => {
      const { analyses = [], exports = [] } = query.state.data ?? {};
      return every(analyses.length + exports.length > 0 ? RUNNING_MS : IDLE_MS)(query);
    },
  });
}
