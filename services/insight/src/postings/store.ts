import { setTimeout as sleep } from "node:timers/promises";
import {
  AppError,
  checkStep,
  deleteStep,
  dueFailpoints,
  failpoint,
  insertStep,
  type LoopShare,
  loopShare,
  type Measurements,
  type Step,
  type Store,
  updateEachStep,
  updateStep,
  pauseAfter,
  type RetryPolicy,
} from "@hourglass/runtime";
import { FairLimit } from "@hourglass/runtime/fair-limit";
import type { FoundDraft } from "../platforms/connector.js";
import type { PostingDraft } from "../platforms/posting-draft.js";
import type { Collections } from "../store/collections.js";
import type { InsightRecord, PlatformName, PostingRecord, PostingWork } from "../store/records.js";
import { markDirtySteps } from "../summary/dirty-buckets.js";
import { postingIdOf, prepareDraft, type Refresh, refresh } from "./merge.js";
import type { Tombstones } from "./tombstones.js";

/** Kinds of due work: analyses, repeated ones, ends of insights, abandoned erasures, and counts for summaries. */
export const BATCH_KIND = "posting-batch";
export const REANALYSIS_KIND = "posting-reanalysis";
export const SWEEP_KIND = "insight";
export const ERASURE_KIND = "erasure";
export const RECOUNT_KIND = "recount";

/** Every step of a posting's life at which a crash must neither lose it nor store or analyze it twice. */
export const POSTING_FAILPOINTS: readonly string[] = [
  "insight.before_store",
  "insight.after_store",
  "insight.after_import_page",
  "insight.before_results",
  "insight.after_results",
  "insight.after_tombstone",
  "insight.after_batches",
  "insight.mid_erasure",
  "insight.after_erasure",
  "insight.mid_deletion",
  "insight.after_recount",
  ...dueFailpoints(BATCH_KIND),
  ...dueFailpoints(REANALYSIS_KIND),
  ...dueFailpoints(SWEEP_KIND),
  ...dueFailpoints(ERASURE_KIND),
  ...dueFailpoints(RECOUNT_KIND),
];

/** Kind of the analyses in the metrics of jobs. */
export const POSTING_KIND = "posting";

export interface StoreRequest {
  /** As read when the work on the page began; `epoch` fences off what a pause or deletion has overtaken. */
  insight: Pick<InsightRecord, "id" | "companyId" | "epoch">;
  platform: PlatformName;
  drafts: readonly PostingDraft[];
  /** Whether the analysis goes before that of continuous searches. */
  preview: boolean;
  /** Whether the postings were imported, rather than found on the platform. Default: false. */
  imported?: boolean;
  /** Further conditional writes of the same commit, computed from the outcome. */
  alongside?: (outcome: StoreOutcome) => readonly Step[];
}

/** What became of the drafts; the sum is their number. */
export interface StoreOutcome {
  /** Stored for the first time. */
  stored: number;
  /** Stored already, or repeated in the page. */
  duplicates: number;
  /** Left out because they were erased. */
  erased: number;
}

/** `PostingStore.storePage`, for those that store pages. */
export type StorePostings = (request: StoreRequest) => Promise<StoreOutcome | undefined>;

/** What storing a page would do. */
export interface PagePreview {
  outcome: StoreOutcome;
  /** By id of the posting: the drafts as new postings. */
  postings: ReadonlyMap<string, PostingRecord>;
  /** Ids of those that would be left out because they were erased. */
  erased: ReadonlySet<string>;
}

/** `PostingStore.previewPage`, for those that tell what would be stored. */
export type PreviewPage = (request: StoreRequest) => Promise<PagePreview | undefined>;

/** `PostingStore.refreshFound`, for those that look postings up. */
export type RefreshFound = (found: Found) => Promise<void>;

/** Postings of a company as their platform states them now. */
export interface Found {
  readonly companyId: number;
  readonly platform: PlatformName;
  readonly drafts: readonly FoundDraft[];
}

