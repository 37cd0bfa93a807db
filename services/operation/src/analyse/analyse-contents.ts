import { inSpan, LeaseLostError } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import { hasFailed, NO_WORDS } from "../results/content-error.js";
import { partsOf, readPart } from "../records/contents.js";
import { FileParts } from "./file-parts.js";
import { groupsToAnalyse } from "../records/groups.js";
import { GroupTexts } from "./group-texts.js";
import { resultPartId } from "../records/cleanup-notes.js";
import {
  type ContentOutcome,
  type HeldOperation,
  isFileOutcome,
  operationAttributes,
  type OperationRecord,
  type ResultPart,
  type Results,
} from "../records/operation.js";
import type { PartAnalysis, PartContents } from "./part-analysis.js";
import type { TextOutcome } from "../records/text-outcome.js";
import type { FileAnalyst } from "@hourglass/analysis/files";
import { TextAnalysis, type TextAnalysisDeps } from "./text-analysis.js";
import { TextParts } from "./text-parts.js";

export interface AnalyseDeps extends TextAnalysisDeps {
  collections: Collections;
  /** Without it, operations on files fail. */
  files?: FileAnalyst;
}

/** The outcomes as the record will hold them once it is done, or why nothing could be read. */
export type Outcomes = Pick<OperationRecord, "results" | "resultParts" | "failedContents"> | { unreadable: string };

/**
 * Analyses all contents and groups of an operation. Outcomes of a small operation are returned; those of a larger one
 * are stored part by part, each written once under the number of this run, so that a worker that lost the operation
 * cannot change what another worker builds on. Parts that an earlier run completed are reused.
 */
export async function analyseOperation(deps: AnalyseDeps, held: HeldOperation): Promise<Outcomes> {
  const job = new Job(deps, held);
  const inline = held.record.contents !== null;
  const contents = inline ? await job.analyseInline() : undefined;
  const resultParts = inline ? [] : await job.storeParts();
  const unreadable = job.nothingRead();
  if (unreadable !== undefined) return { unreadable };
  const groups = await job.analyseGroups();
  const { failedContents } = job;
  if (contents !== undefined) {
    return { results: { contents, groups } satisfies Results, resultParts: null, failedContents };
  }
  if (groups.length > 0) resultParts.push(await job.storeOutcomes(held.record.partCount, groups));
  return { results: null, resultParts, failedContents };
}

/** With two, no thread idles while the last texts of a part are analysed or its outcomes are stored. */
const PARTS_AT_ONCE = 2;
/** The error names at most this many unreadable contents. */
const REASONS_MAX = 5;

interface AnalysedPart extends PartContents {
  outcomes: readonly ContentOutcome[];
  /** Id under which they are stored. */
  id: string;
}

class Job {
  private readonly record: OperationRecord;
  private readonly texts: TextAnalysis;
  private readonly analysis: PartAnalysis;
  private readonly groups: GroupTexts;
  /** Number of contents read so far, which is the index of the next part's first content. */
  private seen = 0;
  /** Number of contents analysed so far. */
  private finished = 0;
  /** Reasons why contents could not be read; only the first few, each with its field. */
  private readonly reasons: string[] = [];
  private unreadable = 0;
  /** Indexes of contents that failed. */
  private readonly failed = new Set<number>();

  constructor(
    private readonly deps: AnalyseDeps,
    private readonly held: HeldOperation,
  ) {
    this.record = held.record;
    this.texts = new TextAnalysis(deps, held);
    this.groups = new GroupTexts(groupsToAnalyse(held.record), held.record.contentsCount);
    this.analysis = this.record.kind === "text" ? new TextParts(this.texts, this.groups) : this.fileParts();
  }

  /** Number of failed contents, once all contents and groups have been analysed. */
  get failedContents(): number {
    return this.failed.size;
  }

  /** Goes through all parts in order; returns the ids of their outcomes. */
  async storeParts(): Promise<string[]> {
    const known = await this.knownParts();
    const ids: string[] = [];
    const underWay: Promise<AnalysedPart>[] = [];
    const finishOldest = async (): Promise<void> => {
      const oldest = await underWay.shift();
      if (oldest === undefined) return;
      ids.push(oldest.id);
      this.takeIn(oldest, oldest.outcomes);
    };
    for (let part = 0; part < partsOf(this.record); part++) {
      const begun = await this.readContents(part);
      const earlier = known.get(part);
      const work = earlier === undefined ? this.storePart(part, begun) : this.takeOver(begun, earlier);
      work.catch(() => undefined); // awaited later, unless an earlier part fails
      underWay.push(work);
      if (underWay.length >= PARTS_AT_ONCE) await finishOldest();
    }
    while (underWay.length > 0) await finishOldest();
    return ids;
  }

