import type { GenEnum } from "@bufbuild/protobuf/codegenv2";
import {
  AnalysisType,
  AnalysisTypeSchema,
  OffsetUnit as WireOffsetUnit,
  OperationStatus as WireStatus,
  OperationType,
} from "@hourglass/proto/operation/v1/operation";
import { enumSpellings, type JobStatus } from "@hourglass/runtime";
import type { AnalysisName, ContentKind, OffsetUnit } from "../records/operation.js";

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