export interface PostingStoreOptions {
  store: Pick<Store, "commit">;
  collections: Collections;
  tombstones: Tombstones;
  metrics: Measurements;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Default: that of the process. */
  share?: Pick<LoopShare, "run">;
}

/** Of writers that meet, one succeeds in each round, so as many may meet. */
const RETRY = { firstMs: 1, maxMs: 10, jitter: 1, attemptsMax: 100 } as const satisfies RetryPolicy;

/** What waits behind previews has its turn at least so often, in milliseconds. */
const OTHERS_EVERY_MS = 500;

/**
 * Stores postings. A process stores one page at a time: side by side they would all be read and written in the same few
 * turns of the event loop, and all other users of the process would wait for them. For the same reason pages rest while
 * requests come, except those of previews, for which somebody waits.
 */
export class PostingStore {
  private readonly pages = new FairLimit({ places: 1, backgroundEveryMs: OTHERS_EVERY_MS });

  constructor(private readonly options: PostingStoreOptions) {}

  /**
   * Stores a page of postings in one commit: new ones with the work of their analysis, known ones refreshed. Undefined if
   * the insight was paused or deleted or the condition of a further write failed; nothing was stored then. AppError
   * `unavailable` if other writers were faster too often.
   */
  async storePage(request: StoreRequest): Promise<StoreOutcome | undefined> {
    const { share = loopShare } = this.options;
    const rank = request.preview ? "foreground" : "background";
    const store = () => this.tryToStore(request);
    const inTurn = request.preview ? store : () => share.run(store);
    for (let round = 0; round < RETRY.attemptsMax; round++) {
      if (round > 0) await sleep(pauseAfter(RETRY, round));
      const result = await this.pages.run(request.insight.companyId, inTurn, { rank });
      if (result !== "overtaken") return result;
    }
    throw new AppError("unavailable", "The insight is being changed by too many others. Try again later.");
  }

  /** Tells what `storePage` would do, without doing it; undefined if the insight is no longer running. */
  async previewPage(request: StoreRequest): Promise<PagePreview | undefined> {
    const read = await this.readPage(request);
    if (read === undefined) return undefined;
    const drafts = [...read.page.byId];
    return {
      outcome: planStore(read).outcome,
      postings: new Map(drafts.map(([id, draft]) => [id, newPosting(id, draft, read)])),
      erased: new Set(drafts.flatMap(([id, draft]) => (read.erased.has(draft) ? [id] : []))),
    };
  }

  /**
   * Refreshes what is stored of postings in all searches of the company, paused and ended ones included: it brings nothing
   * new. Postings that are not stored are left out.
   */
  async refreshFound({ companyId, platform, drafts }: Found): Promise<void> {
    const byId = new Map(
      drafts.flatMap((draft) => (draft.socialId === undefined ? [] : [[draft.socialId, draft] as const])),
    );
    const { postings } = this.options.collections;
    const stored = await postings.find({ companyId, platform, socialId: { in: [...byId.keys()] } });
    const insights = new Set(stored.map(({ insightId }) => insightId));
    for (const insightId of insights) {
      const ids = stored.filter((posting) => posting.insightId === insightId).map(({ id }) => id);
      await this.refreshIn(insightId, { ids, byId });
    }
  }

  private async tryToStore(request: StoreRequest): Promise<StoreOutcome | undefined | "overtaken"> {
    const { store, collections, metrics, now } = this.options;
    const read = await this.readPage(request);
    if (read === undefined) return undefined;
    const plan = planStore(read);
    const own = stepsOf(plan, { collections, preview: request.preview, now: now() });
    failpoint("insight.before_store");
    const committed = await store.commit([...own, ...(request.alongside?.(plan.outcome) ?? [])]);
    failpoint("insight.after_store");
    // Only the first of the own steps, which requires the state that was read, can fail.
    if (!committed.done) return committed.failedStep === 0 ? "overtaken" : undefined;
    plan.fresh.forEach(() => metrics.countJobCreated(POSTING_KIND));
    return plan.outcome;
  }

