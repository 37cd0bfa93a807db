export { buildInsightService, type BuiltInsightService, type InsightServiceDeps } from "./service.js";
export { INSIGHT_FAILPOINTS } from "./failpoints.js";
export { insightData } from "./store/service-data.js";
export { INSIGHT_ROLES } from "./roles.js";
export {
  administerPlatforms,
  type BudgetState,
  type PlatformAdministration,
  type PlatformCheck,
  type PlatformState,
} from "./administer-platforms.js";
export {
  administerReanalyses,
  type ReanalysisAdministration,
  type ReanalysisScope,
  type ReanalysisState,
} from "./administer-reanalyses.js";
export { lookAtWork, type StalledSearch, type WorkAdministration } from "./administer-work.js";
export { openImports, type ImportAdministration } from "./open-imports.js";
export { compileQueries } from "./query/multi-matcher.js";
export { compileQuery } from "./query/matcher.js";
export { readStreamFrame } from "./platforms/bluesky/posting.js";
export { parseQuery } from "./query/parser.js";
export { tokenize } from "./query/tokenizer.js";
export { insightSettings, type InsightConfig } from "./config.js";
