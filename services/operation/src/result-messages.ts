import {
  TEXTUAL_ANALYSES,
  type Classification,
  type Explanation,
  type Personality,
  type TextualAnalysis,
  type Topic,
} from "@hourglass/analysis";
import {
  type Analysis,
  AnalysisType,
  type Classification as ClassificationMessage,
  type Content,
  type ContentResult,
  Dimension,
  type Explanation as ExplanationMessage,
  type OperationData,
  OperationType,
  type Personality as PersonalityMessage,
  Source,
  type Topics,
} from "@hourglass/proto/operation/v1/operation";
import { groupsToAnalyse, membershipsOf } from "./groups.js";
import { analysesOf, type AnalysisName, type OperationRecord, type Results } from "./operation.js";
import type { TextOutcome } from "./ports/analysis-pool.js";
import { analysisTypeOf, wireTypeOf } from "./wire-values.js";

/** The results of a done operation as its callers read them: per content, analyses in the order of the request. */
export function toOperationData(record: OperationRecord, contents: Content[], results: Results): OperationData {
  const textual: readonly AnalysisName[] = TEXTUAL_ANALYSES;
  const type = wireTypeOf(record.kind);
  const analyses = analysesOf(record).filter((name): name is TextualAnalysis => textual.includes(name));
  const memberships = membershipsOf(groupsToAnalyse(record), record.contentsCount);
  const plan = { type, analyses, unknown: unknownOf(record), named: record.groups !== null, groups: results.groups };
  return {
    $typeName: "hourglass.operation.v1.OperationData",
    contents: contents.map((content, index) =>
      toContentResult(content, { plan, outcome: results.contents[index], groups: memberships[index] ?? [] }),
    ),
  };
}

function unknownOf(record: OperationRecord): string[] {
  return analysesOf(record).filter((name) => analysisTypeOf(name) === AnalysisType.UNSPECIFIED);
}

interface Plan {
  type: OperationType;
  /** Analyses that a newer release made and this one cannot read. */
  unknown: readonly string[];
  analyses: readonly TextualAnalysis[];
  /** Whether the request named groups; the one group of all contents has no index. */
  named: boolean;
  groups: readonly TextOutcome[];
}

interface Found {
  plan: Plan;
  outcome: TextOutcome | undefined;
  /** Groups that this content is in. */
  groups: readonly number[];
}

function toContentResult(content: Content, { plan, outcome, groups }: Found): ContentResult {
  const analyses: Analysis[] = [];
  const errors = plan.unknown.map((name) => `${name}: not known to this version of the server`);
  for (const type of plan.analyses) {
    if (type !== "personality-mb" || groups.length === 0) {
      take(type, { outcome, groupIndex: undefined, grouped: false }, { analyses, errors });
      continue;
    }
    for (const group of groups) {
      const groupIndex = plan.named ? group : undefined;
      take(type, { outcome: plan.groups[group], groupIndex, grouped: true }, { analyses, errors });
    }
  }
  return {
    $typeName: "hourglass.operation.v1.ContentResult",
    type: plan.type,
    content,
    dimensions: plan.type === OperationType.TEXT ? [Dimension.TEXTUAL] : [],
    analysisTypes: plan.analyses.map(analysisTypeOf),
    analyses,
    error: errors.join("; "),
  };
}

interface Origin {
  outcome: TextOutcome | undefined;
  groupIndex: number | undefined;
  grouped: boolean;
}

/** Adds the analysis, or why there is none. */
function take(type: TextualAnalysis, origin: Origin, into: { analyses: Analysis[]; errors: string[] }): void {
  const data = toData(type, origin);
  if (data === undefined) {
    into.errors.push(`${type}: ${origin.outcome?.errors[type] ?? "could not be made"}`);
    return;
  }
  into.analyses.push({
    $typeName: "hourglass.operation.v1.Analysis",
    source: origin.grouped ? Source.GROUP : Source.CONTENT,
    type: analysisTypeOf(type),
    dimension: Dimension.TEXTUAL,
    ...(origin.groupIndex === undefined ? {} : { groupIndex: origin.groupIndex }),
    data,
    ...makingOf(type, origin),
  });
}

/** What made the result, and whether it is made for the language of the text. */
function makingOf(type: TextualAnalysis, { outcome }: Origin): Pick<Analysis, "model" | "language" | "supported"> {
  const model = outcome?.models?.[type];
  const supported = outcome?.supported?.[type];
  return {
    ...(model === undefined
      ? {}
      : { model: { $typeName: "hourglass.operation.v1.Model", id: model.id, version: model.version } }),
    language: outcome?.language ?? "",
    ...(supported === undefined ? {} : { supported }),
  };
}

function toData(type: TextualAnalysis, { outcome, grouped }: Origin): Analysis["data"] | undefined {
  const results = outcome?.results ?? {};
  switch (type) {
    case "topic":
      return results.topic && { case: "topics", value: toTopics(results.topic) };
    case "personality-mb": {
      const personality = results["personality-mb"];
      return personality && { case: "personality", value: toPersonality(personality, grouped) };
    }
    default: {
      const classification = results[type];
      return classification && { case: "classification", value: toClassification(classification) };
    }
  }
}

function toClassification({ value, prob, explanation }: Classification): ClassificationMessage {
  return {
    $typeName: "hourglass.operation.v1.Classification",
    value,
    prob,
    ...(explanation === undefined ? {} : { explanation: toExplanation(explanation) }),
  };
}

function toExplanation({ probabilities, spans }: Explanation): ExplanationMessage {
  return {
    $typeName: "hourglass.operation.v1.Explanation",
    probabilities,
    spans: spans.map(({ start, end, text, weight }) => ({
      $typeName: "hourglass.operation.v1.ExplainedSpan",
      start,
      end,
      text,
      weight,
    })),
  };
}

function toPersonality({ value, prob1, prob2, prob3, prob4 }: Personality, group: boolean): PersonalityMessage {
  return { $typeName: "hourglass.operation.v1.Personality", value, prob1, prob2, prob3, prob4, group };
}

function toTopics(topics: readonly Topic[]): Topics {
  return {
    $typeName: "hourglass.operation.v1.Topics",
    topics: topics.map(({ value, topic_type: topicType, sub_type: subType, offsets = [] }) => ({
      $typeName: "hourglass.operation.v1.Topic",
      value,
      topicType,
      ...(subType === null ? {} : { subType }),
      offsets: offsets.map(({ start, end }) => ({ $typeName: "hourglass.operation.v1.TopicOffset", start, end })),
    })),
  };
}
