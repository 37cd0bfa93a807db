import { PLATFORM } from "@hourglass/posting";
import {
  type CheckInsightResponse,
  type PlatformInfo,
  type PlatformPlan,
} from "@hourglass/proto/insight/v1/insight_service";
import { COLLECTION_MODE, PLATFORM_STATUS } from "../spelling.js";

/** What a search would do. */
export function fromCheck({ terms, platforms, warnings }: CheckInsightResponse): unknown {
  return { terms, platforms: platforms.map(fromPlan), warnings };
}

function fromPlan({ platform, status, mode, queries, narrowedLocally, cost, warnings }: PlatformPlan): unknown {
  return {
    platform: PLATFORM.of(platform),
    state: PLATFORM_STATUS.of(status),
    mode: COLLECTION_MODE.of(mode),
    queries,
    narrowed_locally: narrowedLocally,
    cost,
    warnings,
  };
}

/** What this server can do on a platform. */
export function fromPlatformInfo({ platform, status, mode, missing }: PlatformInfo): unknown {
  return {
    platform: PLATFORM.of(platform),
    state: PLATFORM_STATUS.of(status),
    mode: COLLECTION_MODE.of(mode),
    missing: missing === "" ? null : missing,
  };
}
