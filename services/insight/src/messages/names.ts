import { CompletenessSchema, GapReasonSchema } from "@hourglass/proto/insight/v1/coverage";
import { InsightDimensionSchema, InsightStatusSchema } from "@hourglass/proto/insight/v1/insight";
import { CollectionModeSchema, PlatformStatusSchema } from "@hourglass/proto/insight/v1/platform";
import { Spelling } from "@hourglass/runtime/json";

// The names that records use for the values of proto enums.

export const DIMENSION = new Spelling(InsightDimensionSchema);
export const INSIGHT_STATUS = new Spelling(InsightStatusSchema);
export const PLATFORM_STATUS = new Spelling(PlatformStatusSchema, "_");
export const COLLECTION_MODE = new Spelling(CollectionModeSchema);
export const COMPLETENESS = new Spelling(CompletenessSchema);
export const GAP_REASON = new Spelling(GapReasonSchema, "_");
