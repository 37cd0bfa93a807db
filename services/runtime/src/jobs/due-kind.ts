import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type DueWork as DueMessage, DueWorkSchema } from "@hourglass/proto/job/v1/job";
import type { Owner } from "../process/fair-limit.js";
import type { Outcome } from "../queue/queue.js";
import type { Change, Collection } from "../store/store.js";
import type { SpanAttributes, TraceContext } from "../telemetry/spans.js";
import type { DueClaim, DueRecord } from "./due-record.js";
import type { WorkPolicy } from "./retry.js";

/**
 * Does the work of a claimed record: ends the claim with `reschedule`, or removes or changes the record by the claim. A
 * record that is left unchanged is due again when the claim runs out, and after a pause if this rejects. `stopping`
 * aborts as soon as the worker stops: work of several steps then ends after the current one. The claim's own signal
 * aborts when half of the time for stopping is over, or when the claim is lost. May say how the message ends; by default,
 * it is done.
 */
export type DueWork<R extends DueRecord> =
  | ((claim: DueClaim<R>, stopping: AbortSignal) => Promise<void>)
  | ((claim: DueClaim<R>, stopping: AbortSignal) => Promise<Outcome>);

/** Declares one kind of work on records with due times. */
export interface DueKind<R extends DueRecord> {
  /** Lower-case words joined by `-`. Messages name it, so it must never change. */
  readonly name: string;
  readonly records: Collection<R>;
  /** How long a worker keeps a record without renewing its claim, and how long a message is waited for, in milliseconds. */
  readonly leaseMs: number;
  readonly work: DueWork<R>;
  /** What is logged when the work fails, for example `a feed could not be read`. */
  readonly failure: string;
  /** Owners take turns; records of one owner go longest waiting first. Default: all have one owner. */
  ownerOf?(record: R): Owner;
  /** How much of its owner's turn a record takes, above 0. Default: 1. */
  costOf?(record: R): number;
  /** Urgent records go before all others. Default: none. */
  isUrgent?(record: R): boolean;
  /** Whether the work deletes, and so may use the room that is reserved for that. Default: false. */
  readonly deletes?: boolean;
  /** The order applies to this many records that have waited longest; they are read at once. Default 100. */
  readonly lookAhead?: number;
  /** Stores records for work that is found by other means, before the relay reads what is due. */
  prepare?(): Promise<void>;
  /** Reads what is due, if that is more than the order could apply to. */
  readDue?(): AsyncIterable<R>;
  /** How messages name records. Default: as DueWork. */
  readonly message?: DueMessageFormat;
  /**
   * Further changes of a record by the writes that publish it to a durable queue, claim it, and end a claim before the
   * work is done.
   */
  readonly changes?: { published?: Partial<R>; claimed?: Change<R>; waiting?: Partial<R> };
  /** Called when a record is published. */
  onPublished?(record: R): void;
  /** When failed work is done again, and when it is left alone. Default: as `DUE_RETRY` says. */
  readonly retry?: Partial<WorkPolicy>;
  /** Whether the work of the record is still to be done. Default: it is, as long as there is the record. */
  isUnfinished?(record: R): boolean;
  /** Since when the record waits; undefined: it is not counted. Default: since it was due. */
  sinceOf?(record: R): number | undefined;
  /** Further attributes of the span of an attempt, and the trace that it continues. */
  spanOf?(record: R): { parent: TraceContext | null; attributes: SpanAttributes };
}

/** A kind among those of other records. */
export type AnyDueKind = DueKind<DueRecord>;

/** A kind among those of other records. */
export function dueKind<R extends DueRecord>(kind: DueKind<R>): AnyDueKind {
  // A kind gets only what was read from its own records.
  return kind as unknown as AnyDueKind;
}

/** What a message says. */
export interface NamedRecord {
  kind: string;
  id: DueRecord["id"];
  /** The due time that marks the record as published. */
  dueAt: number;
  /** Since when it was due, if the message says so. */
  since?: number | undefined;
}

/** How messages of a queue name records. */
export interface DueMessageFormat {
  encode(named: NamedRecord): Uint8Array;
  /** Undefined if the body is no such message. */
  decode(body: Uint8Array): NamedRecord | undefined;
}

/** Messages of all kinds that have none of their own. */
export const DUE_WORK_MESSAGE: DueMessageFormat = {
  encode: ({ kind, id, dueAt, since = 0 }) => {
    const record: DueMessage["record"] =
      typeof id === "number" ? { case: "number", value: BigInt(id) } : { case: "key", value: id };
    const message = { kind, record, dueAt: BigInt(dueAt), since: BigInt(Math.floor(since)) };
    return toBinary(DueWorkSchema, create(DueWorkSchema, message));
  },
  decode: (body) => {
    try {
      const { kind, record, dueAt, since } = fromBinary(DueWorkSchema, body);
      if (record.case === undefined) return undefined;
      const id = record.case === "number" ? Number(record.value) : record.value;
      return { kind, id, dueAt: Number(dueAt), since: Number(since) };
    } catch {
      return undefined;
    }
  },
};
