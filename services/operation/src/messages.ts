import type { GenEnum } from "@bufbuild/protobuf/codegenv2";
import type {
  Caption,
  Classification,
  Detection,
  Explanation,
  ModelRef,
  ModelState,
  Moment,
  Personality,
  PlacedBox,
  Places,
  TextualAnalysis,
  Topic,
  Transcript,
  UnreadWriting,
  VisualAnalysis,
} from "@hourglass/analysis";
import type { FileFindings } from "@hourglass/analysis/files";
import {
  type Analysis,
  AnalysisType,
  AnalysisTypeSchema,
  type Caption as CaptionMessage,
  type Classification as ClassificationMessage,
  type DetectedBox,
  type Explanation as ExplanationMessage,
  type Model,
  type NsfwRating,
  OffsetUnit as WireOffsetUnit,
  OperationStatus as WireStatus,
  OperationType,
  type Personality as PersonalityMessage,
  type TimeSpan,
  type Topics,
  type Transcript as TranscriptMessage,
  type UnreadWriting as UnreadWritingMessage,
  UnsupportedReasonSchema,
} from "@hourglass/proto/operation/v1/operation";
import { type Analyzer, AnalyzerState } from "@hourglass/proto/operation/v1/operation_service";
import { enumSpellings, type JobStatus } from "@hourglass/runtime";
import { Spelling } from "@hourglass/runtime/json";
import type { AnalysisName, ContentKind, OffsetUnit, ReportedAnalyzer, TextOutcome } from "./store.js";

const STATUSES: Record<JobStatus, WireStatus> = {
  ready: WireStatus.READY,
  pending: WireStatus.PENDING,
  running: WireStatus.RUNNING,
  failed: WireStatus.FAILED,
  invalid: WireStatus.INVALID,
  done: WireStatus.DONE,
};

const TYPES: Record<ContentKind, OperationType> = {
  text: OperationType.TEXT,
  "file-id": OperationType.FILE,
  url: OperationType.FILE,
};

const OFFSET_UNITS: Record<OffsetUnit, WireOffsetUnit> = {
  "code-points": WireOffsetUnit.CODE_POINTS,
  utf16: WireOffsetUnit.UTF16,
};

/** Analyses are named by their spelling in the contract; a test of the analyses checks that both agree. */
const ANALYSIS_NAMES = namesOf(AnalysisTypeSchema) as ReadonlyMap<AnalysisType, AnalysisName>;
const ANALYSIS_TYPES = new Map<string, AnalysisType>([...ANALYSIS_NAMES].map(([type, name]) => [name, type]));
const STATUS_NAMES = inverse(STATUSES);
const UNSUPPORTED_REASONS = new Spelling(UnsupportedReasonSchema);

// Records may come from a newer release: values that this one does not know are reported as unspecified.

export function analysisTypeOf(name: AnalysisName): AnalysisType {
  return ANALYSIS_TYPES.get(name) ?? AnalysisType.UNSPECIFIED;
}

/** Throws for a number that the rules in proto/ do not allow. */
export function analysisNameOf(type: AnalysisType): AnalysisName {
  return known(ANALYSIS_NAMES.get(type), type);
}

export function wireStatusOf(status: JobStatus): WireStatus {
  return valueOf(STATUSES, status) ?? WireStatus.UNSPECIFIED;
}

export function wireTypeOf(kind: ContentKind): OperationType {
  return valueOf(TYPES, kind) ?? OperationType.UNSPECIFIED;
}

export function wireOffsetUnitOf(unit: OffsetUnit): WireOffsetUnit {
  return OFFSET_UNITS[unit];
}

/** Code points unless something else is requested. */
export function offsetUnitFrom(unit: WireOffsetUnit): OffsetUnit {
  return unit === WireOffsetUnit.UTF16 ? "utf16" : "code-points";
}

/** Throws for a number that the rules in proto/ do not allow. */
export function statusOf(status: WireStatus): JobStatus {
  return known(STATUS_NAMES.get(status), status);
}

function namesOf<E extends number>(desc: GenEnum<E>): Map<E, string> {
  return new Map([...enumSpellings(desc)].map(([number, name]) => [number as E, name]));
}

function valueOf<V>(values: Readonly<Record<string, V>>, name: string): V | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function inverse<N extends string, V>(values: Record<N, V>): Map<V, N> {
  return new Map((Object.keys(values) as N[]).map((name) => [values[name], name]));
}

function known<N>(name: N | undefined, value: number): N {
  if (name === undefined) throw new Error(`enum value ${value} passed validation`);
  return name;
}

