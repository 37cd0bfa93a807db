import { LateFileError, TEXTUAL_ANALYSES, VISUAL_ANALYSES } from "@hourglass/analysis";
import { RunOperationSchema } from "@hourglass/proto/job/v1/job";
import {
  DEFAULT_JOB_POLICY,
  type LeasedJob,
  inSpan,
  type JobEnd,
  type JobKind,
  type JobLanes,
  jobMessage,
  type Lane,
  LeaseLostError,
  PostponedError,
  queuesOf,
} from "@hourglass/runtime";
import { type AnalyzeDeps, type PartAnalyzer, partAnalyzerOf, type PartContents, TextAnalyzer } from "./analyze.js";
import { groupsToAnalyze, GroupTexts } from "./groups.js";
import {
  type ContentKind,
  type ContentOutcome,
  EXPLAIN,
  hasFailed,
  isFileOutcome,
  NO_WORDS,
  OPERATION,
  operationAttributes,
  type OperationRecord,
  type OperationRepository,
  partsOf,
  type ResultPart,
  resultPartId,
  type Results,
  type TextOutcome,
  UTF16_OFFSETS,
} from "./store.js";

const [texts, large, files] = queuesOf(RunOperationSchema).map(String) as [string, string, string];

/** The queue of small texts. Before lanes were introduced it was the queue of all operations. */
export const RUN_QUEUE = texts;

/**
 * Operations of one lane never wait for those of another. `texts` holds small text operations, which take a moment
 * each; `large` holds text operations that do not fit into one document; `files` may wait for websites and take many
 * minutes.
 */
export const LANES = {
  texts: { name: "texts", queue: texts },
  large: { name: "large", queue: large },
  files: { name: "files", queue: files },
} as const satisfies Record<string, Lane>;

/** The lane of an operation. Kinds that only a newer release knows use the lane of texts. */
export const OPERATION_LANES: JobLanes<Pick<OperationRecord, "kind" | "partCount">> = {
  shared: LANES.texts,
  perCompany: [LANES.large, LANES.files],
  laneOf: ({ kind, partCount }) => {
    if (kind === "file-id" || kind === "url") return LANES.files;
    return partCount === 0 ? LANES.texts : LANES.large;
  },
};

/** All entries of a record's analyses that this release knows. */
const ANALYSES: readonly string[] = [...TEXTUAL_ANALYSES, ...VISUAL_ANALYSES, EXPLAIN, UTF16_OFFSETS];
/** Kinds of contents that this release can analyze. */
const KINDS: readonly string[] = ["text", "file-id", "url"] satisfies ContentKind[];

/** The job kind of operations. */
export const OPERATION_KIND: JobKind<OperationRecord> = {
  name: OPERATION,
  message: jobMessage(RunOperationSchema, "operationId"),
  lanes: OPERATION_LANES,
  policy: DEFAULT_JOB_POLICY,
  tooManyCode: "too_many_unfinished_operations",
  sentences: {
    gaveUp:
      "The analysis did not succeed in several attempts. Create the operation again, or ask the operator of this server.",
    needsNewerRelease: (unknown) =>
      `No worker of this server knows: ${unknown}. Create the operation again once the server is up to date.`,
    tooMany: "Too many operations of your company wait to be analyzed. Try again later.",
  },
  findUnknown,
  costOf: ({ contentsCount }) => contentsCount,
  spanAttributes: ({ contentsCount }) => ({ "hourglass.contents": contentsCount }),
};

/**
 * What a record requests that this release cannot do, for example `analysis emotion-x`; undefined if it can do
 * everything.
 */
function findUnknown({ kind, analyses }: Pick<OperationRecord, "kind" | "analyses">): string | undefined {
  const unknown = analyses.filter((name) => !ANALYSES.includes(name)).map((name) => `analysis ${name}`);
  if (!KINDS.includes(kind)) unknown.unshift(`contents of kind ${kind}`);
  return unknown.length === 0 ? undefined : unknown.join(", ");
}

export interface RunDeps extends AnalyzeDeps {
  repository: OperationRepository;
}

/**
 * A run stopped by a busy machine counts as a failed attempt only after this many runs. Each run keeps what it has
 * finished.
 */
