import type { MessageInitShape } from "@bufbuild/protobuf";
import { PLATFORM } from "@hourglass/posting";
import type { CoverageSpan } from "@hourglass/proto/insight/v1/coverage";
import { GetCoverageRequestSchema, type GetCoverageResponse } from "@hourglass/proto/insight/v1/insight_service";
import { toIso, type ObjectReader, type Violations } from "@hourglass/runtime/json";
import { accepted } from "../field-errors.js";
import { readSpan } from "../query.js";
import { COMPLETENESS, GAP_REASON } from "../spelling.js";

/** Reads the days whose coverage is asked for. */
export function toGetCoverageRequest(
  id: bigint,
  query: ObjectReader,
  violations: Violations,
): MessageInitShape<typeof GetCoverageRequestSchema> {
  return accepted(GetCoverageRequestSchema, { id, ...readSpan(query) }, violations);
}

/** For which spans of time the collection was complete. */
export function fromCoverage({ platforms }: Pick<GetCoverageResponse, "platforms">): object {
  return {
    platforms: platforms.map(({ platform, spans }) => ({
      platform: PLATFORM.of(platform),
      spans: spans.map(fromSpan),
    })),
  };
}

function fromSpan({ start, end, completeness, reasons }: CoverageSpan): unknown {
  return {
    start: toIso(start),
    end: toIso(end),
    completeness: COMPLETENESS.of(completeness),
    reasons: GAP_REASON.all(reasons),
  };
}
