import type { ModelState, TextAnalysis, TextualAnalysis, VisualAnalysis } from "@hourglass/analysis";
import type { FileFindings } from "@hourglass/analysis/files";
import {
  AppError,
  type Author,
  type Belonging,
  type ChoreRecord,
  choresOf,
  type Collection,
  type CollectionDeclaration,
  declared,
  DUE_INDEX,
  type DueRecord,
  findByIdempotency,
  JOB_HALT,
  JOB_INDEXES,
  jobAttributes,
  type JobRecord,
  type Metadata,
  keyReused,
  LoopPace,
  ofCompany,
  ofParent,
  type ServiceData,
  type SpanAttributes,
  type Store,
} from "@hourglass/runtime";

/** Name of the job kind of operations. */
export const OPERATION = "operation";

/** Time after which a request has been stored or never will be, in milliseconds. */
export const CREATE_TIME_MAX_MS = 60 * 60 * 1000;

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
  /** Number of failed contents; null unless `done`. */
  failedContents: number | null;
  /** For people. Absent without one. */
  name?: string;
  /** For programs. Absent without any. */
  metadata?: Metadata;
  createdBy: Author;
  /** Beginning of the first content; absent if `contents` has it. */
  preview?: string;
}

/** No company has this id, so no caller sees a record with it. */
export const NO_COMPANY = 0;

/** Whether the record only prevents an operation with this id from being stored. */
export function isTombstone({ companyId }: OperationRecord): boolean {
  return companyId === NO_COMPANY;
}

/** The record of an operation that no worker has started, with an id if the job has one. */
export function newOperation<J extends Omit<JobRecord, "id">>(
  job: J,
  request: Pick<OperationRecord, "kind" | "analyses" | "groups" | "contentsCount" | "contents" | "partCount"> &
    Pick<OperationRecord, "name" | "metadata" | "createdBy" | "preview">,
): J & Omit<OperationRecord, keyof JobRecord> {
  return { ...job, ...request, results: null, resultParts: null, failedContents: null };
}

/** The outcome of one text as it is stored; without words, nothing is said of models and language. */
export type TextOutcome = Pick<TextAnalysis, "results" | "errors"> &
  Partial<Pick<TextAnalysis, "models" | "language" | "supported" | "unsupportedReasons">>;

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

/** Reported for a group whose contents have no words: not a failure, since there is nothing to analyze. */
export const NO_WORDS = "no words were found in the contents of this group";

/** Whether a content failed: it could not be read, or one of its analyses failed. */
export function hasFailed(outcome: ContentOutcome): boolean {
  if (!isFileOutcome(outcome)) return Object.values(outcome.errors).some(isFailure);
  if ("unreadable" in outcome) return true;
  const { findings, texts } = outcome;
  return Object.values(findings.errors).some(isFailure) || Object.values(texts).some(hasFailed);
}

