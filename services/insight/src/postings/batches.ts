import { randomUUID } from "node:crypto";
import { insertStep, type Store, updateEachStep } from "@hourglass/runtime";
import type { Collections } from "../store/collections.js";
import type { AnalysisBatch, PostingWork } from "../store/records.js";

export interface BatchOptions {
  store: Pick<Store, "commit">;
  collections: Pick<Collections, "work" | "batches">;
  now: () => number;
}

/** Analyses in a batch: few enough to store their results without stopping the event loop for long. */
export const BATCH = 32;
/** Batches of one company that wait: few, so that what comes later is not behind all that waits. */
const WAITING_BATCHES_MAX = 8;
/** Companies, and insights of one company, that are looked at; the next time continues after the last one. */
const LOOKS_MAX = 16;
/** Insights of one company that share a batch. */
const INSIGHTS_MAX = 4;
/** Counting more would take the store longer than a figure is worth that only says "too many". */
const WAITING_MAX = 100_000;

/**
 * Puts due analyses into batches of one company each, which are jobs: those of previews first, companies round-robin. Half
 * of a batch is what has waited longest, and half that of the company's insights round-robin, so that a few postings do not
 * wait for the many of another insight. Any number of processes may do so.
 */
export class AnalysisBatches {
  /** The company served last, for previews and for continuous searches. */
  private readonly served = { previews: 0, others: 0 };
  /** The insight served last, of each company. */
  private readonly servedInsight = new Map<number, number>();

  constructor(private readonly options: BatchOptions) {}

  /** Makes batches of what is due, for companies that have few waiting ones. */
  async form(): Promise<void> {
    for (const preview of [true, false]) {
      const rank = preview ? "previews" : "others";
      for (const companyId of await this.nextCompanies(this.served[rank], preview)) {
        this.served[rank] = companyId;
        await this.formOf({ preview, companyId });
      }
    }
  }

  /** The analyses that still are the batch's. */
  worksOf({ id, postings }: AnalysisBatch): Promise<PostingWork[]> {
    return this.options.collections.work.find({ id: { in: postings }, holder: id });
  }

  /** Replaces a batch by one for each of its analyses, so that one that ends its process cannot spoil the others. */
  async split(batch: AnalysisBatch, works: readonly PostingWork[]): Promise<void> {
    for (const work of works) await this.store(batch, [work], batch.since);
  }

  /** Time since which the analysis that waits longest has been due; undefined if none is due. */
  async oldestDueAt(): Promise<number | undefined> {
    const { work, batches } = this.options.collections;
    let oldest = Infinity;
    for await (const { since } of batches.stream({})) oldest = Math.min(oldest, since);
    for (const preview of [true, false]) {
      for (const companyId of await this.companiesAfter(0, preview, Infinity)) {
        const due = { preview, companyId, dueAt: { lte: this.options.now() } };
        const [first] = await work.find(due, { sort: [["dueAt", 1]], limit: 1 });
        oldest = Math.min(oldest, first?.dueAt ?? Infinity);
      }
    }
    return oldest === Infinity ? undefined : oldest;
  }

  /** Number of analyses that are to be done; of more than `WAITING_MAX`, that number. */
  async waiting(): Promise<number> {
    return this.options.collections.work.count({}, WAITING_MAX);
  }

  private async formOf(of: CompanyWork): Promise<void> {
    // One that a worker has taken has attempts. Those of a reanalysis are limited by it.
    let waiting = await this.options.collections.batches.count({ ...of, attempts: 0, again: { ne: true } });
    for (; waiting < WAITING_BATCHES_MAX; waiting += 1) {
      const due = await this.dueOf(of);
      if (due.length === 0) return;
      await this.store(of, due, Math.min(...due.map(({ dueAt }) => dueAt ?? Infinity)));
      if (due.length < BATCH) return;
    }
  }

