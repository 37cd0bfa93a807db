import { TEXTUAL_ANALYSES, type TextualAnalysis } from "@hourglass/analysis";
import { failpoint, inSpan, type Measurements } from "@hourglass/runtime";
import type { Collections } from "./collections.js";
import { partsOf, readPart } from "./contents.js";
import { withinBounds } from "./explanation-bounds.js";
import { groupsToAnalyse } from "./groups.js";
import { GroupTexts } from "./group-texts.js";
import { type Held, LeaseLostError } from "./lease.js";
import { resultPartId } from "./leftovers.js";
import { analysesOf, isExplained, type AnalysisName, type OperationRecord, type Results } from "./operation.js";
import type { AnalysisPool, AnalysisTiming, TextOutcome } from "./ports/analysis-pool.js";
import { operationAttributes } from "./trace.js";

export interface AnalyseDeps {
  collections: Collections;
  pool: AnalysisPool;
  metrics: Measurements;
}

/** What the record is to say about the outcomes once it is done. */
export type Outcomes = Pick<OperationRecord, "results" | "resultParts">;

/**
 * Analyses all contents and groups of an operation. Outcomes of a small one are returned; those of a larger one are
 * stored part by part, each written once under the number of this run, so that a worker that lost the operation cannot
 * touch what another builds on. Parts that an earlier run completed are taken over.
 */
export async function analyseOperation(deps: AnalyseDeps, held: Held): Promise<Outcomes> {
  const job = new Job(deps, held);
  const inline = held.record.contents !== null;
  const contents = inline ? await job.analyseInline() : undefined;
  const resultParts = inline ? [] : await job.storeParts();
  const groups = await job.analyseGroups();
  if (contents !== undefined) return { results: { contents, groups } satisfies Results, resultParts: null };
  if (groups.length > 0) resultParts.push(await job.storeOutcomes(held.record.partCount, groups));
  return { results: null, resultParts };
}

/** With two, no thread waits while the last texts of a part are analysed or its outcomes are stored. */
const PARTS_AT_ONCE = 2;

interface PartTexts {
  /** Index of the first content of the part. */
  first: number;
  texts: string[];
}

class Job {
  private readonly record: OperationRecord;
  private readonly analyses: readonly TextualAnalysis[];
  private readonly groups: GroupTexts;
  /** Contents seen so far, which is the index of the next part's first. */
  private seen = 0;

  constructor(
    private readonly deps: AnalyseDeps,
    private readonly held: Held,
  ) {
    this.record = held.record;
    const asked: readonly AnalysisName[] = analysesOf(held.record);
    this.analyses = TEXTUAL_ANALYSES.filter((analysis) => asked.includes(analysis));
    this.groups = new GroupTexts(groupsToAnalyse(held.record), held.record.contentsCount);
  }

  /** Goes through all parts in order; returns the ids of their outcomes. */
  async storeParts(): Promise<string[]> {
    const known = await this.knownParts();
    const ids: string[] = [];
    const underWay: { seen: number; id: Promise<string> }[] = [];
    const finishOldest = async (): Promise<void> => {
      const oldest = underWay.shift();
      if (oldest === undefined) return;
      ids.push(await oldest.id);
      await this.held.lease.report(oldest.seen);
    };
    for (let part = 0; part < partsOf(this.record); part++) {
      const begun = await this.readTexts(part);
      const earlier = known.get(part);
      const id = earlier === undefined ? this.storeOutcomesOf(part, begun) : Promise.resolve(earlier);
      id.catch(() => undefined); // awaited in its turn, which does not come when one before it fails
      underWay.push({ seen: this.seen, id });
      if (underWay.length >= PARTS_AT_ONCE) await finishOldest();
    }
    while (underWay.length > 0) await finishOldest();
    return ids;
  }

  /** Outcomes of an operation that is one document. */
  async analyseInline(): Promise<TextOutcome[]> {
    return this.analysePart(await this.readTexts(0));
  }

