import { AnalysisType, OperationStatus as WireStatus, OperationType } from "@hourglass/proto/operation/v1/operation";
import type { JobStatus } from "@hourglass/runtime";
import type { AnalysisName, ContentKind } from "../records/operation.js";

const ANALYSIS_TYPES: Record<AnalysisName, AnalysisType> = {
  "sentiment-simple": AnalysisType.SENTIMENT_SIMPLE,
  "sentiment-real": AnalysisType.SENTIMENT_REAL,
  topic: AnalysisType.TOPIC,
  "spam-detection": AnalysisType.SPAM_DETECTION,
  "personality-mb": AnalysisType.PERSONALITY_MB,
  intention: AnalysisType.INTENTION,
  "face-id": AnalysisType.FACE_ID,
  "object-id": AnalysisType.OBJECT_ID,
  "activity-id": AnalysisType.ACTIVITY_ID,
  "logo-id": AnalysisType.LOGO_ID,
  caption: AnalysisType.CAPTION,
};

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

const ANALYSIS_NAMES = inverse(ANALYSIS_TYPES);
const STATUS_NAMES = inverse(STATUSES);

// Records may have been written by a newer release: what this one does not know is unspecified to its callers.

export function analysisTypeOf(name: AnalysisName): AnalysisType {
  return valueOf(ANALYSIS_TYPES, name) ?? AnalysisType.UNSPECIFIED;
}

/** Throws for a number that the rules in proto/ do not let through. */
export function analysisNameOf(type: AnalysisType): AnalysisName {
  return known(ANALYSIS_NAMES.get(type), type);
}

export function wireStatusOf(status: JobStatus): WireStatus {
  return valueOf(STATUSES, status) ?? WireStatus.UNSPECIFIED;
}

export function wireTypeOf(kind: ContentKind): OperationType {
  return valueOf(TYPES, kind) ?? OperationType.UNSPECIFIED;
}

/** Throws for a number that the rules in proto/ do not let through. */
export function statusOf(status: WireStatus): JobStatus {
  return known(STATUS_NAMES.get(status), status);
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
