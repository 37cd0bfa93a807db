import type { SpanAttributes } from "../../telemetry/spans.js";
import type { JobMessage } from "./job-message.js";
import type { JobPolicy } from "./job-policy.js";
import type { JobRecord } from "./job-record.js";

/** A queue of its own, and places of its own in every worker: jobs of one lane never wait for those of another. */
export interface Lane {
  /** Lower-case word. Records name it in `line`, so it never changes. */
  readonly name: string;
  readonly queue: string;
}

export interface JobLanes<R> {
  /** For jobs that take a moment. Companies share it; they are published in fair order. */
  shared: Lane;
  /** For jobs that may take long. Each company has a line of its own and holds but a share of a worker's places. */
  perCompany: readonly Lane[];
  /** Where a job belongs. A job that only a newer release knows goes to the shared lane. */
  laneOf: (record: R) => Lane;
}

/** What callers read. Whole sentences. */
export interface JobSentences {
  /** Why a job failed after its last attempt. */
  gaveUp: string;
  /** Why a job failed that asks for what no worker of this release can do; `unknown` names it. */
  needsNewerRelease(unknown: string): string;
  /** Why a company may not create another job for now. */
  tooMany: string;
}

/** Declares one kind of job: everything about its life that is not the work itself. */
export interface JobKind<R extends JobRecord> {
  /** Singular noun such as `report`: label of metrics, part of log fields, span attributes and failpoints. */
  name: string;
  message: JobMessage;
  lanes: JobLanes<R>;
  policy: JobPolicy;
  sentences: JobSentences;
  /** Machine-readable code of the refusal that `tooMany` explains. */
  tooManyCode: string;
  /** What the record asks for that this release cannot do; nothing when it can do all. */
  findUnknown(record: R): string | undefined;
  /** What the span of a run says of the record beside its id. */
  spanAttributes(record: R): SpanAttributes;
}

/** All lanes, the shared one first. */
export function lanesOf<R>({ shared, perCompany }: JobLanes<R>): readonly Lane[] {
  return [shared, ...perCompany];
}

/** The value of `line`: of a lane with a line per company such as `large:17`, null for the shared lane. */
export function lineOf<R>(lanes: JobLanes<R>, record: R & Pick<JobRecord, "companyId">): string | null {
  const lane = lanes.laneOf(record);
  return lane === lanes.shared ? null : `${lane.name}:${record.companyId}`;
}

/** The log field that names a job of this kind, such as `{ reportId: 7 }`. */
export function idField({ name }: { name: string }, id: number): Record<string, number> {
  return { [`${name}Id`]: id };
}