  /** Outcomes of an operation that is a single document. */
  async analyseInline(): Promise<ContentOutcome[]> {
    const part = await this.readContents(0);
    const outcomes = await this.analysis.analyse(part, () => Promise.resolve());
    this.takeIn(part, outcomes);
    return outcomes;
  }

  /** Why no content could be read, for the owner; undefined if at least one could. */
  nothingRead(): string | undefined {
    if (this.unreadable < this.record.contentsCount) return undefined;
    const more = this.unreadable - this.reasons.length;
    const rest = more > 0 ? [`and ${more} more`] : [];
    return `None of the contents could be read. ${[...this.reasons, ...rest].join("; ")}`;
  }

  async analyseGroups(): Promise<TextOutcome[]> {
    const outcomes: TextOutcome[] = [];
    for (const texts of this.groups.batches()) {
      const written = texts.filter((text) => text !== "");
      const found = (await this.texts.analysePersonality(written)).values();
      for (const text of texts) outcomes.push((text === "" ? undefined : found.next().value) ?? withoutWords());
    }
    groupsToAnalyse(this.record).forEach((members, group) => {
      const outcome = outcomes[group];
      if (outcome !== undefined && hasFailed(outcome)) for (const member of members) this.failed.add(member);
    });
    return outcomes;
  }

  /** Stores outcomes under this run; returns the id. */
  async storeOutcomes(part: number, outcomes: ContentOutcome[]): Promise<string> {
    this.held.lease.require();
    const id = resultPartId(this.record.id, this.record.runs, part);
    const attributes = { ...operationAttributes(this.record.id), "hourglass.part": part };
    await inSpan({ name: "store results", attributes }, () =>
      this.deps.collections.resultParts.insert({ id, operationId: this.record.id, part, outcomes }),
    );
    return id;
  }

  private fileParts(): FileParts {
    const { files, onTimed } = this.deps;
    if (files === undefined) throw new Error("this worker cannot read files");
    return new FileParts({ files, onTimed, texts: this.texts, groups: this.groups }, this.held);
  }

  private async storePart(part: number, begun: PartContents): Promise<AnalysedPart> {
    const outcomes = await this.analysis.analyse(begun, (count) => this.report(count));
    return { ...begun, outcomes, id: await this.storeOutcomes(part, outcomes) };
  }

  /** Outcomes that an earlier run completed, read again: the groups and the final record depend on them. */
  private async takeOver(begun: PartContents, id: string): Promise<AnalysedPart> {
    const stored = await this.deps.collections.resultParts.get(id);
    await this.report(begun.contents.length);
    return { ...begun, id, outcomes: stored?.outcomes ?? [] };
  }

  /** Records the outcomes of a part; parts arrive in order. */
  private takeIn({ first, contents }: PartContents, outcomes: readonly ContentOutcome[]): void {
    this.analysis.groupTexts(contents, outcomes).forEach((text, offset) => {
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
    const contents = await readPart(this.deps.collections.contentParts, this.record, part);
    // Parts are deleted only with their operation, and the lease with it.
    if (contents === undefined) throw new LeaseLostError();
    const first = this.seen;
    this.seen += contents.length;
    return { first, contents };
  }

  private report(count: number): Promise<void> {
    this.finished += count;
    return this.held.lease.report(this.finished);
  }

  /** Parts that earlier runs have completed: part to id of its outcomes. */
  private async knownParts(): Promise<Map<number, ResultPart["id"]>> {
    const known = new Map<number, string>();
    if (this.record.runs === 1) return known;
    for await (const { id, part } of this.deps.collections.resultParts.stream({ operationId: this.record.id })) {
      if (part < this.record.partCount) known.set(part, id);
    }
    return known;
  }
}

function withoutWords(): TextOutcome {
  return { results: {}, errors: { "personality-mb": NO_WORDS } };
}
