import type { TextualAnalysis, VisualAnalysis } from "@hourglass/analysis";
import type { FileFindings } from "@hourglass/analysis/files";
import { type Held, jobAttributes, type JobRecord, type SpanAttributes } from "@hourglass/runtime";
import type { TextOutcome } from "./text-outcome.js";

export type AnalysisName = TextualAnalysis | VisualAnalysis;

/**
 * Last entry among the analyses of a record whose results are to be explained. It is an entry there and no field of its
 * own, because a release that does not know it takes it for an unknown analysis and leaves the operation to a newer
 * worker; a field it would ignore, and leave the explanations out.
 */
export const EXPLAIN = "explain";

/** What all contents of one operation are. */
export type ContentKind = "text" | "file-id" | "url";
/** A text, a file id or a URL, as the operation's kind says. */
export type ContentValue = string | number;

/**
 * An operation as it is stored. A small one holds its contents and results itself, so that it is one document; those of
 * a larger one are stored in parts.
 */
export interface OperationRecord extends JobRecord {
  kind: ContentKind;
  /** As asked for, in order; `EXPLAIN` last when it was asked for. */
  analyses: (AnalysisName | typeof EXPLAIN)[];
  /** As sent; null when all contents form one group. */
  groups: string[] | null;
  contentsCount: number;
  /** All contents; null when they are stored in `partCount` parts. */
  contents: ContentValue[] | null;
  partCount: number;
  /** All outcomes once done; null when they are stored in the parts that `resultParts` names, in order. */
  results: Results | null;
  resultParts: string[] | null;
  /** Of a done one, contents that failed; absent when an older release carried it out. */
  failedContents?: number | null;
}

/** An operation that a worker has taken. */
export type HeldOperation = Held<OperationRecord>;

/** Name of operations as a kind of job. */
export const OPERATION = "operation";

/** What every span about one operation says of it. */
export function operationAttributes(id: number): SpanAttributes {
  return jobAttributes({ name: OPERATION }, id);
}

type Request = Pick<OperationRecord, "kind" | "analyses" | "groups" | "contentsCount" | "contents" | "partCount">;

/** The record of an operation that nobody has worked on yet. */
export function newOperation(job: JobRecord, request: Request): OperationRecord {
  return { ...job, ...request, results: null, resultParts: null };
}

/** Where the words of a file come from: its sound, or its pictures. */
export const TEXT_SOURCES = ["transcript", "ocr"] as const;
export type TextSource = (typeof TEXT_SOURCES)[number];

/** What became of one file: why it could not be read, or what was found in it and became of the words among that. */
export type FileOutcome =
  { unreadable: string } | { findings: FileFindings; texts: Partial<Record<TextSource, TextOutcome>> };

/** What became of one content. */
export type ContentOutcome = TextOutcome | FileOutcome;

export function isFileOutcome(outcome: ContentOutcome): outcome is FileOutcome {
  return "findings" in outcome || "unreadable" in outcome;
}

/** Outcomes of the contents in order, and of the groups in order. */
export interface Results {
  contents: ContentOutcome[];
  groups: TextOutcome[];
}

/** Some of the contents of one operation; the id is `partId` of both. */
export interface ContentPart {
  id: string;
  operationId: number;
  contents: ContentValue[];
}

/** The outcomes of one part, by one worker. Written once and never changed: others may build on it once it is there. */
export interface ResultPart {
  id: string;
  operationId: number;
  part: number;
  outcomes: ContentOutcome[];
}

/**
 * Names an operation of which something may remain when a process dies or a worker comes late; checked when due. Also
 * keeps the idempotency key of an operation that was deleted.
 */
export interface CleanupNote {
  id: number;
  dueAt: number;
  idempotency: string | null;
  requestHash: string | null;
  /** Of the operation. */
  createdAt: number;
  /** Whether files may be claimed for it; only in notes of older releases, newer ones store a CreationAttempt. */
  files?: boolean;
}

/**
 * A creation that claims uploaded files: stored before it claims any, and removed once its operation is stored. As long as
 * it exists it owns its idempotency key, so that a repetition waits for its outcome.
 */
export interface CreationAttempt {
  /** Of the operation, which no other attempt shares. */
  id: number;
  /** Company and key, unique; null without a key, and once the key may be used again. */
  idempotency: string | null;
  /** `abandoned`: the operation will never be stored, and its claims are being released. */
  state: "open" | "abandoned";
  /** Grows while the process that makes the attempt is alive. */
  beats: number;
  /** When it may be removed; null while `open`. */
  dueAt: number | null;
}

/** The analyses that were asked for. */
export function analysesOf({ analyses }: Pick<OperationRecord, "analyses">): AnalysisName[] {
  return analyses.filter((name) => name !== EXPLAIN);
}

/** Whether results are to say what made them so. */
export function isExplained({ analyses }: Pick<OperationRecord, "analyses">): boolean {
  return analyses.includes(EXPLAIN);
}
