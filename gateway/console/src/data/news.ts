import type { components } from "@hourglass/client";
import type { QueryObserverResult } from "@tanstack/query-core";
import { answered, api } from "./api.js";
import { serverNow } from "./clock.js";
import { nameOf, platformsInTrouble, postingsByStep, type Insight } from "./insights.js";
import { DAY_MS, dayOf } from "./periods.js";
import { every, useQuery } from "./queries.js";

type Schemas = components["schemas"];
export type Spike = Schemas["Spike"];

/** Insights on the home screen; more are in their list. Each takes two requests. */
const SHOWN_MAX = 8;
const DAYS = 14;
/** With two requests for each insight: a page that nobody looks at asks for little. In milliseconds. */
const NEWS_MS = 300_000;

/** An insight, and what is new in it. */
export interface InsightNews {
  readonly insight: Insight;
  readonly name: string;
  /** Postings of the last days, oldest first; null where nothing was collected. */
  readonly days: readonly (number | null)[];
  /** Postings stored since the watermark; undefined without one. */
  readonly newPostings: number | undefined;
  /** Whether there are more than were counted. */
  readonly isMore: boolean;
  readonly watermark: string;
  /** Days of the last two weeks with unusually many postings, on all platforms together. */
  readonly spikes: readonly Spike[];
  readonly trouble: Insight["platforms"];
}

/** The newest insights of the company and what is new in each since these watermarks. */
export function useNews(since: Readonly<Record<string, string>>): QueryObserverResult<readonly InsightNews[]> {
  return useQuery<readonly InsightNews[]>({
    queryKey: ["news", since],
    queryFn: async ({ signal }) => {
      const query = { limit: SHOWN_MAX };
      const { insights } = await answered(api.GET("/api/v2/products/insight", { params: { query }, signal }));
      return Promise.all(insights.map((insight) => newsOf(insight, since[String(insight.id)], signal)));
    },
    refetchInterval: every(NEWS_MS),
  });
}

async function newsOf(insight: Insight, since: string | undefined, signal: AbortSignal): Promise<InsightNews> {
  const path = { id: insight.id };
  const now = serverNow();
  const start_date = dayOf(now - (DAYS - 1) * DAY_MS);
  const end_date = dayOf(now + DAY_MS);
  const counted = since === undefined ? { limit: 1 } : { limit: 1, total: true, since };
  const [summary, page] = await Promise.all([
    answered(
      api.GET("/api/v2/products/insight/{id}/summary", {
        params: { path, query: { start_date, end_date, interval: "day", top: 1 } },
        signal,
      }),
    ),
    answered(api.GET("/api/v2/products/insight/{id}/postings", { params: { path, query: counted }, signal })),
  ]);
  return {
    insight,
    name: nameOf(insight),
    days: postingsByStep(summary),
    newPostings: since === undefined ? undefined : page.total,
    isMore: page.total_is_exact === false,
    watermark: page.watermark,
    spikes: summary.spikes.spikes.filter(({ platform, metric }) => platform === null && metric === "postings"),
    trouble: platformsInTrouble(insight),
  };
}