  /** Another process may have put some of them into a batch meanwhile. */
  private async store(
    { companyId, preview, again }: CompanyWork & Pick<AnalysisBatch, "again">,
    works: readonly PostingWork[],
    since: number,
  ): Promise<void> {
    const { store, collections, now } = this.options;
    const id = `${companyId}:${randomUUID()}`;
    const postings = works.map((work) => work.id);
    const of = { companyId, preview, ...(again !== undefined && { again }) };
    await store.commit([
      insertStep(collections.batches, { ...of, id, postings, since, dueAt: now(), attempts: 0 }),
      updateEachStep(
        collections.work,
        works.map(({ id: posting, dueAt, holder }) => ({
          filter: { id: posting, dueAt, holder },
          change: { set: { dueAt: null, holder: id } },
        })),
      ),
    ]);
  }

  /** Companies with work, in a circle that begins after the one served last. */
  private async nextCompanies(served: number, preview: boolean): Promise<number[]> {
    const after = await this.companiesAfter(served, preview, LOOKS_MAX);
    if (after.length === LOOKS_MAX || served === 0) return after;
    const first = await this.companiesAfter(0, preview, LOOKS_MAX - after.length);
    return [...after, ...first.filter((id) => id <= served)];
  }

  /** Reads one record for each company with work that is in no batch, whatever the number of its postings. */
  private async companiesAfter(companyId: number, preview: boolean, count: number): Promise<number[]> {
    const companies: number[] = [];
    let last = companyId;
    while (companies.length < count) {
      const filter = { preview, companyId: { gt: last } };
      const [next] = await this.options.collections.work.find(filter, { sort: BY_COMPANY, limit: 1 });
      if (next === undefined) break;
      last = next.companyId;
      companies.push(last);
    }
    return companies;
  }

  /** Due work of a company: half of it what has waited longest, half of it that of its insights round-robin. */
  private async dueOf(of: CompanyWork): Promise<PostingWork[]> {
    const [oldest, byTurns] = [await this.oldestOf(of), await this.byTurns(of)];
    const due = new Map<string, PostingWork>();
    for (const work of zip([oldest, byTurns])) if (due.size < BATCH) due.set(work.id, work);
    return [...due.values()];
  }

  /** Due work of the next insights of a company, one of each after the other. */
  private async byTurns(of: CompanyWork): Promise<PostingWork[]> {
    const found: PostingWork[][] = [];
    for await (const insightId of this.nextInsights(of)) {
      this.servedInsight.set(of.companyId, insightId);
      const due = await this.oldestOf({ ...of, insightId });
      if (due.length > 0) found.push(due);
      if (found.length === INSIGHTS_MAX) break;
    }
    return zip(found);
  }

  /** Insights of a company with work, in a circle that begins after the one served last. */
  private async *nextInsights(of: CompanyWork): AsyncGenerator<number> {
    const served = this.servedInsight.get(of.companyId) ?? 0;
    let looks = 0;
    for (const { from, to } of [
      { from: served, to: Infinity },
      { from: 0, to: served },
    ]) {
      let next = await this.insightAfter(of, from);
      while (next !== undefined && next <= to && looks < LOOKS_MAX) {
        looks += 1;
        yield next;
        next = await this.insightAfter(of, next);
      }
    }
  }

  /** Reads one record, whatever the number of postings. */
  private async insightAfter(of: CompanyWork, insightId: number): Promise<number | undefined> {
    const { preview, companyId } = of;
    const filter = { preview, companyId, insightId: { gt: insightId } };
    const [next] = await this.options.collections.work.find(filter, { sort: BY_INSIGHT, limit: 1 });
    return next?.insightId;
  }

  private oldestOf({ preview, companyId, insightId }: CompanyWork & { insightId?: number }): Promise<PostingWork[]> {
    const of = { preview, companyId, ...(insightId !== undefined && { insightId }) };
    const filter = { ...of, dueAt: { lte: this.options.now() } };
    return this.options.collections.work.find(filter, { sort: [["dueAt", 1]], limit: BATCH });
  }
}

/** The first of each list, then the second of each, and so on. */
function zip<T>(lists: readonly (readonly T[])[]): T[] {
  const length = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}

/** The work of a company, of previews or of continuous searches. */
type CompanyWork = Pick<PostingWork, "preview" | "companyId">;

const BY_COMPANY = [
  ["companyId", 1],
  ["dueAt", 1],
] as const;

const BY_INSIGHT = [
  ["insightId", 1],
  ["dueAt", 1],
] as const;
