import { EVERYWHERE, type SearchPlaces } from "../../platforms/places.js";
import type { CollectionMode } from "../../platforms/connector.js";
import { type Platforms, readinessNow } from "../../platforms/registry.js";
import type { InsightQuery, PlatformName } from "../../store/records.js";
import type { Query } from "../../query/ast.js";

/** What a search would do on one platform. */
export interface PlatformPlan {
  platform: PlatformName;
  status: "waiting" | "not_configured";
  /** `import`: the platform is not configured, so that postings can only be imported. */
  mode: CollectionMode | "import";
  queries: readonly string[];
  narrowedLocally: boolean;
  cost: string;
  warnings: readonly string[];
}

/** What the texts of a query mean. */
export interface ReadQuery {
  readonly keywords: Query;
  readonly places: SearchPlaces;
}

/** Tells what a search would do on each of its platforms; nothing is sent or stored. */
export function planInsight(
  { follow, sneakPeek: preview, platforms: searched }: InsightQuery,
  { keywords, places }: ReadQuery,
  platforms: Platforms,
): PlatformPlan[] {
  return searched.map((platform) => {
    const readiness = readinessNow(platforms, platform);
    if ("missing" in readiness) return unready(platform, readiness.missing);
    const { connector } = readiness;
    const meant = connector.located === true ? places : EVERYWHERE;
    const plan = connector.plan({ query: keywords, places: meant, follow, preview });
    return { platform, status: "waiting", mode: connector.mode, ...plan };
  });
}

function unready(platform: PlatformName, missing: string): PlatformPlan {
  return {
    platform,
    status: "not_configured",
    mode: "import",
    queries: [],
    narrowedLocally: false,
    cost: "",
    warnings: [missing],
  };
}