export function toModel({ id, version }: ModelRef): Model {
  return { $typeName: "hourglass.operation.v1.Model", id, version };
}

/** The model that made the result, the language of the text, and whether the model supports it. */
export function makingOf(
  type: TextualAnalysis,
  outcome: TextOutcome | undefined,
): Pick<Analysis, "model" | "language" | "supported" | "unsupportedReason"> {
  const model = outcome?.models?.[type];
  const supported = outcome?.supported?.[type];
  const reason = outcome?.unsupportedReasons?.[type];
  return {
    ...(model === undefined ? {} : { model: toModel(model) }),
    language: outcome?.language ?? "",
    ...(supported === undefined ? {} : { supported }),
    unsupportedReason: UNSUPPORTED_REASONS.numberOf(reason ?? ""),
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
    boxes: [],
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

/** The result of a visual analysis as a message; undefined if there is none. */
export function toVisualData(
  type: VisualAnalysis,
  { results }: Pick<FileFindings, "results">,
): Analysis["data"] | undefined {
  if (type === "caption") {
    const captions = results.caption?.map(toCaption);
    return captions && { case: "captions", value: { $typeName: "hourglass.operation.v1.Captions", captions } };
  }
  const detections = results[type]?.map(toDetection);
  return detections && { case: "detections", value: { $typeName: "hourglass.operation.v1.Detections", detections } };
}

export function toNsfwRating(rating: NonNullable<FileFindings["nsfw"]>): NsfwRating {
  const $typeName = "hourglass.operation.v1.NsfwRating";
  if ("error" in rating) return { $typeName, error: rating.error };
  const { score, at, model } = rating;
  return { $typeName, score, ...(at === undefined ? {} : { at }), model: toModel(model), error: "" };
}

const ANALYZER_STATES: Record<ModelState["state"], AnalyzerState> = {
  ready: AnalyzerState.READY,
  loading: AnalyzerState.LOADING,
  missing: AnalyzerState.MISSING,
};

export function toAnalyzer(analyzer: ReportedAnalyzer): Analyzer {
  const { type, state, engine = "", id, version = "", reason, warning } = analyzer;
  return {
    $typeName: "hourglass.operation.v1.Analyzer",
    type,
    state: valueOf(ANALYZER_STATES, state) ?? AnalyzerState.UNSPECIFIED,
    engine,
    ...(id === undefined ? {} : { model: toModel({ id, version }) }),
    reason: reason ?? warning ?? "",
  };
}

export function toTranscript({ text, segments, model, language, supported }: Transcript): TranscriptMessage {
  return {
    $typeName: "hourglass.operation.v1.Transcript",
    text,
    segments: segments.map((segment) => ({
      $typeName: "hourglass.operation.v1.SpokenSegment",
      span: toTimeSpan(segment),
      text: segment.text,
      language: segment.language,
    })),
    model: toModel(model),
    ...(language === undefined ? {} : { language }),
    ...(supported === undefined ? {} : { supported }),
  };
}

function toDetection({ value, prob, moments = [], ...places }: Detection): ClassificationMessage {
  return {
    $typeName: "hourglass.operation.v1.Classification",
    value,
    prob,
    moments: moments.map(toTimeSpan),
    ...toPlaces(places),
  };
}

function toTimeSpan({ start, end, at, ...places }: Moment): TimeSpan {
  return {
    $typeName: "hourglass.operation.v1.TimeSpan",
    start,
    end,
    ...(at === undefined ? {} : { at }),
    ...toPlaces(places),
  };
}

/** What is found by a model that does not find places has neither. */
function toPlaces({ count, boxes = [] }: Places): { count?: number; boxes: DetectedBox[] } {
  return { ...(count === undefined ? {} : { count }), boxes: boxes.map(toBox) };
}

function toBox([x, y, width, height, prob]: PlacedBox): DetectedBox {
  return { $typeName: "hourglass.operation.v1.DetectedBox", x, y, width, height, prob };
}

export function toUnreadWriting({ script, box, at }: UnreadWriting): UnreadWritingMessage {
  return {
    $typeName: "hourglass.operation.v1.UnreadWriting",
    script,
    box: toBox(box),
    ...(at === undefined ? {} : { at }),
  };
}

function toCaption({ description, duration, descriptions = [] }: Caption): CaptionMessage {
  return {
    $typeName: "hourglass.operation.v1.Caption",
    ...(description === undefined ? {} : { description }),
    ...(duration === undefined ? {} : { duration }),
    descriptions: descriptions.map((moment) => ({
      $typeName: "hourglass.operation.v1.Moment",
      timestamp: moment.timestamp,
      description: moment.description,
    })),
  };
}
