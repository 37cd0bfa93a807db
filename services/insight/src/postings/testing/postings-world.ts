import { createLogger, NO_MEASUREMENTS, type Queue, updateEachStep, type Store } from "@hourglass/runtime";
import type { PostingDraft } from "../../platforms/posting-draft.js";
import { type Collections, openCollections } from "../../store/collections.js";
import { type InsightRecord, newInsight, type PostingRecord } from "../../store/records.js";
import { markDirtySteps } from "../../summary/dirty-buckets.js";
import { openTestStore } from "../../testing/test-store.js";
import { PostingErasures } from "../erase.js";
import { PostingStore, type PreviewPage, type StoreOutcome, type StorePostings } from "../store.js";
import type { SweepDeps } from "../sweep.js";
import { Tombstones } from "../tombstones.js";

export const COMPANY = 7;

const QUERY: InsightRecord["query"] = {
  keywords: "kestrel",
  platforms: ["twitter", "news"],
  dimensions: ["textual"],
  location: "",
  sneakPeek: false,
  follow: { feeds: [], subreddits: [], pages: [], organisations: [] },
};

/** Postings on their own store, with a clock that tests move. */
export class PostingsWorld {
  time = Date.UTC(2026, 10, 1);
  readonly now = (): number => this.time;
  readonly log = createLogger("silent");
  readonly metrics = NO_MEASUREMENTS;
  readonly query = QUERY;
  readonly tombstones: Tombstones;
  readonly storePostings: StorePostings;
  readonly previewPage: PreviewPage;

  private constructor(
    readonly store: Store,
    readonly queue: Queue,
    readonly collections: Collections,
    private readonly remove: () => Promise<void>,
  ) {
    this.tombstones = new Tombstones(collections);
    const postingStore = new PostingStore(this);
    this.storePostings = (request) => postingStore.storePage(request);
    this.previewPage = (request) => postingStore.previewPage(request);
  }

  static async open(): Promise<PostingsWorld> {
    const { store, queue, close } = await openTestStore();
    return new PostingsWorld(store, queue, await openCollections(store), close);
  }

  /** What a sweeper needs; nothing expires. */
  get sweeping(): SweepDeps {
    const { store, queue, collections, metrics, log, now } = this;
    const erasures = new PostingErasures(this);
    const { chores } = collections;
    return { store, queue, collections, erasures, retentionDays: {}, chores, furtherChores: [], metrics, log, now };
  }

  close(): Promise<void> {
    return this.remove();
  }

  /** Inserts a running insight. */
  async insight(values: Partial<InsightRecord> = {}): Promise<InsightRecord> {
    const id = values.id ?? (await this.store.nextId("insights"));
    const given = { id, companyId: COMPANY, query: QUERY, terms: "kestrel", createdAt: this.time };
    const record = { ...newInsight(given), ...values };
    await this.collections.insights.insert(record);
    return record;
  }

  /** Stores a page; what it was given counts as read now. */
  async save(
    insight: Pick<InsightRecord, "id" | "companyId" | "epoch">,
    drafts: readonly PostingDraft[],
    { platform = "twitter", preview = false } = {},
  ): Promise<StoreOutcome | undefined> {
    return this.storePostings({ insight, platform, drafts, preview });
  }

  /** Ends the analysis of all postings of an insight with the same results. */
  async endAnalyses(insight: Pick<InsightRecord, "id">, results: Partial<PostingRecord> = {}): Promise<void> {
    const { postings, work } = this.collections;
    const stored = await this.stored(insight);
    const updates = stored.map(({ id, postedAt }) => ({
      filter: { id },
      change: { set: { listedAt: postedAt, analyzedAt: this.time, ...results } },
    }));
    await this.store.commit([updateEachStep(postings, updates), ...this.markDirty(stored)]);
    await work.delete({ insightId: insight.id });
  }

  /** Changes a posting as an analysis does. */
  async change(socialId: string, values: Partial<PostingRecord>): Promise<void> {
    const { postings } = this.collections;
    const stored = await postings.find({ socialId });
    const updates = stored.map(({ id }) => ({ filter: { id }, change: { set: values } }));
    await this.store.commit([updateEachStep(postings, updates), ...this.markDirty(stored)]);
  }

  private markDirty(stored: readonly PostingRecord[]) {
    return markDirtySteps(this.collections.dirtyBuckets, stored, this.time);
  }

  /** The stored postings of an insight, oldest first. */
  async stored(insight: Pick<InsightRecord, "id">) {
    return this.collections.postings.find({ insightId: insight.id }, { sort: [["postedAt", 1]] });
  }
}

/** A posting of that number; different numbers are different postings, an hour apart. */
export function draft(number: number, values: Partial<PostingDraft> = {}): PostingDraft {
  return {
    socialId: `s${number}`,
    postedAt: Date.UTC(2026, 9, 1) + number * 3_600_000,
    text: `Kestrel number ${number} hovers over the meadow.`,
    ...values,
  };
}
