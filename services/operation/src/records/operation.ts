import type { TextualAnalysis, VisualAnalysis } from "@hourglass/analysis";
import type { Collection, Filter, Change } from "@hourglass/runtime";
import type { TextOutcome } from "./text-outcome.js";
import type { FileFindings } from "@hourglass/analysis/files";

/** How an operation may move on. What has ended never changes. */
export const TRANSITIONS = {
  ready: ["pending"],
  pending: ["running"],
  running: ["pending", "done", "failed", "invalid"],
  done: [],
  failed: [],
  invalid: [],
} as const satisfies Record<string, readonly string[]>;

export type OperationStatus = keyof typeof TRANSITIONS;
/** The states that `S` may move on to. */
export type Next<S extends OperationStatus> = (typeof TRANSITIONS)[S][number];

/** An operation in one of these still needs work. */
export const UNFINISHED = ["ready", "pending", "running"] as const satisfies readonly OperationStatus[];

export type AnalysisName = TextualAnalysis | VisualAnalysis;

/**
 * Stands behind the analyses of a record whose results are to say what made them so. It stands there, because a release
 * that has never heard of it takes it for an analysis of a newer one: its workers hand the operation on, where they would
 * pass over a field of its own and leave the explanations out.
 */
export const EXPLAIN = "explain";

/** What all contents of one operation are. */
export type ContentKind = "text" | "file-id" | "url";
/** A text, a file id or a URL, as the operation's kind says. */
export type ContentValue = string | number;

/**
 * An operation as it is stored: the truth about its state. A small one holds its contents and results itself, so that
 * it is one document; of a larger one they stand in parts beside it.
 */
export interface OperationRecord {
  id: number;
  companyId: number;
  status: OperationStatus;
  kind: ContentKind;
  /** As asked for, in order; `EXPLAIN` last when it was asked for. */
  analyses: (AnalysisName | typeof EXPLAIN)[];
  /** As sent; null when all contents form one group. */
  groups: string[] | null;
  contentsCount: number;
  /** All contents; null when they stand in `partCount` parts. */
  contents: ContentValue[] | null;
  partCount: number;
  /** Place in the order of publication, see turns.ts. */
  turn: number;
  /** Lane and company, as one text so that one index finds both; null, or absent in records of older releases: lanes.ts. */
  line?: string | null;
  /** Milliseconds since the epoch, as all times here. */
  createdAt: number;
  /** When a message about it was last published. */
  queuedAt: number | null;
  /** Times a worker began and did not hand it back of its own accord. */
  attempts: number;
  /** Times a worker began; never goes back, so it tells the results of two workers apart. */
  runs: number;
  /** Whose it is while running; stays after the end, as the mark of who ended it. */
  leaseToken: string | null;
  leaseExpiresAt: number | null;
  /** When a worker last put it back because its company held too many places, see defer.ts. */
  deferredAt?: number | null;
  /** Times a worker left it for one of a newer release, see hand-on.ts. */
  handedOn?: number | null;
  /** Contents analysed so far. */
  progress: number;
  finishedAt: number | null;
  /** Why it ended failed or invalid, for a person. */
  error: string | null;
  /** All outcomes once done; null when they stand in the parts that `resultParts` names, in order. */
  results: Results | null;
  resultParts: string[] | null;
  /** Of a done one, contents that failed; absent when an older release carried it out. */
  failedContents?: number | null;
  /** Company and key, unique; null without a key. */
  idempotency: string | null;
  requestHash: string | null;
  /** W3C trace context of its creation; null without tracing, absent in records of older releases. */
  traceparent?: string | null;
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
 * Something about an operation that may be left over when a process dies or a worker comes late; looked at when due.
 * Keeps the idempotency key of an operation that was deleted.
 */
export interface Leftover {
  id: number;
  dueAt: number;
  idempotency: string | null;
  requestHash: string | null;
  /** Of the operation. */
  createdAt: number;
  /** Whether files may be claimed for it; only in notes of older releases, see CreationAttempt. */
  files?: boolean;
}

/**
 * A creation that claims uploaded files: noted before it claims any, and removed once its operation stands. While it is
 * there, its idempotency key belongs to it, so that a repetition waits for its outcome.
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
  /** When nothing need be known of it any more; null while `open`. */
  dueAt: number | null;
}

/** Where a company, or the service as a whole (id `all`), stands in the order of publication. */
export interface TurnRecord {
  id: string;
  turn: number;
}

/** The analyses that were asked for. */
export function analysesOf({ analyses }: Pick<OperationRecord, "analyses">): AnalysisName[] {
  return analyses.filter((name) => name !== EXPLAIN);
}

/** Whether results are to say what made them so. */
export function isExplained({ analyses }: Pick<OperationRecord, "analyses">): boolean {
  return analyses.includes(EXPLAIN);
}

/** A status that only a newer release knows counts as not ended. */
export function hasEnded(status: OperationStatus): boolean {
  const next: Partial<Record<string, readonly string[]>> = TRANSITIONS;
  return next[status]?.length === 0;
}

export interface Transition<F extends OperationStatus> {
  from: F;
  to: Next<F>;
  /** Further conditions, such as the lease token. */
  where?: Omit<Filter<OperationRecord>, "id" | "status">;
  set?: Omit<Partial<OperationRecord>, "id" | "status">;
  increment?: Change<OperationRecord>["increment"];
}

/**
 * Moves an operation on by one conditional write. Returns the record as it is afterwards, or nothing when it was in
 * another state or a condition did not hold: a lost race, which is a normal answer.
 */
export function transition<F extends OperationStatus>(
  operations: Collection<OperationRecord>,
  id: number,
  { from, to, where = {}, set = {}, increment }: Transition<F>,
): Promise<OperationRecord | undefined> {
  const filter: Filter<OperationRecord> = { ...where, id, status: from };
  return operations.update(filter, {
    set: { ...set, status: to },
    ...(increment === undefined ? {} : { increment }),
  });
}
