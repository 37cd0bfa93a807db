import { randomUUID } from "node:crypto";
import { type Store, updateEachStep } from "@hourglass/runtime";
import type { Collections } from "../store/collections.js";
import type { PostingWork } from "../store/records.js";

/** Analyses of one company, claimed together. Only their holder may end them. */
export interface ClaimedWork {
  holder: string;
  companyId: number;
  works: PostingWork[];
  /** Ids of works whose results are being stored; a renewal would make that transaction start again. */
  ending: Set<string>;
}

export interface WorkClaimOptions {
  store: Pick<Store, "commit">;
  collections: Collections;
  /** How long a claim lasts, in milliseconds. If its process dies, the work is due again after this time. */
  leaseMs: number;
  /**
   * Claims of one company, previews aside, that this process works on at a time: with fewer than its lanes, work of
   * another company finds a free one. Default: any number.
   */
  perCompany?: number;
  now: () => number;
}

/** Companies, and insights of one company, that a claim looks at; the next claim continues after the one served. */
const LOOKS_MAX = 16;
/** Insights of one company that share a claim. */
const INSIGHTS_MAX = 4;
/** Counting more would take the store longer than a figure is worth that only says "too many". */
const WAITING_MAX = 100_000;

/**
 * Claims due analyses: those of previews first, companies round-robin. Of a company, half of a claim is what has waited
 * longest, and half that of its insights round-robin, so that a few postings do not wait for the many of another insight.
 * Any number of processes may claim at a time.
 */
