import { AnalysisType, type Content, type OperationData, OperationType } from "@hourglass/proto/operation/v1/operation";
import { toFileResult } from "./file-result.js";
import { groupsToAnalyse, membershipsOf } from "../records/groups.js";
import { analysesOf, type OperationRecord, type Results } from "../records/operation.js";
import type { ResultPlan } from "./result-plan.js";
import { toTextResult } from "./text-result.js";
import { analysisTypeOf, wireTypeOf } from "./wire-values.js";

/** The results of a done operation as its callers read them: per content, analyses in the order of the request. */
export function toOperationData(record: OperationRecord, contents: Content[], results: Results): OperationData {
  const asked = analysesOf(record);
  const isKnown = (name: (typeof asked)[number]) => analysisTypeOf(name) !== AnalysisType.UNSPECIFIED;
  const plan: ResultPlan = {
    type: wireTypeOf(record.kind),
    analyses: asked.filter(isKnown),
    unknown: asked.filter((name) => !isKnown(name)),
    named: record.groups !== null,
    groups: results.groups,
  };
  const memberships = membershipsOf(groupsToAnalyse(record), record.contentsCount);
  const toResult = plan.type === OperationType.FILE ? toFileResult : toTextResult;
  return {
    $typeName: "hourglass.operation.v1.OperationData",
    contents: contents.map((content, index) =>
      toResult(content, { plan, outcome: results.contents[index], groups: memberships[index] ?? [] }),
    ),
  };
}
