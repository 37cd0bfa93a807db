import type { Classification, Explanation, ModelRef, Personality, TextualAnalysis, Topic } from "@hourglass/analysis";
import type {
  Analysis,
  Classification as ClassificationMessage,
  Explanation as ExplanationMessage,
  Model,
  Personality as PersonalityMessage,
  Topics,
} from "@hourglass/proto/operation/v1/operation";
import type { TextOutcome } from "../records/text-outcome.js";

export function toModel({ id, version }: ModelRef): Model {
  return { $typeName: "hourglass.operation.v1.Model", id, version };
}

/** The model that made the result, the language of the text, and whether the model supports it. */
export function makingOf(
  type: TextualAnalysis,
  outcome: TextOutcome | undefined,
): Pick<Analysis, "model" | "language" | "supported"> {
  const model = outcome?.models?.[type];
  const supported = outcome?.supported?.[type];
  return {
    ...(model === undefined ? {} : { model: toModel(model) }),
    language: outcome?.language ?? "",
    ...(supported === undefined ? {} : { supported }),
  };
}

/** The result as a message; undefined if there is none. */
export function toTextualData(
  type: TextualAnalysis,
  { outcome, grouped }: { outcome: TextOutcome | undefined; grouped: boolean },
): Analysis["data"] | undefined {
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
    moments: [],
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
