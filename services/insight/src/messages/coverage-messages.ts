import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { PlatformCoverageSchema } from "@hourglass/proto/insight/v1/coverage";
import type { GetCoverageRequest } from "@hourglass/proto/insight/v1/insight_service";
import { PLATFORM } from "@hourglass/posting";
import type { PlatformCoverage } from "../coverage.js";
import type { CoverageRequest } from "../insights/get-coverage.js";
import { COMPLETENESS, GAP_REASON } from "./names.js";

/** The request for coverage. */
export function fromCoverageRequest({ id, start, end }: GetCoverageRequest, companyId: number): CoverageRequest {
  return {
    id: Number(id),
    companyId,
    start: start && timestampMs(start),
    end: end && timestampMs(end),
  };
}

/** The message of the coverage on one platform. */
export function toCoverage({ platform, spans }: PlatformCoverage): MessageInitShape<typeof PlatformCoverageSchema> {
  return {
    platform: PLATFORM.numberOf(platform),
    spans: spans.map(({ from, to, completeness, reasons }) => ({
      start: timestampFromMs(from),
      end: timestampFromMs(to),
      completeness: COMPLETENESS.numberOf(completeness),
      reasons: reasons.map((reason) => GAP_REASON.numberOf(reason)),
    })),
  };
}
