import { dueFailpoints } from "@hourglass/runtime";
import { SEARCH_KIND } from "./collector/collector.js";
import { COLLECTOR_FAILPOINTS } from "./collector/turn.js";
import { NEWS_FAILPOINTS } from "./platforms/news/index.js";
import { POSTING_FAILPOINTS } from "./postings/store.js";

/** Every step of an insight's life at which a crash must be harmless. */
export const INSIGHT_FAILPOINTS = [
  "insight.after_create",
  "insight.after_paused",
  "insight.after_running",
  "insight.after_change",
  "insight.after_delete",
  ...COLLECTOR_FAILPOINTS,
  ...dueFailpoints(SEARCH_KIND),
  ...NEWS_FAILPOINTS,
  ...POSTING_FAILPOINTS,
] as const;
