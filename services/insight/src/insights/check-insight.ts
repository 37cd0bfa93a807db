import { planInsight, type PlatformPlan } from "../collect/search/plan-insight.js";
import type { Platforms } from "../platforms/registry.js";
import type { InsightQuery } from "../records/insight.js";
import { parseKeywords } from "../query/parser.js";
import { sentencesOfLocation } from "./notices.js";
import { placesOfQuery } from "./query-places.js";

/** What a search would do. */
export interface InsightCheck {
  terms: string[];
  platforms: PlatformPlan[];
  /** Sentences about the search as a whole. */
  warnings: string[];
}

/** Tells what a search would do, without storing or sending anything. Throws AppError `invalid` like a creation. */
export type CheckInsight = (query: InsightQuery) => Promise<InsightCheck>;

export function createCheckInsight(platforms: Platforms): CheckInsight {
  return async (query) => {
    const keywords = parseKeywords(query.keywords);
    const places = await placesOfQuery(query, platforms);
    const plans = planInsight(query, { keywords, places }, platforms);
    const isCollected = plans.some(({ status }) => status === "waiting");
    const uncollected = isCollected
      ? []
      : ["No platform of this search collects on this server. Import postings instead."];
    const warnings = [...uncollected, ...sentencesOfLocation(query, platforms, places)];
    return { terms: keywords.terms.map(({ text }) => text), platforms: plans, warnings };
  };
}
