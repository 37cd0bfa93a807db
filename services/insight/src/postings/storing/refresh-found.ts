import { setTimeout as sleep } from "node:timers/promises";
import { type Step, type Store, updateStep } from "@hourglass/runtime";
import type { PostingDraft } from "../../platforms/posting-draft.js";
import type { FoundDraft } from "../../platforms/connector.js";
import type { Collections } from "../../store/collections.js";
import type { InsightRecord, PlatformName, PostingRecord } from "../../store/records.js";
import { prepareDraft } from "./prepare-draft.js";
import { type Refresh, refresh } from "./refresh.js";
import { refreshSteps } from "./store-steps.js";

/** Postings of a company as their platform states them now. */
export interface Found {
  readonly companyId: number;
  readonly platform: PlatformName;
  readonly drafts: readonly FoundDraft[];
}

/**
 * Refreshes what is stored of postings in all searches of the company, paused and ended ones included: it brings nothing
 * new. Postings that are not stored are left out.
 */
export type RefreshFound = (found: Found) => Promise<void>;

export interface RefreshFoundDeps {
  store: Pick<Store, "commit">;
  collections: Pick<Collections, "insights" | "postings" | "work" | "dirtyBuckets">;
  now: () => number;
}

const PAUSE_MS_MAX = 20;

export function createRefreshFound(deps: RefreshFoundDeps): RefreshFound {
  return async ({ companyId, platform, drafts }) => {
    const byId = new Map(
      drafts.flatMap((draft) => (draft.socialId === undefined ? [] : [[draft.socialId, draft] as const])),
    );
    const { postings } = deps.collections;
    const stored = await postings.find({ companyId, platform, socialId: { in: [...byId.keys()] } });
    const insights = new Set(stored.map(({ insightId }) => insightId));
    for (const insightId of insights) {
      const ids = stored.filter((posting) => posting.insightId === insightId).map(({ id }) => id);
      await refreshIn(deps, insightId, { ids, byId });
    }
  };
}

/** Repeats what others have overtaken. */
async function refreshIn(
  deps: RefreshFoundDeps,
  insightId: number,
  { ids, byId }: { ids: readonly string[]; byId: ReadonlyMap<string, FoundDraft> },
): Promise<void> {
  const { store, collections, now } = deps;
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
    const { done } = await store.commit([...fence(deps, insight, refreshes), ...refreshSteps(refreshes, context)]);
    if (done) return;
    await sleep(Math.random() * PAUSE_MS_MAX);
  }
}

/** The draft as a poll of a search would have it. */
function draftIn({ audialText, ...draft }: FoundDraft, isAudial: boolean): PostingDraft {
  return isAudial && audialText !== undefined ? { ...draft, text: audialText } : draft;
}

function refreshed(known: PostingRecord, draft: PostingDraft, at: number): Refresh {
  return refresh(known, prepareDraft(draft, at), { at, by: "lookUp" });
}

/** An analysis must not be inserted for a posting that was erased meanwhile; other updates then find none. */
function fence({ collections }: RefreshFoundDeps, { id, batch }: InsightRecord, refreshes: readonly Refresh[]): Step[] {
  if (!refreshes.some(({ changed }) => changed !== undefined)) return [];
  return [updateStep(collections.insights, { id, batch }, { set: { batch: batch + 1 } })];
}
