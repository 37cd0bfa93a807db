import { type BudgetDeps, PacedBudget } from "../budget.js";

/** What the requests of one key may use. */
export interface YoutubeBudgets {
  /** Calls of search.list, which have a quota of their own. */
  readonly searches: PacedBudget;
  /** All other calls, of which each is one unit. */
  readonly units: PacedBudget;
}

export interface YoutubeQuota {
  readonly searchesPerDay: number;
  readonly unitsPerDay: number;
}

/** The budgets have the same names on both platforms of YouTube, so that these share them in the store. */
export function createBudgets(deps: BudgetDeps, { searchesPerDay, unitsPerDay }: YoutubeQuota): YoutubeBudgets {
  const searches = new PacedBudget(deps, {
    name: "youtube.searches",
    limit: searchesPerDay,
    period: "Pacific day",
    units: "searches of YouTube",
    setting: "YOUTUBE_SEARCHES_PER_DAY",
  });
  const units = new PacedBudget(deps, {
    name: "youtube.units",
    limit: unitsPerDay,
    period: "Pacific day",
    units: "units of YouTube",
    setting: "YOUTUBE_UNITS_PER_DAY",
  });
  return { searches, units };
}
