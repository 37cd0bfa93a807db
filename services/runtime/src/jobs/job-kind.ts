import { create, type DescMessage, fromBinary, getOption, toBinary } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { queues } from "@hourglass/proto/options/v1/queues";
import type { ErrorCode } from "../errors/error-codes.js";
import type { SpanAttributes, TraceContext } from "../telemetry/spans.js";
import type { JobRecord } from "./job.js";
import type { WorkPolicy } from "./retry.js";

/** A lane has its own queue and its own places in every worker: jobs of one lane never wait for those of another. */
export interface Lane {
  /** Lower-case word. Records store it in `laneKey`, so it must never change. */
  readonly name: string;
  readonly queue: string;
}

export interface JobLanes<R> {
  /** For short jobs. */
  shared: Lane;
  /** For jobs that may take long: a company has only a share of a worker's places. */
  perCompany: readonly Lane[];
  /** The lane of a job. A job that only a newer release knows goes to the shared lane. */
  laneOf: (record: Omit<R, "id">) => Lane;
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
  tooManyCode: ErrorCode;
  /** The feature that the record needs and this release lacks; undefined if there is none. */
  findUnknown(record: R): string | undefined;
  /** How much of its company's turn a job takes, above 0: for example the number of its texts. */
  costOf(record: R): number;
  /** Attributes of the record for the span of a run, in addition to its id. */
  spanAttributes(record: R): SpanAttributes;
}

/** All lanes, the shared one first. */
export function lanesOf<R>({ shared, perCompany }: JobLanes<R>): readonly Lane[] {
  return [shared, ...perCompany];
}

/** The lane key of an unfinished job: for example `large:17`. */
export function laneKeyOf<R>(lanes: JobLanes<R>, record: Omit<R, "id"> & Pick<JobRecord, "companyId">): string {
  return `${lanes.laneOf(record).name}:${record.companyId}`;
}

/** The message of a kind of job. */
export interface JobMessage {
  /** `dueAt`: the due time that marks the job as published. */
  encode(id: number, dueAt: number): Uint8Array;
  /** The id and the due time; undefined if the body is not such a message. */
  decode(body: Uint8Array): { id: number; dueAt: number } | undefined;
  /** Name of the message, used in the reason of a dead letter. */
  readonly name: string;
}

/** The message of a kind of job: two int64 fields of the schema, `field` for the id of the record and `dueAt` for the time. */
export function jobMessage(schema: DescMessage, field: string): JobMessage {
  const [idField, dueField] = [schema.field[field], schema.field["dueAt"]];
  if (idField === undefined || dueField === undefined) {
    throw new TypeError(`${schema.typeName} lacks the field ${field} or dueAt`);
  }
  return {
    name: schema.name,
    encode: (id, dueAt) => {
      const message = reflect(schema, create(schema));
      message.set(idField, BigInt(id));
      message.set(dueField, BigInt(dueAt));
      return toBinary(schema, message.message);
    },
    decode: (body) => {
      try {
        const message = reflect(schema, fromBinary(schema, body));
        const id = Number(message.get(idField));
        const dueAt = Number(message.get(dueField));
        return [id, dueAt].every((number) => Number.isSafeInteger(number) && number > 0) ? { id, dueAt } : undefined;
      } catch {
        return undefined; // not this message; the caller sends it to the dead letters
      }
    },
  };
}

/** The queues that the contract declares for a message, in order. */
export function queuesOf(schema: DescMessage): string[] {
  return getOption(schema, queues);
}

/** When a job is retried, deferred, or ends `failed`. Times are milliseconds. */
export interface JobPolicy extends WorkPolicy {
  /** Delay of a job that was left for a worker of a newer release, and the maximum number of such offers. */
  newerWorkerMs: number;
  newerWorkersMax: number;
}

export const DEFAULT_JOB_POLICY: JobPolicy = {
  attemptsMax: 5,
  deathsMax: 10,
  firstMs: 500,
  maxMs: 10 * 60_000,
  // An hour of offers: by then the release is rolled out, or the one that accepted the job was rolled back.
  newerWorkerMs: 5000,
  newerWorkersMax: 720,
};

const ACCEPTING_STEPS = ["before_insert", "after_insert"] as const;
const DUE_STEPS = ["before_publish", "before_confirm", "after_publish"] as const;
const DUE_WORKER_STEPS = ["after_delivery", "after_lease", "before_ack"] as const;

/** A step of the process that creates jobs and publishes them. */
export type JobStep = (typeof ACCEPTING_STEPS | typeof DUE_STEPS)[number];
/** A step of a worker. */
export type WorkerStep = (typeof DUE_WORKER_STEPS)[number] | "before_done";

export function jobFailpoint(name: string, step: JobStep): string {
  return `${name}.${step}`;
}

export function workerFailpoint(name: string, step: WorkerStep): string {
  return `worker.${name}.${step}`;
}

/** The failpoints of a kind of due work. A crash at any of them must neither lose the work nor end its record early. */
export function dueFailpoints(kind: string): string[] {
  const published = DUE_STEPS.map((step) => jobFailpoint(kind, step));
  return [...published, ...DUE_WORKER_STEPS.map((step) => workerFailpoint(kind, step))];
}

/** The failpoints of a kind of job. A crash at any of them must neither lose a job nor run it twice. */
export function jobFailpoints(name: string): string[] {
  const accepted = ACCEPTING_STEPS.map((step) => jobFailpoint(name, step));
  return [...accepted, ...dueFailpoints(name), workerFailpoint(name, "before_done")];
}

/** The trace of the request that created the job, which includes all later work on it. Null if there is none. */
export function traceOf({ traceparent }: Pick<JobRecord, "traceparent">): TraceContext | null {
  return traceparent === null ? null : { traceparent };
}

/** Attributes of every span for one job. */
export function jobAttributes({ name }: { name: string }, id: number): SpanAttributes {
  return { [`hourglass.${name}.id`]: id };
}

/** The log fields that identify a job of this kind: for example `{ reportId: 7, requestId: "…" }`. */
export function logFields(
  { name }: { name: string },
  { id, requestId }: Pick<JobRecord, "id" | "requestId">,
): Record<string, number | string> {
  return { [`${name}Id`]: id, ...(requestId !== null && { requestId }) };
}

/** Attributes of spans for queue messages, by OpenTelemetry's semantic conventions. */
export function messagingAttributes(queue: string, operation: "send" | "process"): SpanAttributes {
  return {
    "messaging.system": "hourglass",
    "messaging.destination.name": queue,
    "messaging.operation.name": operation,
    "messaging.operation.type": operation,
  };
}
