import { randomUUID } from "node:crypto";
import { type Store, updateEachStep } from "@hourglass/runtime";
import type { Collections } from "../../records/collections.js";
import type { PostingWork } from "../../records/posting.js";

/** Analyses claimed together. Only their holder may end them. */
export interface ClaimedWork {
  holder: string;
  works: PostingWork[];
  /** Ids of works whose results are being stored; a renewal would make that transaction start anew. */
  ending: Set<string>;
}

export interface ClaimDeps {
  store: Pick<Store, "commit">;
  collections: Pick<Collections, "work">;
  /** How long a claim lasts, in milliseconds. If its process dies, the work is due again after this time. */
  leaseMs: number;
  now: () => number;
}

/** Companies that share one claim; the next claim begins with the others. */
const COMPANIES_MAX = 16;
/** Counting more would take the store longer than a figure is worth that only says "too many". */
const WAITING_MAX = 100_000;

/**
 * Claims due analyses, those of previews first, by turns between companies and oldest first within one. Any number of
 * processes may claim at a time.
 */
export class WorkClaims {
  /** The company served last, for previews and for continuous searches. */
  private readonly served = { previews: 0, others: 0 };
  private underWay: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: ClaimDeps) {}

  /** At most `count` analyses; undefined if none is due. */
  async claim(count: number): Promise<ClaimedWork | undefined> {
    // Concurrent claims of one process would only take the same work from each other.
    const claimed = this.underWay.then(() => this.claimNow(count));
    this.underWay = claimed.catch(() => undefined);
    return claimed;
  }

  /** Extends a claim by another lease, except for works whose results are being stored. */
  async renew({ holder, works, ending }: ClaimedWork): Promise<void> {
    const until = this.deps.now() + this.deps.leaseMs;
    const ids = works.map(({ id }) => id).filter((id) => !ending.has(id));
    if (ids.length === 0) return;
    await this.deps.collections.work.updateMany({ id: { in: ids }, holder }, { set: { dueAt: until } });
  }

  /** Ends a claim without a result. Unless it counts, the work is as it was before. */
  async handBack({ holder, works }: ClaimedWork, end: { counts: boolean; afterMs: number }): Promise<void> {
    await this.deps.collections.work.updateMany(
      { id: { in: works.map(({ id }) => id) }, holder },
      { set: { dueAt: this.deps.now() + end.afterMs, holder: null }, increment: { claims: end.counts ? 0 : -1 } },
    );
  }

  /** Time since which the analysis that waits longest has been due; undefined if none is due. */
  async oldestDueAt(): Promise<number | undefined> {
    let oldest: number | undefined;
    for (const preview of [true, false]) {
      for (const companyId of await this.companiesAfter(0, preview, Infinity)) {
        const [first] = await this.dueOf(companyId, preview, 1);
        if (first !== undefined) oldest = Math.min(oldest ?? Infinity, first.dueAt);
      }
    }
    return oldest;
  }

  /** Number of analyses that are due or claimed; of more than `WAITING_MAX`, that number. */
  async waiting(): Promise<number> {
    return this.deps.collections.work.count({}, WAITING_MAX);
  }

  private async claimNow(count: number): Promise<ClaimedWork | undefined> {
    const previews = await this.find(true, count);
    const others = previews.length < count ? await this.find(false, count - previews.length) : [];
    const due = [...previews, ...others];
    return due.length === 0 ? undefined : this.take(due);
  }

  private async take(due: readonly PostingWork[]): Promise<ClaimedWork | undefined> {
    const { store, collections, leaseMs, now } = this.deps;
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
      return { holder, works, ending: new Set() };
    }
    // Another process took some of them.
    const works = await collections.work.find({ id: { in: due.map(({ id }) => id) }, holder });
    return { holder, works, ending: new Set() };
  }

  /** Due work of several companies, as much of each. */
  private async find(preview: boolean, count: number): Promise<PostingWork[]> {
    const line = preview ? "previews" : "others";
    const companies = await this.nextCompanies(this.served[line], preview);
    const share = Math.ceil(count / Math.max(1, companies.length));
    const found: PostingWork[] = [];
    for (const companyId of companies) {
      if (found.length === count) break;
      found.push(...(await this.dueOf(companyId, preview, Math.min(share, count - found.length))));
      this.served[line] = companyId;
    }
    return found;
  }

  /** Companies with work, in a circle that begins after the one served last. */
  private async nextCompanies(served: number, preview: boolean): Promise<number[]> {
    const after = await this.companiesAfter(served, preview, COMPANIES_MAX);
    if (after.length === COMPANIES_MAX || served === 0) return after;
    const first = await this.companiesAfter(0, preview, COMPANIES_MAX - after.length);
    return [...after, ...first.filter((id) => id <= served)];
  }

  /** Reads one record for each company, whatever the number of its postings. */
  private async companiesAfter(companyId: number, preview: boolean, count: number): Promise<number[]> {
    const companies: number[] = [];
    let last = companyId;
    while (companies.length < count) {
      const filter = { preview, companyId: { gt: last } };
      const [next] = await this.deps.collections.work.find(filter, {
        sort: [
          ["companyId", 1],
          ["dueAt", 1],
        ],
        limit: 1,
      });
      if (next === undefined) break;
      last = next.companyId;
      companies.push(last);
    }
    return companies;
  }

  private dueOf(companyId: number, preview: boolean, limit: number): Promise<PostingWork[]> {
    const filter = { preview, companyId, dueAt: { lte: this.deps.now() } };
    return this.deps.collections.work.find(filter, { sort: [["dueAt", 1]], limit });
  }
}
