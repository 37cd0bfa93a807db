import { getOption } from "@bufbuild/protobuf";
import type { PostingFilter } from "@hourglass/proto/insight/v1/insight_service";
import { AnalysisType, AnalysisTypeSchema } from "@hourglass/proto/operation/v1/operation";
import { analysis_result as analysisResult } from "@hourglass/proto/options/v1/analyses";
import { type FieldViolation, giveOneOf } from "@hourglass/runtime";

/** The analyses whose labels postings are filtered by, by the field of the filter. */
const FILTERED = { sentiment: AnalysisType.SENTIMENT_REAL, intention: AnalysisType.INTENTION } as const;

/** The labels of a filter that no posting can have. The lists stand in the contract, beside the analyses. */
export function unknownLabels(filter: PostingFilter | undefined): FieldViolation[] {
  return (["sentiment", "intention"] as const).flatMap((field) => {
    const label = filter?.[field] ?? "";
    const labels = labelsOf(FILTERED[field]);
    return label === "" || labels.includes(label)
      ? []
      : [{ field: `filter.${field}`, message: giveOneOf(labels, label) }];
  });
}

function labelsOf(type: AnalysisType): readonly string[] {
  const value = AnalysisTypeSchema.values.find(({ number }) => number === (type as number));
  return value === undefined ? [] : getOption(value, analysisResult).labels;
}
