import { TEXTUAL_ANALYSES, type TextualAnalysis } from "@hourglass/analysis";
import { type Content, type ContentResult, Dimension, Source } from "@hourglass/proto/operation/v1/operation";
import { type AnalysisName, isFileOutcome } from "../records/operation.js";
import { type FoundResults, ResultList } from "./result-plan.js";
import { analysisTypeOf } from "./wire-values.js";

const OWN = { source: Source.CONTENT, dimension: Dimension.TEXTUAL };

/** The result of a text as callers read it. Visual analyses do not apply to it. */
export function toTextResult(content: Content, { plan, outcome, groups }: FoundResults): ContentResult {
  const list = new ResultList(plan);
  const own = outcome === undefined || isFileOutcome(outcome) ? undefined : outcome;
  const analyses = plan.analyses.filter(isTextual);
  for (const type of analyses) {
    if (type !== "personality-mb" || groups.length === 0) {
      list.takeText(type, { ...OWN, outcome: own });
      continue;
    }
    for (const group of groups) {
      const groupIndex = plan.named ? group : undefined;
      const pooled = { ...OWN, source: Source.GROUP, grouped: true, groupIndex };
      list.takeText(type, { ...pooled, outcome: plan.groups[group] });
    }
  }
  return {
    $typeName: "hourglass.operation.v1.ContentResult",
    type: plan.type,
    content,
    dimensions: [Dimension.TEXTUAL],
    analysisTypes: analyses.map(analysisTypeOf),
    analyses: list.analyses,
    ...list.failure,
  };
}

export function isTextual(name: AnalysisName): name is TextualAnalysis {
  return (TEXTUAL_ANALYSES as readonly string[]).includes(name);
}