const LATE_RUNS_MAX = 10;
const LATE_AGAIN_MS = 30_000;
/** Parts at once: with two, no thread idles while the last texts of a part are analyzed or its outcomes are stored. */
const PARTS_AT_ONCE = 2;
/** The error names at most this many unreadable contents. */
const REASONS_MAX = 5;

/** Carries out an operation: analyses its contents. */
export async function runOperation(
  deps: RunDeps,
  leased: LeasedJob<OperationRecord>,
): Promise<JobEnd<OperationRecord>> {
  const { contentsCount: progress } = leased.record;
  try {
    const outcomes = await new OperationRun(deps, leased).run();
    if ("unreadable" in outcomes) return { to: "invalid", error: outcomes.unreadable, progress };
    return { to: "done", fields: outcomes, progress };
  } catch (error) {
    if (!(error instanceof LateFileError)) throw error;
    const postponement = { delayMs: LATE_AGAIN_MS, runsMax: LATE_RUNS_MAX, cause: error };
    throw new PostponedError("machine is too busy, trying again later", postponement);
  }
}

/** The outcomes as the record will hold them once it is done, or why nothing could be read. */
type Outcomes = Pick<OperationRecord, "results" | "resultParts" | "failedContents"> | { unreadable: string };

interface AnalyzedPart extends PartContents {
  outcomes: readonly ContentOutcome[];
  /** Id under which they are stored. */
  id: string;
}

class OperationRun {
  private readonly record: OperationRecord;
  private readonly texts: TextAnalyzer;
  private readonly analyzer: PartAnalyzer;
  private readonly groups: GroupTexts;
  /** Number of contents read so far, which is the index of the next part's first content. */
  private contentsRead = 0;
  /** Number of contents analyzed so far. */
  private finished = 0;
  /** Reasons why contents could not be read; only the first few, each with its field. */
  private readonly reasons: string[] = [];
  private unreadable = 0;
  /** Indexes of contents that failed. */
  private readonly failed = new Set<number>();

  constructor(
    private readonly deps: RunDeps,
    private readonly leased: LeasedJob<OperationRecord>,
  ) {
    this.record = leased.record;
    this.texts = new TextAnalyzer(deps, leased);
    this.groups = new GroupTexts(groupsToAnalyze(leased.record), leased.record.contentsCount);
    this.analyzer = partAnalyzerOf(deps, leased, { texts: this.texts, groups: this.groups });
  }

  /**
   * Analyses all contents and groups. Outcomes of a small operation are returned; those of a larger one are stored part by
   * part, each written once under the number of this run, so that a worker that lost the operation cannot change what
   * another worker builds on. Parts that an earlier run completed are reused.
   */
  async run(): Promise<Outcomes> {
    const inline = this.record.contents !== null;
    const contents = inline ? await this.analyzeInline() : undefined;
    const resultParts = inline ? [] : await this.storeParts();
    const unreadable = this.whyUnreadable();
    if (unreadable !== undefined) return { unreadable };
    const groups = await this.analyzeGroups();
    const failedContents = this.failed.size;
    if (contents !== undefined) {
      return { results: { contents, groups } satisfies Results, resultParts: null, failedContents };
    }
    if (groups.length > 0) resultParts.push(await this.storeOutcomes(this.record.partCount, groups));
    return { results: null, resultParts, failedContents };
  }

  /** Analyses all parts in order; returns the ids of their outcomes. */
  private async storeParts(): Promise<string[]> {
    const completed = await this.completedParts();
    const ids: string[] = [];
    const pending: Promise<AnalyzedPart>[] = [];
    const finishOldest = async (): Promise<void> => {
      const oldest = await pending.shift();
      if (oldest === undefined) return;
      ids.push(oldest.id);
      this.addOutcomes(oldest, oldest.outcomes);
    };
    for (let index = 0; index < partsOf(this.record); index++) {
      const part = await this.readContents(index);
      const earlier = completed.get(index);
      const work = earlier === undefined ? this.storePart(index, part) : this.reusePart(part, earlier);
      work.catch(() => undefined); // awaited later, unless an earlier part fails
      pending.push(work);
      if (pending.length >= PARTS_AT_ONCE) await finishOldest();
    }
    while (pending.length > 0) await finishOldest();
    return ids;
  }

