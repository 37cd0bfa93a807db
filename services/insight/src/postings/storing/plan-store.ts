import type { PostingDraft } from "../../platforms/posting-draft.js";
import type { InsightRecord, PlatformName, PostingRecord } from "../../store/records.js";
import { type Refresh, refresh } from "./refresh.js";
import type { SortedDrafts } from "./sort-drafts.js";

/** What became of the drafts; the sum is their number. */
export interface StoreOutcome {
  /** Stored for the first time. */
  stored: number;
  /** Stored already, or repeated in the page. */
  duplicates: number;
  /** Left out because they were erased. */
  erased: number;
}

/** What to write for a page, and the state of the insight that it is true for. */
export interface StorePlan {
  insight: InsightRecord;
  fresh: PostingRecord[];
  refreshes: Refresh[];
  outcome: StoreOutcome;
}

export interface PlanInput {
  insight: InsightRecord;
  platform: PlatformName;
  sorted: SortedDrafts;
  /** The stored ones of the postings. */
  known: readonly PostingRecord[];
  erased: ReadonlySet<PostingDraft>;
  imported: boolean;
  now: number;
}

/** Decides what becomes of each draft. */
export function planStore({ insight, platform, sorted, known, erased, imported, now }: PlanInput): StorePlan {
  const copied = { at: now, by: imported ? "import" : "poll" } as const;
  const stored = new Map(known.map((record) => [record.id, record]));
  const fresh: PostingRecord[] = [];
  const refreshes: Refresh[] = [];
  for (const [id, draft] of sorted.byId) {
    if (erased.has(draft)) continue;
    const record = stored.get(id);
    if (record === undefined) fresh.push(newPosting(id, draft, { insight, platform, imported, now }));
    else refreshes.push(refresh(record, draft, copied));
  }
  const outcome = {
    stored: fresh.length,
    duplicates: refreshes.length + sorted.repeats,
    erased: erased.size,
  };
  return { insight, fresh, refreshes, outcome };
}

function newPosting(
  id: string,
  content: PostingDraft,
  { insight, platform, imported, now }: Pick<PlanInput, "insight" | "platform" | "imported" | "now">,
): PostingRecord {
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