export class WorkClaims {
  /** The company served last, for previews and for continuous searches. */
  private readonly served = { previews: 0, others: 0 };
  /** The insight served last, of each company. */
  private readonly servedInsight = new Map<number, number>();
  /** Claims of each company that this process works on, previews aside. */
  private readonly held = new Map<number, number>();
  private underWay: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: WorkClaimOptions) {}

  /** At most `count` analyses of one company; undefined if none is due. `release` it once it was worked on. */
  async claim(count: number): Promise<ClaimedWork | undefined> {
    // Concurrent claims of one process would only take the same work from each other.
    const claimed = this.underWay.then(() => this.claimNow(count));
    this.underWay = claimed.catch(() => undefined);
    return claimed;
  }

  /** Notes that this process no longer works on a claim. */
  release({ companyId, works }: ClaimedWork): void {
    if (works[0]?.preview !== false) return;
    const left = this.heldBy(companyId) - 1;
    if (left > 0) this.held.set(companyId, left);
    else this.held.delete(companyId);
  }

  /** Extends a claim by another lease, except for works whose results are being stored. */
  async renew({ holder, works, ending }: ClaimedWork): Promise<void> {
    const until = this.options.now() + this.options.leaseMs;
    const ids = works.map(({ id }) => id).filter((id) => !ending.has(id));
    if (ids.length === 0) return;
    await this.options.collections.work.updateMany({ id: { in: ids }, holder }, { set: { dueAt: until } });
  }

  /** Ends a claim without a result. Unless it counts, the work is as it was before. */
  async handBack({ holder, works }: ClaimedWork, end: { counts: boolean; afterMs: number }): Promise<void> {
    await this.options.collections.work.updateMany(
      { id: { in: works.map(({ id }) => id) }, holder },
      { set: { dueAt: this.options.now() + end.afterMs, holder: null }, increment: { claims: end.counts ? 0 : -1 } },
    );
  }

  /** Time since which the analysis that waits longest has been due; undefined if none is due. */
  async oldestDueAt(): Promise<number | undefined> {
    let oldest: number | undefined;
    for (const preview of [true, false]) {
      for (const companyId of await this.companiesAfter(0, preview, Infinity)) {
        const [first] = await this.oldestOf({ preview, companyId }, 1);
        if (first !== undefined) oldest = Math.min(oldest ?? Infinity, first.dueAt);
      }
    }
    return oldest;
  }

  /** Number of analyses that are due or claimed; of more than `WAITING_MAX`, that number. */
  async waiting(): Promise<number> {
    return this.options.collections.work.count({}, WAITING_MAX);
  }

  private async claimNow(count: number): Promise<ClaimedWork | undefined> {
    const due = (await this.find(true, count)) ?? (await this.find(false, count));
    const claimed = due && (await this.take(due));
    if (claimed?.works[0]?.preview === false) {
      this.held.set(claimed.companyId, this.heldBy(claimed.companyId) + 1);
    }
    return claimed;
  }

  private heldBy(companyId: number): number {
    return this.held.get(companyId) ?? 0;
  }

  private async take(due: readonly PostingWork[]): Promise<ClaimedWork | undefined> {
    const { store, collections, leaseMs, now } = this.options;
    const companyId = due[0]?.companyId ?? 0;
    const holder = randomUUID();
    const until = now() + leaseMs;
    const updates = due.map(({ id, dueAt, holder: before }) => ({
      filter: { id, dueAt, holder: before },
      change: { set: { dueAt: until, holder }, increment: { claims: 1 } },
    }));
    const committed = await store.commit([updateEachStep(collections.work, updates)]);
    const taken = committed.done ? committed.results[0] : 0;
    if (taken === 0) return undefined;
    if (taken === due.length) {
      const works = due.map((work) => ({ ...work, holder, dueAt: until, claims: work.claims + 1 }));
      return { holder, companyId, works, ending: new Set() };
    }
    // Another process took some of them.
    const works = await collections.work.find({ id: { in: due.map(({ id }) => id) }, holder });
    return { holder, companyId, works, ending: new Set() };
  }

  /** Due work of the next company that has some; undefined if none has. */
  private async find(preview: boolean, count: number): Promise<PostingWork[] | undefined> {
    const rank = preview ? "previews" : "others";
    const perCompany = preview ? Infinity : (this.options.perCompany ?? Infinity);
    const inCircle = await this.nextCompanies(this.served[rank], preview);
    const companies = inCircle.filter((id) => this.heldBy(id) < perCompany);
    if (!preview) companies.sort((one, other) => this.heldBy(one) - this.heldBy(other));
    for (const companyId of companies) {
      const due = await this.dueOf({ preview, companyId }, count);
      if (due.length === 0) continue;
      this.served[rank] = companyId;
      return due;
    }
    // None of them could be claimed: the next claim looks at others.
    this.served[rank] = inCircle.at(-1) ?? 0;
    return undefined;
  }

  /** Companies with work, in a circle that begins after the one served last. */
  private async nextCompanies(served: number, preview: boolean): Promise<number[]> {
    const after = await this.companiesAfter(served, preview, LOOKS_MAX);
    if (after.length === LOOKS_MAX || served === 0) return after;
    const first = await this.companiesAfter(0, preview, LOOKS_MAX - after.length);
    return [...after, ...first.filter((id) => id <= served)];
  }

  /** Reads one record for each company, whatever the number of its postings. */
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
  private async dueOf(of: CompanyWork, count: number): Promise<PostingWork[]> {
    const [oldest, byTurns] = [await this.oldestOf(of, count), await this.byTurns(of, count)];
    const due = new Map<string, PostingWork>();
    for (const work of zip([oldest, byTurns])) if (due.size < count) due.set(work.id, work);
    return [...due.values()];
  }

  /** Due work of the next insights of a company, one of each after the other. */
  private async byTurns(of: CompanyWork, count: number): Promise<PostingWork[]> {
    const found: PostingWork[][] = [];
    for await (const insightId of this.nextInsights(of)) {
      this.servedInsight.set(of.companyId, insightId);
      const due = await this.oldestOf({ ...of, insightId }, count);
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
    const filter = { ...of, insightId: { gt: insightId } };
    const [next] = await this.options.collections.work.find(filter, { sort: BY_INSIGHT, limit: 1 });
    return next?.insightId;
  }

  private oldestOf(of: CompanyWork & { insightId?: number }, limit: number): Promise<PostingWork[]> {
    const filter = { ...of, dueAt: { lte: this.options.now() } };
    return this.options.collections.work.find(filter, { sort: [["dueAt", 1]], limit });
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