  /** Outcomes of an operation that is a single document. */
  private async analyzeInline(): Promise<ContentOutcome[]> {
    const part = await this.readContents(0);
    const outcomes = await this.analyzer.analyze(part, () => Promise.resolve());
    this.addOutcomes(part, outcomes);
    return outcomes;
  }

  /** Why no content could be read, for the owner; undefined if at least one could. */
  private whyUnreadable(): string | undefined {
    if (this.unreadable < this.record.contentsCount) return undefined;
    const more = this.unreadable - this.reasons.length;
    const rest = more > 0 ? [`and ${more} more`] : [];
    return `None of the contents could be read. ${[...this.reasons, ...rest].join("; ")}`;
  }

  private async analyzeGroups(): Promise<TextOutcome[]> {
    const outcomes: TextOutcome[] = [];
    for (const texts of this.groups.batches()) {
      const written = texts.filter((text) => text !== "");
      const found = (await this.texts.analyzePersonality(written)).values();
      for (const text of texts) outcomes.push((text === "" ? undefined : found.next().value) ?? noWords());
    }
    groupsToAnalyze(this.record).forEach((members, group) => {
      const outcome = outcomes[group];
      if (outcome !== undefined && hasFailed(outcome)) for (const member of members) this.failed.add(member);
    });
    return outcomes;
  }

  /** Stores outcomes under this run; returns the id. */
  private async storeOutcomes(part: number, outcomes: ContentOutcome[]): Promise<string> {
    this.leased.lease.require();
    const id = resultPartId(this.record.id, this.record.runs, part);
    const attributes = { ...operationAttributes(this.record.id), "hourglass.part": part };
    await inSpan({ name: "store results", attributes }, () =>
      this.deps.repository.collections.resultParts.insert({ id, operationId: this.record.id, part, outcomes }),
    );
    return id;
  }

  private async storePart(index: number, part: PartContents): Promise<AnalyzedPart> {
    const outcomes = await this.analyzer.analyze(part, (count) => this.report(count));
    return { ...part, outcomes, id: await this.storeOutcomes(index, outcomes) };
  }

  /** Outcomes that an earlier run completed, read again: the groups and the final record depend on them. */
  private async reusePart(part: PartContents, id: string): Promise<AnalyzedPart> {
    const stored = await this.deps.repository.collections.resultParts.get(id);
    await this.report(part.contents.length);
    return { ...part, id, outcomes: stored?.outcomes ?? [] };
  }

  /** Adds the outcomes of a part; parts arrive in order. */
  private addOutcomes({ first, contents }: PartContents, outcomes: readonly ContentOutcome[]): void {
    this.analyzer.groupTexts(contents, outcomes).forEach((text, offset) => {
      if (text !== "") this.groups.add(first + offset, text);
    });
    outcomes.forEach((outcome, offset) => {
      if (hasFailed(outcome)) this.failed.add(first + offset);
      if (!isFileOutcome(outcome) || !("unreadable" in outcome)) return;
      this.unreadable += 1;
      if (this.reasons.length < REASONS_MAX) this.reasons.push(`contents[${first + offset}]: ${outcome.unreadable}`);
    });
  }

  /** Reads the next part; parts are read in order. */
  private async readContents(part: number): Promise<PartContents> {
    const contents = await this.deps.repository.readPart(this.record, part);
    // Parts are deleted only with their operation, and the lease with it.
    if (contents === undefined) throw new LeaseLostError();
    const first = this.contentsRead;
    this.contentsRead += contents.length;
    return { first, contents };
  }

  private report(count: number): Promise<void> {
    this.finished += count;
    return this.leased.lease.report(this.finished);
  }

  /** Parts that earlier runs have completed: part to id of its outcomes. */
  private async completedParts(): Promise<Map<number, ResultPart["id"]>> {
    const completed = new Map<number, string>();
    if (this.record.runs === 1) return completed;
    for await (const { id, part } of this.deps.repository.collections.resultParts.stream({
      operationId: this.record.id,
    })) {
      if (part < this.record.partCount) completed.set(part, id);
    }
    return completed;
  }
}

function noWords(): TextOutcome {
  return { results: {}, errors: { "personality-mb": NO_WORDS } };
}