  async analyseGroups(): Promise<TextOutcome[]> {
    const outcomes: TextOutcome[] = [];
    for (const texts of this.groups.batches()) outcomes.push(...(await this.analyse(texts, ["personality-mb"])));
    return outcomes;
  }

  private async storeOutcomesOf(part: number, texts: PartTexts): Promise<string> {
    return this.storeOutcomes(part, await this.analysePart(texts));
  }

  /** Outcomes of one part; a content in a group gets its personality from there. */
  private async analysePart({ first, texts }: PartTexts): Promise<TextOutcome[]> {
    const single = this.analyses.filter((analysis) => analysis !== "personality-mb");
    const outcomes = await this.analyse(texts, single);
    if (single.length < this.analyses.length) {
      const alone = texts.flatMap((_, offset) => (this.groups.isMember(first + offset) ? [] : [offset]));
      const personalities = await this.analyse(
        alone.map((offset) => texts[offset] ?? ""),
        ["personality-mb"],
      );
      alone.forEach((offset, position) => {
        const [outcome, personality] = [outcomes[offset], personalities[position]];
        if (outcome !== undefined && personality !== undefined) outcomes[offset] = merge(outcome, personality);
      });
    }
    failpoint("worker.mid");
    return outcomes;
  }

  /** Stores outcomes under this run; returns the id. */
  async storeOutcomes(part: number, outcomes: TextOutcome[]): Promise<string> {
    this.held.lease.require();
    const id = resultPartId(this.record.id, this.record.runs, part);
    const attributes = { ...operationAttributes(this.record.id), "hourglass.part": part };
    await inSpan({ name: "store results", attributes }, () =>
      this.deps.collections.resultParts.insert({ id, operationId: this.record.id, part, outcomes }),
    );
    return id;
  }

  /** Reads the next part; parts are read in order. */
  private async readTexts(part: number): Promise<PartTexts> {
    const contents = await readPart(this.deps.collections.contentParts, this.record, part);
    // Parts go only with their operation, and the lease with it.
    if (contents === undefined) throw new LeaseLostError();
    const texts = contents.map(String);
    const first = this.seen;
    for (const text of texts) this.groups.add(this.seen++, text);
    return { first, texts };
  }

  private async analyse(texts: readonly string[], analyses: readonly TextualAnalysis[]): Promise<TextOutcome[]> {
    const { signal } = this.held.lease;
    signal.throwIfAborted();
    if (texts.length === 0 || analyses.length === 0) return texts.map(() => ({ results: {}, errors: {} }));
    const onTimed = (timing: AnalysisTiming) => this.deps.metrics.observeAnalysis(timing);
    const explain = isExplained(this.record);
    const attributes = {
      "hourglass.texts": texts.length,
      "hourglass.analyses": [...analyses],
      "hourglass.explain": explain,
    };
    const outcomes = await inSpan({ name: "analyse texts", attributes }, () =>
      this.deps.pool.analyze(texts, analyses, { explain, signal, onTimed }),
    );
    if (outcomes.length === texts.length) return explain ? outcomes.map(withinBounds) : outcomes;
    throw new Error(`the pool answered ${outcomes.length} outcomes for ${texts.length} texts`);
  }

  /** What earlier runs have completed: part to id. */
  private async knownParts(): Promise<Map<number, string>> {
    const known = new Map<number, string>();
    if (this.record.runs === 1) return known;
    for await (const { id, part } of this.deps.collections.resultParts.stream({ operationId: this.record.id })) {
      if (part < this.record.partCount) known.set(part, id);
    }
    return known;
  }
}

/** Outcomes of the same text. */
function merge(one: TextOutcome, other: TextOutcome): TextOutcome {
  return {
    ...one,
    ...other,
    results: { ...one.results, ...other.results },
    errors: { ...one.errors, ...other.errors },
    models: { ...one.models, ...other.models },
    supported: { ...one.supported, ...other.supported },
  };
}