  /** Undefined if the insight is no longer running in that epoch. */
  private async readPage(request: StoreRequest): Promise<ReadPage | undefined> {
    const { collections, tombstones, now } = this.options;
    const { platform, drafts, imported = false } = request;
    // The insight first: whatever is written after this read moves its batch, and the commit then fails.
    const insight = await collections.insights.get(request.insight.id);
    if (insight?.status !== "running" || insight.epoch !== request.insight.epoch) return undefined;
    const page = distinctDrafts(drafts, { insight, platform, now: now() });
    const [known, erased] = await Promise.all([
      collections.postings.find({ id: { in: [...page.byId.keys()] } }),
      tombstones.findErased([...page.byId.values()], { companyId: insight.companyId, platform }),
    ]);
    return { insight, platform, page, known, erased, imported, now: now() };
  }

  /** Repeats what others have overtaken. */
  private async refreshIn(
    insightId: number,
    { ids, byId }: { ids: readonly string[]; byId: ReadonlyMap<string, FoundDraft> },
  ): Promise<void> {
    const { store, collections, now } = this.options;
    for (;;) {
      // The insight first: an erasure that is overlooked by the next read has then moved its batch.
      const insight = await collections.insights.get(insightId);
      if (insight === undefined || insight.status === "deleted") return;
      const known = await collections.postings.find({ id: { in: ids } });
      const isAudial = insight.query.dimensions.includes("audial");
      const refreshes = known.flatMap((posting) => {
        const found = byId.get(posting.socialId ?? "");
        return found === undefined ? [] : [refreshed(posting, draftIn(found, isAudial), now())];
      });
      if (refreshes.length === 0) return;
      const context = { collections, preview: false, now: now() };
      const fence = refreshFence(insight, refreshes, collections);
      const { done } = await store.commit([...fence, ...refreshSteps(refreshes, context)]);
      if (done) return;
      await sleep(pauseAfter({ ...RETRY, firstMs: RETRY.maxMs }, 1));
    }
  }
}

/** The drafts of a page, prepared and without repeats. */
interface DistinctDrafts {
  /** By id of the posting, in the order of the page. */
  byId: ReadonlyMap<string, PostingDraft>;
  /** Drafts that repeat another one of the page; the last copy counts. */
  repeats: number;
}

function distinctDrafts(
  drafts: readonly PostingDraft[],
  { insight, platform, now }: { insight: InsightRecord; platform: PlatformName; now: number },
): DistinctDrafts {
  const byId = new Map<string, PostingDraft>();
  // The identity is that of the whole text, so that two long texts with the same beginning stay two.
  for (const draft of drafts) byId.set(postingIdOf(insight.id, platform, draft), prepareDraft(draft, now));
  return { byId, repeats: drafts.length - byId.size };
}

/** What to write for a page, and the state of the insight that it is true for. */
interface StorePlan {
  insight: InsightRecord;
  fresh: PostingRecord[];
  refreshes: Refresh[];
  outcome: StoreOutcome;
}

interface ReadPage {
  insight: InsightRecord;
  platform: PlatformName;
  page: DistinctDrafts;
  /** The stored ones of the postings. */
  known: readonly PostingRecord[];
  erased: ReadonlySet<PostingDraft>;
  imported: boolean;
  now: number;
}

/** Decides what becomes of each draft. */
function planStore(read: ReadPage): StorePlan {
  const { insight, page, known, erased, imported, now } = read;
  const copied = { at: now, by: imported ? "import" : "poll" } as const;
  const stored = new Map(known.map((record) => [record.id, record]));
  const fresh: PostingRecord[] = [];
  const refreshes: Refresh[] = [];
  for (const [id, draft] of page.byId) {
    if (erased.has(draft)) continue;
    const record = stored.get(id);
    if (record === undefined) fresh.push(newPosting(id, draft, read));
    else refreshes.push(refresh(record, draft, copied));
  }
  const outcome = {
    stored: fresh.length,
    duplicates: refreshes.length + page.repeats,
    erased: erased.size,
  };
  return { insight, fresh, refreshes, outcome };
}