function isFailure(reason: string | undefined): boolean {
  return reason !== undefined && reason !== NO_WORDS;
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
export interface CleanupNote extends DueRecord {
  id: number;
  companyId: number;
  idempotency: string | null;
  requestHash: string | null;
  /** Creation time of the operation. */
  createdAt: number;
  /** Whether files may be claimed for it: its creation was abandoned. */
  files?: boolean;
}

/**
 * A creation that claims uploaded files: stored before it claims any, and removed once its operation is stored. While
 * it exists it owns its idempotency key, so that a retry waits for its outcome.
 */
export interface CreationAttempt extends DueRecord {
  /** Id of the operation; no other attempt shares it. */
  id: number;
  companyId: number;
  /** Company and key, unique; null without a key, and once the key may be reused. */
  idempotency: string | null;
  /** `abandoned`: the operation will never be stored, and its claims are being released. */
  state: "open" | "abandoned";
  /** Increases while the process of the attempt is alive. */
  beats: number;
  /** When it may be removed; null while `open`. */
  dueAt: number | null;
}

export const OPERATIONS: CollectionDeclaration<OperationRecord> = {
  name: "operations",
  // By its end, for those that are kept for a limited time.
  indexes: [...JOB_INDEXES, { fields: ["finishedAt"] }],
  belongs: [ofCompany("companyId")],
  halt: JOB_HALT,
};

const CLEANUP_NOTES: CollectionDeclaration<CleanupNote> = {
  name: "operation_leftovers",
  indexes: [DUE_INDEX, { fields: ["idempotency"] }],
  belongs: [ofCompany("companyId")],
};

/** What a crash has left without its operation is found by the note about it. */
function ofOperations<T extends ContentPart | ResultPart>(): Belonging<T>[] {
  return [ofParent<T>(OPERATIONS.name, "operationId"), ofParent<T>(CLEANUP_NOTES.name, "operationId")];
}

const CONTENT_PARTS: CollectionDeclaration<ContentPart> = {
  name: "operation_chunks",
  indexes: [{ fields: ["operationId"] }],
  belongs: ofOperations(),
};

const RESULT_PARTS: CollectionDeclaration<ResultPart> = {
  name: "operation_results",
  indexes: [{ fields: ["operationId"] }],
  belongs: ofOperations(),
};

const ATTEMPTS: CollectionDeclaration<CreationAttempt> = {
  name: "operation_attempts",
  indexes: [{ fields: ["idempotency"], unique: true }, { fields: ["state", "id"] }, DUE_INDEX],
  belongs: [ofCompany("companyId")],
};

/** Which analyses work in one process, as it last said. */
export interface AnalyzerReport {
  /** Of the process. */
  id: string;
  /** In milliseconds since the epoch. */
  reportedAt: number;
  analyzers: ReportedAnalyzer[];
}

/** An analysis, or what files need: `reading`, `speech`, `ffmpeg`. */
export interface ReportedAnalyzer extends ModelState {
  type: string;
}

const ANALYZER_REPORTS: CollectionDeclaration<AnalyzerReport> = {
  name: "operation_analyzers",
  indexes: [],
  belongs: { because: "it says only which analyses work" },
};

const CHORES = choresOf("operation");

/** All that this service keeps. */
export const OPERATION_DATA: ServiceData = {
  collections: [
    declared(CONTENT_PARTS),
    declared(RESULT_PARTS),
    declared(ATTEMPTS),
    declared(CLEANUP_NOTES),
    declared(ANALYZER_REPORTS),
    declared(CHORES),
    declared(OPERATIONS),
  ],
};

/** All collections of this service. No other service reads or writes them. */
export interface Collections {
  operations: Collection<OperationRecord>;
  contentParts: Collection<ContentPart>;
  resultParts: Collection<ResultPart>;
  cleanupNotes: Collection<CleanupNote>;
  attempts: Collection<CreationAttempt>;
  analyzerReports: Collection<AnalyzerReport>;
  chores: Collection<ChoreRecord>;
}

/** All contents of an operation, and its results when it is done and they were asked for. */
export interface FullOperation {
  values: ContentValue[];
  results: Results | undefined;
}

/** Whether an operation is one document, with its contents and results. */
export function isSmall({ contents, resultParts }: OperationRecord): boolean {
  return contents !== null && resultParts === null;
}

/** An operation as its caller has read it when it was done. */
export interface KnownOperation {
  id: number;
  finishedAt: number;
}

/** One use of an idempotency key. */
export interface KeyUse {
  /** Company and key; unique. */
  idempotency: string;
  requestHash: string;
  /** In milliseconds since the epoch. */
  usedAt: number;
}

/** The stored operations with their contents and results. */
export class OperationRepository {
  private constructor(readonly collections: Collections) {}

  /** Opens the collections, and creates those that are missing. */
  static async open(store: Store): Promise<OperationRepository> {
    return new OperationRepository({
      operations: await store.collection(OPERATIONS),
      contentParts: await store.collection(CONTENT_PARTS),
      resultParts: await store.collection(RESULT_PARTS),
      cleanupNotes: await store.collection(CLEANUP_NOTES),
      attempts: await store.collection(ATTEMPTS),
      analyzerReports: await store.collection(ANALYZER_REPORTS),
      chores: await store.collection(CHORES),
    });
  }

  /** The operation. Throws AppError `not-found` if it is unknown or belongs to another company. */
  async find(id: number, companyId: number): Promise<OperationRecord> {
    const record = await this.collections.operations.get(id);
    if (record?.companyId !== companyId) throw operationNotFound();
    return record;
  }

  /**
   * Returns the ids of the operations that still are as they were read. An operation that is done changes no more until
   * it is deleted, and its id is never given again; the time of its end tells apart those of a store that was restored.
   */
  async findUnchanged(given: readonly KnownOperation[], companyId: number): Promise<number[]> {
    const { operations } = this.collections;
    const known = given.filter(({ id, finishedAt }) => Number.isSafeInteger(id) && Number.isSafeInteger(finishedAt));
    const ids = [...new Set(known.map(({ id }) => id))];
    const times = [...new Set(known.map(({ finishedAt }) => finishedAt))];
    const filter = { id: { in: ids }, companyId, status: "done", finishedAt: { in: times } } as const;
    // Nearly always all are unchanged, which a count tells without reading one of them.
    if ((await operations.count(filter)) === ids.length) return ids;
    const ends = new Map((await operations.find(filter)).map(({ id, finishedAt }) => [id, finishedAt]));
    return known.filter(({ id, finishedAt }) => ends.get(id) === finishedAt).map(({ id }) => id);
  }

  /**
   * The id of the operation that the key stands for, if any; it may have been deleted since. Throws AppError `invalid` if
   * the key was used for another request.
   */
  async findByKey({ idempotency, requestHash, usedAt }: KeyUse): Promise<number | undefined> {
    const { operations, cleanupNotes } = this.collections;
    // A deletion stores the key in a note before it removes the record, so reading in this order misses neither.
    const stored = await findByIdempotency(operations, idempotency, usedAt);
    const found = stored ?? (await findByIdempotency(cleanupNotes, idempotency, usedAt));
    if (found === undefined || found.requestHash === requestHash) return found?.id;
    throw keyReused("idempotency_key");
  }

  /**
   * The contents and, if it is done and they are asked for, results of an operation, read in pieces of the event loop.
   * Throws AppError `not-found` if it has been deleted since its record was read.
   */
  async readFull(record: OperationRecord, withResults = true): Promise<FullOperation> {
    const isDone = record.status === "done" && withResults;
    const values = await this.readContents(record);
    const results = isDone ? await this.readResults(record) : undefined;
    // The parts of an operation are deleted after its record.
    if (values === undefined || (isDone && results === undefined)) throw operationNotFound();
    return { values, results };
  }

  /** The contents of one part; undefined if the operation has been deleted in the meantime. */
  async readPart(record: OperationRecord, part: number): Promise<ContentValue[] | undefined> {
    if (record.contents !== null) return record.contents;
    return (await this.collections.contentParts.get(contentPartId(record.id, part)))?.contents;
  }

  /** The outcomes stored under that id; undefined if the operation has been deleted in the meantime. */
  async readOutcomes(id: ResultPart["id"]): Promise<ContentOutcome[] | undefined> {
    return (await this.collections.resultParts.get(id))?.outcomes;
  }

  /** Removes the contents and results of an operation without a record. */
  async deleteParts(operationId: number): Promise<void> {
    const { contentParts, resultParts } = this.collections;
    await Promise.all([contentParts.delete({ operationId }), resultParts.delete({ operationId })]);
  }

  /** All contents in order; undefined if the operation has been deleted in the meantime. */
  private async readContents(record: OperationRecord): Promise<ContentValue[] | undefined> {
    if (record.contents !== null) return record.contents;
    const all: ContentValue[] = [];
    const pace = new LoopPace();
    for (let part = 0; part < record.partCount; part++) {
      await pace.step();
      const contents = await this.readPart(record, part);
      if (contents === undefined) return undefined;
      for (const content of contents) all.push(content);
    }
    return all;
  }

  /** All outcomes of a done operation; undefined if it has been deleted in the meantime. */
  private async readResults(record: OperationRecord): Promise<Results | undefined> {
    if (record.resultParts === null) return record.results ?? undefined;
    const contents: ContentOutcome[] = [];
    const groups: TextOutcome[] = [];
    const pace = new LoopPace();
    for (const id of record.resultParts) {
      await pace.step();
      const part = await this.collections.resultParts.get(id);
      if (part === undefined) return undefined;
      if (part.part < partsOf(record)) contents.push(...part.outcomes);
      else groups.push(...part.outcomes.filter((outcome): outcome is TextOutcome => !isFileOutcome(outcome)));
    }
    return { contents, groups };
  }
}

/** The same error for unknown operations and for those of others, so that callers cannot tell them apart. */
export function operationNotFound(): AppError {
  return new AppError("not-found", "There is no such operation: it was deleted, or the id is wrong.", {
    code: "operation_not_found",
  });
}

/** Attributes of every span about an operation. */
export function operationAttributes(id: number): SpanAttributes {
  return jobAttributes({ name: OPERATION }, id);
}

/** Number of parts to process in order; an operation without parts counts as one. */
export function partsOf(record: OperationRecord): number {
  return Math.max(1, record.partCount);
}

export function contentPartId(operationId: number, part: number): string {
  return `${operationId}:${part}`;
}

/** A `part` equal to the number of content parts denotes the groups. */
export function resultPartId(operationId: number, run: number, part: number): string {
  return `${contentPartId(operationId, part)}:${run}`;
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
