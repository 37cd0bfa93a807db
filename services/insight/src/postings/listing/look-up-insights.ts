import type { MessageInitShape } from "@bufbuild/protobuf";
import type { InsightWatermarkSchema, LookUpInsightsRequest } from "@hourglass/proto/insight/v1/insight_service";
import type { Collections } from "../../store/collections.js";

/** The watermark of each insight of the company, in the order of the request; others are left out. */
export type LookUpInsights = (
  request: LookUpInsightsRequest,
  companyId: number,
) => Promise<{ insights: MessageInitShape<typeof InsightWatermarkSchema>[] }>;

export function createLookUp({ insights }: Pick<Collections, "insights">): LookUpInsights {
  return async ({ ids }, companyId) => {
    const found = await insights.find({ id: { in: ids.map(Number) }, companyId, status: { ne: "deleted" } });
    const known = new Map(found.map((insight) => [insight.id, insight]));
    return {
      insights: ids.flatMap((id) => {
        const insight = known.get(Number(id));
        return insight === undefined ? [] : [{ id, watermark: BigInt(insight.batch), terms: insight.terms }];
      }),
    };
  };
}
