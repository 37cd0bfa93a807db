import type { TextualAnalysis, VisualAnalysis } from "@hourglass/analysis";
import type { FileFindings } from "@hourglass/analysis/files";
import { type Held, jobAttributes, type JobRecord, type SpanAttributes } from "@hourglass/runtime";
import type { TextOutcome } from "./text-outcome.js";

export type AnalysisName = TextualAnalysis | VisualAnalysis;

/**
 * Follows the analyses in a record whose results are to be explained. It is an entry rather than a separate field
 * because a release that does not know it treats it as an unknown analysis and leaves the operation to a newer worker;
 * it would ignore a field and omit the explanations.
 */
export const EXPLAIN = "explain";
/** Last entry of the analyses in a record whose results are to have offsets in UTF-16; an entry for the same reason. */
export const UTF16_OFFSETS = "utf16-offsets";

/** What the offsets of explanations count. */
export type OffsetUnit = "code-points" | "utf16";

/** How results are to be. */
export interface ResultOptions {
  /** Whether they include explanations. */
  explain: boolean;
  offsets: OffsetUnit;
}

/** The kind of all contents of an operation. */
export type ContentKind = "text" | "file-id" | "url";
/** A text, a file id or a URL, depending on the operation's kind. */
export type ContentValue = string | number;

/**
 * An operation as it is stored. A small one holds its contents and results itself, so that it is one document; a larger
 * one has them in parts.
 */
export interface OperationRecord extends JobRecord {
  kind: ContentKind;
  /** As requested, in order; then `EXPLAIN` and `UTF16_OFFSETS` if requested. */
  analyses: (AnalysisName | typeof EXPLAIN | typeof UTF16_OFFSETS)[];
  /** As sent; null when all contents form one group. */
  groups: string[] | null;
  contentsCount: number;
  /** All contents; null when they are stored in `partCount` parts. */
  contents: ContentValue[] | null;
  partCount: number;
  /** All outcomes once done; null when they are stored in the parts that `resultParts` names, in order. */
  results: Results | null;
  resultParts: string[] | null;
  /** Number of failed contents of a done operation; absent if an older release carried it out. */
  failedContents?: number | null;
}

/** An operation that a worker has taken. */
export type HeldOperation = Held<OperationRecord>;

/** Name of the job kind of operations. */
export const OPERATION = "operation";

/** Attributes of every span about an operation. */
export function operationAttributes(id: number): SpanAttributes {
  return jobAttributes({ name: OPERATION }, id);
}

type Request = Pick<OperationRecord, "kind" | "analyses" | "groups" | "contentsCount" | "contents" | "partCount">;

/** The record of an operation that no worker has started. */
export function newOperation(job: JobRecord, request: Request): OperationRecord {
  return { ...job, ...request, results: null, resultParts: null };
}

/** Sources of the words of a file: its sound or its pictures. */
export const TEXT_SOURCES = ["transcript", "ocr"] as const;
export type TextSource = (typeof TEXT_SOURCES)[number];

/** The outcome of one file: why it could not be read, or its findings and the analyses of the words in it. */
export type FileOutcome =
  { unreadable: string } | { findings: FileFindings; texts: Partial<Record<TextSource, TextOutcome>> };

/** The outcome of one content. */
export type ContentOutcome = TextOutcome | FileOutcome;

export function isFileOutcome(outcome: ContentOutcome): outcome is FileOutcome {
  return "findings" in outcome || "unreadable" in outcome;
}

/** Outcomes of the contents in order, and of the groups in order. */
export interface Results {
  contents: ContentOutcome[];
  groups: TextOutcome[];
}

/** Some of the contents of one operation; the id is `contentPartId` of the operation and the part. */
export interface ContentPart {
  id: string;
  operationId: number;
  contents: ContentValue[];
}

/** The outcomes of one part, by one worker. Written once and never changed, since other workers may build on it. */
export interface ResultPart {
  id: string;
  operationId: number;
  part: number;
  outcomes: ContentOutcome[];
}

/**
 * Names an operation that may leave data behind when a process dies or a worker is late; checked when due. Also keeps
 * the idempotency key of a deleted operation.
 */
export interface CleanupNote {
  id: number;
  /** Absent in notes of older releases. */
  companyId?: number;
  dueAt: number;
  idempotency: string | null;
  requestHash: string | null;
  /** Creation time of the operation. */
  createdAt: number;
  /** Whether files may be claimed for it; only in notes of older releases, since newer ones store a CreationAttempt. */
  files?: boolean;
}

/**
 * A creation that claims uploaded files: stored before it claims any, and removed once its operation is stored. While
 * it exists it owns its idempotency key, so that a retry waits for its outcome.
 */
export interface CreationAttempt {
  /** Id of the operation; no other attempt shares it. */
  id: number;
  /** Absent in attempts of older releases. */
  companyId?: number;
  /** Company and key, unique; null without a key, and once the key may be reused. */
  idempotency: string | null;
  /** `abandoned`: the operation will never be stored, and its claims are being released. */
  state: "open" | "abandoned";
  /** Increases while the process of the attempt is alive. */
  beats: number;
  /** When it may be removed; null while `open`. */
  dueAt: number | null;
}

/** The analyses and options as a record has them. */
export function withOptions(
  analyses: readonly AnalysisName[],
  { explain, offsets }: ResultOptions,
): OperationRecord["analyses"] {
  const explained = explain ? ([EXPLAIN] as const) : [];
  return [...analyses, ...explained, ...(offsets === "utf16" ? ([UTF16_OFFSETS] as const) : [])];
}

/** The requested analyses. */
export function analysesOf({ analyses }: Pick<OperationRecord, "analyses">): AnalysisName[] {
  return analyses.filter((name) => name !== EXPLAIN && name !== UTF16_OFFSETS);
}

/** Whether results include explanations. */
export function isExplained({ analyses }: Pick<OperationRecord, "analyses">): boolean {
  return analyses.includes(EXPLAIN);
}

/** What the offsets of explanations count. */
export function offsetUnitOf({ analyses }: Pick<OperationRecord, "analyses">): OffsetUnit {
  return analyses.includes(UTF16_OFFSETS) ? "utf16" : "code-points";
}
