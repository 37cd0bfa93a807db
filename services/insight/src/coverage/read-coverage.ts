import type { Collection } from "@hourglass/runtime";
import type { GapReason } from "../platforms/connector.js";
import type { CoverageSpan } from "../records/coverage-span.js";
import type { InsightRecord, PlatformName } from "../records/insight.js";
import type { SearchRecord } from "../records/search.js";
import { missingReason } from "./missing-reason.js";
import { joined } from "./spans.js";

/** A span of time of posting, in milliseconds since the epoch: the start is inclusive, the end exclusive. */
export interface CoverageRange {
  start: number;
  end: number;
}

export interface PlatformCoverage {
  platform: PlatformName;
  /** In order of time, without gaps or overlaps; together they are the range asked for. */
  spans: CoverageSpan[];
}

export interface ReadCoverageDeps {
  searches: Collection<SearchRecord>;
  now: () => number;
}

/** Tells how completely an insight was collected in a range of time, per platform in the order of its query. */
export async function readCoverage(
  { searches, now }: ReadCoverageDeps,
  insight: Pick<InsightRecord, "id" | "status" | "query">,
  range: CoverageRange,
): Promise<PlatformCoverage[]> {
  const found = await searches.find({ insightId: insight.id });
  const byPlatform = new Map(found.map((search) => [search.platform, search]));
  return insight.query.platforms.flatMap((platform) => {
    const search = byPlatform.get(platform);
    if (search === undefined) return [];
    return [{ platform, spans: spansWithin(search, { insight, range, now: now() }) }];
  });
}

interface Question {
  insight: Pick<InsightRecord, "status">;
  range: CoverageRange;
  now: number;
}

function spansWithin(search: SearchRecord, { insight, range, now }: Question): CoverageSpan[] {
  const { coverage } = search;
  const first = coverage[0]?.from ?? -Infinity;
  const last = coverage.at(-1)?.to ?? -Infinity;
  const missing = missingSince(search, insight);
  const tail: CoverageSpan[] = [
    { from: last, to: Math.max(last, now), completeness: "unknown", reasons: [missing] },
    { from: Math.max(last, now), to: Infinity, completeness: "unknown", reasons: ["pending"] },
  ];
  const before: CoverageSpan = { from: -Infinity, to: first, completeness: "unknown", reasons: ["before_window"] };
  return joined(
    [before, ...coverage, ...tail]
      .map((span) => ({ ...span, from: Math.max(span.from, range.start), to: Math.min(span.to, range.end) }))
      .filter(({ from, to }) => from < to),
  );
}

/** Why nothing is known of the time since the last poll. */
function missingSince(search: SearchRecord, { status }: Pick<InsightRecord, "status">): GapReason {
  if (search.preview) return search.outcome === null ? "pending" : "preview";
  if (status === "paused") return "pause";
  return missingReason(search.status) ?? "pending";
}
