import type { SpanAttributes } from "../../telemetry/spans.js";
import type { JobMessage } from "./job-message.js";
import type { JobPolicy } from "./job-policy.js";
import type { JobRecord } from "./job-record.js";

/** A lane has its own queue and its own places in every worker: jobs of one lane never wait for those of another. */
export interface Lane {
  /** Lower-case word. Records store it in `line`, so it must never change. */
  readonly name: string;
  readonly queue: string;
}

export interface JobLanes<R> {
  /** For short jobs. Shared by all companies; jobs are published in fair order. */
  shared: Lane;
  /** For jobs that may take long. Each company has its own line and only a share of a worker's places. */
  perCompany: readonly Lane[];
  /** The lane of a job. A job that only a newer release knows goes to the shared lane. */
  laneOf: (record: R) => Lane;
}

/** Messages for callers, as whole sentences. */
export interface JobSentences {
  /** Why a job failed after its last attempt. */
  gaveUp: string;
  /** Why a job failed that needs a feature missing in this release; `unknown` names the feature. */
  needsNewerRelease(unknown: string): string;
  /** Why a company cannot create another job at the moment. */
  tooMany: string;
}

/** Declares one kind of job, except for the work itself. */
export interface JobKind<R extends JobRecord> {
  /** Singular noun such as `report`: label of metrics, part of log fields, span attributes and failpoints. */
  name: string;
  message: JobMessage;
  lanes: JobLanes<R>;
  policy: JobPolicy;
  sentences: JobSentences;
  /** Machine-readable code for `tooMany`. */
  tooManyCode: string;
  /** The feature that the record needs and this release lacks; undefined if there is none. */
  findUnknown(record: R): string | undefined;
  /** Attributes of the record for the span of a run, in addition to its id. */
  spanAttributes(record: R): SpanAttributes;
}

/** All lanes, the shared one first. */
export function lanesOf<R>({ shared, perCompany }: JobLanes<R>): readonly Lane[] {
  return [shared, ...perCompany];
}

/** The value of `line`: for example `large:17` in a lane with a line per company, null in the shared lane. */
export function lineOf<R>(lanes: JobLanes<R>, record: R & Pick<JobRecord, "companyId">): string | null {
  const lane = lanes.laneOf(record);
  return lane === lanes.shared ? null : `${lane.name}:${record.companyId}`;
}

/** The log fields that identify a job of this kind: for example `{ reportId: 7, requestId: "…" }`. */
export function logFields(
  { name }: { name: string },
  { id, requestId }: Pick<JobRecord, "id" | "requestId">,
): Record<string, number | string> {
  return { [`${name}Id`]: id, ...(typeof requestId === "string" && { requestId }) };
}
