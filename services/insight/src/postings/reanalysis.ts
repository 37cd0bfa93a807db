import { randomUUID } from "node:crypto";
import type { TextAnalyst } from "@hourglass/analysis";
import {
  type AnyDueKind,
  type DueClaim,
  dueKind,
  insertNewStep,
  insertStep,
  LoopPace,
  type Measurements,
  type Store,
  updateStep,
} from "@hourglass/runtime";
import type { Collections } from "../store/collections.js";
import { postingOrder } from "../store/posting-order.js";
import type {
  AnalysisBatch,
  InsightRecord,
  PostingPlace,
  PostingRecord,
  PostingWork,
  Reanalysis,
} from "../store/records.js";
import { currentlyAnalyzedBy } from "./analyzed-by.js";
import { BATCH } from "./batches.js";
import { hasWords } from "./content-analysis.js";
import { POSTING_KIND, REANALYSIS_KIND } from "./store.js";

export interface ReanalysisDeps {
  store: Pick<Store, "commit">;
  collections: Pick<Collections, "reanalyses" | "insights" | "postings" | "work" | "batches">;
  texts?: TextAnalyst;
  metrics: Measurements;
  /** Milliseconds since the epoch. */
  now: () => number;
}

const LEASE_MS = 60_000;
/** Pause between two looks at what has been analyzed. */
const LOOK_MS = 250;
/** Batches of all reanalyses that are not done: what is posted meanwhile waits behind no more of them. */
const BATCHES_MAX = 8;
/** While other postings wait, there is one batch in this time, so that a busy server comes to an end with it, too. */
const BESIDE_OTHERS_MS = 10_000;
/** Postings read at a time, and in one turn. */
const READ_AT_ONCE = 200;
const READ_MAX = 2_000;

const NEWEST_FIRST = postingOrder("listedAt", -1);
/** Earlier than any time that a timestamp can state. */
const EARLIEST = -8.64e15;

/** Has the words of an insight's stored postings analyzed again, except those that the present models have analyzed. */
export function reanalysisKind(deps: ReanalysisDeps): AnyDueKind {
  const reanalyses = new Reanalyses(deps);
  return dueKind<Reanalysis>({
    name: REANALYSIS_KIND,
    records: deps.collections.reanalyses,
    leaseMs: LEASE_MS,
    failure: "postings could not be put into analysis again",
    ownerOf: ({ companyId }) => companyId,
    work: (claim) => reanalyses.run(claim),
  });
}

class Reanalyses {
  private current: Promise<ReadonlySet<string>> | undefined;

  constructor(private readonly deps: ReanalysisDeps) {}

  /** One turn: puts as many postings into analysis as there is room for, in one commit with the place to continue. */
  async run(claim: DueClaim<Reanalysis>): Promise<void> {
    const { collections, now } = this.deps;
    const { record } = claim;
    const insight = await collections.insights.get(record.id);
    if (insight === undefined || insight.status === "deleted") return claim.delete();
    const open = await collections.batches.find({ again: true }, { limit: BATCHES_MAX });
    if (record.isRead) {
      if (await this.isDone(record.id)) await claim.update({ dueAt: null, finishedAt: now() });
      else await claim.reschedule(now() + LOOK_MS);
      return;
    }
    const room = await this.roomBeside(open.length, record);
    if (room === 0) return void (await claim.reschedule(now() + LOOK_MS));
    await this.put(claim, await this.readOutdated(insight, record, room * BATCH));
  }

  /** Failed analyses are tried again for a while in batches of their own. */
  private async isDone(insightId: number): Promise<boolean> {
    return (await this.deps.collections.work.find({ insightId, again: true }, { limit: 1 })).length === 0;
  }

  /** Number of batches to put. */
  private async roomBeside(open: number, { putAt }: Reanalysis): Promise<number> {
    const room = BATCHES_MAX - open;
    // One that a worker has taken has attempts.
    const [other] = await this.deps.collections.batches.find({ attempts: 0, again: { ne: true } }, { limit: 1 });
    if (other === undefined) return room;
    return this.deps.now() - putAt < BESIDE_OTHERS_MS ? 0 : Math.min(room, 1);
  }

  private async readOutdated(insight: InsightRecord, record: Reanalysis, wanted: number): Promise<ReadPart> {
    const current = await this.currentVersions();
    const part: ReadPart = { outdated: [], seen: 0, after: record.after, isRead: false };
    const pace = new LoopPace();
    while (part.seen < READ_MAX) {
      const options = { sort: NEWEST_FIRST, limit: READ_AT_ONCE, ...(part.after && { after: part.after }) };
      const filter = { insightId: insight.id, listedAt: { gte: EARLIEST } };
      const page = await this.deps.collections.postings.find(filter, options);
      for (const posting of page) {
        if (part.outdated.length === wanted) return part;
        const { id, socialId, listedAt, analysis } = posting;
        part.seen += 1;
        part.after = { listedAt: listedAt ?? EARLIEST, socialId, id };
        if (hasWords(posting, insight) && !current.has(analysis?.by ?? "")) part.outdated.push(posting);
      }
      if (page.length < READ_AT_ONCE) return { ...part, isRead: true };
      await pace.step();
    }
    return part;
  }

  /** Loaded once: models do not change while a process runs. */
  private async currentVersions(): Promise<ReadonlySet<string>> {
    const { texts } = this.deps;
    if (texts === undefined) throw new Error("the analysis of postings needs analysts");
    this.current ??= currentlyAnalyzedBy(texts);
    try {
      return await this.current;
    } catch (error) {
      this.current = undefined;
      throw error;
    }
  }

  /** A posting that waits for its analysis anyway is left to that. */
  private async put(claim: DueClaim<Reanalysis>, { outdated, seen, after, isRead }: ReadPart): Promise<void> {
    const { store, collections, metrics, now } = this.deps;
    const { record } = claim;
    const batches: AnalysisBatch[] = [];
    const works: PostingWork[] = [];
    for (let start = 0; start < outdated.length; start += BATCH) {
      const some = outdated.slice(start, start + BATCH);
      const batch = newBatch(record.companyId, some, now());
      batches.push(batch);
      works.push(...some.map((posting) => workOn(posting, batch)));
    }
    const progress = {
      after,
      isRead,
      seen: record.seen + seen,
      put: record.put + outdated.length,
      ...(outdated.length > 0 && { putAt: now() }),
      attempts: 0,
      dueAt: now() + (outdated.length > 0 || isRead ? LOOK_MS : 0),
    };
    await claim.write((fence) =>
      store.commit([
        updateStep<Reanalysis>(collections.reanalyses, fence, { set: progress }),
        ...(works.length > 0
          ? [insertNewStep(collections.work, works), insertStep(collections.batches, ...batches)]
          : []),
      ]),
    );
    works.forEach(() => metrics.countJobCreated(POSTING_KIND));
  }
}

interface ReadPart {
  outdated: PostingRecord[];
  seen: number;
  after: PostingPlace | null;
  /** Whether it was the last part. */
  isRead: boolean;
}

function newBatch(companyId: number, postings: readonly PostingRecord[], now: number): AnalysisBatch {
  const id = `${companyId}:${randomUUID()}`;
  const ids = postings.map((posting) => posting.id);
  return { id, companyId, preview: false, postings: ids, since: now, dueAt: now, attempts: 0, again: true };
}

function workOn(posting: PostingRecord, { id: holder }: AnalysisBatch): PostingWork {
  const { id, insightId, companyId, batch, postedAt, version } = posting;
  const of = { id, insightId, companyId, batch, postedAt, version };
  return { ...of, preview: false, dueAt: null, holder, failures: 0, again: true };
}