function newPosting(id: string, content: PostingDraft, { insight, platform, imported, now }: ReadPage): PostingRecord {
  return {
    id,
    insightId: insight.id,
    companyId: insight.companyId,
    platform,
    postedAt: content.postedAt,
    batch: insight.batch + 1,
    storedAt: now,
    seenAt: now,
    imported,
    socialId: content.socialId ?? null,
    authorId: content.author?.id ?? null,
    listedAt: null,
    version: 1,
    language: content.language ?? null,
    sentiment: null,
    intention: null,
    content,
    analysis: null,
  };
}

/** The draft as a poll of a search would have it. */
function draftIn({ audialText, ...draft }: FoundDraft, isAudial: boolean): PostingDraft {
  return isAudial && audialText !== undefined ? { ...draft, text: audialText } : draft;
}

function refreshed(known: PostingRecord, draft: PostingDraft, at: number): Refresh {
  return refresh(known, prepareDraft(draft, at), { at, by: "lookUp" });
}

interface StepContext {
  collections: Collections;
  preview: boolean;
  now: number;
}

/** The writes of a plan. The first one requires the state of the insight that the plan is true for. */
function stepsOf(plan: StorePlan, context: StepContext): Step[] {
  const { postings, work } = context.collections;
  const { fresh, refreshes } = plan;
  const moves = fresh.length > 0 || refreshes.some(({ changed }) => changed !== undefined);
  return [
    storeFence(plan, moves, context),
    ...(fresh.length > 0 ? [insertStep(postings, ...fresh)] : []),
    ...refreshSteps(refreshes, context),
    ...(fresh.length > 0 ? [insertStep(work, ...fresh.map((posting) => workOn(posting, context)))] : []),
  ];
}

/** The writes of refreshed postings, and of the analyses that they need again. */
function refreshSteps(refreshes: readonly Refresh[], context: StepContext): Step[] {
  const { postings, work, dirtyBuckets } = context.collections;
  const updates = refreshes.flatMap(({ update }) => update ?? []);
  const changed = refreshes.flatMap((each) => each.changed ?? []);
  const counted = refreshes.flatMap(({ counted: posting }) => posting ?? []);
  return [
    ...(updates.length > 0 ? [updateEachStep(postings, updates)] : []),
    ...(changed.length > 0 ? [deleteStep(work, { id: { in: changed.map(({ id }) => id) } })] : []),
    ...markDirtySteps(dirtyBuckets, counted, context.now),
    ...(changed.length > 0 ? [insertStep(work, ...changed.map((posting) => workOn(posting, context)))] : []),
  ];
}

/** The batch moves only if there is something to analyze, so that a refresh of counts does not delay other writers. */
function storeFence({ insight, fresh }: StorePlan, moves: boolean, { collections, now }: StepContext): Step {
  const { insights } = collections;
  const { id, epoch, batch } = insight;
  const running = { id, status: "running" as const, epoch };
  if (!moves) return checkStep<InsightRecord>(insights, running);
  const set = { batch: batch + 1, ...(fresh.length > 0 && { activeAt: now }) };
  const change = { set, increment: { postings: fresh.length } };
  return updateStep<InsightRecord>(insights, { ...running, batch }, change);
}

/** An analysis must not be inserted for a posting that was erased meanwhile; other updates then find none. */
function refreshFence({ id, batch }: InsightRecord, refreshes: readonly Refresh[], { insights }: Collections): Step[] {
  if (!refreshes.some(({ changed }) => changed !== undefined)) return [];
  return [updateStep(insights, { id, batch }, { set: { batch: batch + 1 } })];
}

function workOn(
  { id, insightId, companyId, batch, postedAt, version }: PostingRecord,
  context: StepContext,
): PostingWork {
  return {
    id,
    insightId,
    companyId,
    batch,
    postedAt,
    version,
    preview: context.preview,
    dueAt: context.now,
    holder: null,
    failures: 0,
  };
}
