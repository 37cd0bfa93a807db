import { setTimeout as sleep } from "node:timers/promises";
import {
  AppError,
  failpoint,
  type LoopShare,
  loopShare,
  type Measurements,
  type Step,
  type Store,
} from "@hourglass/runtime";
import { FairLimit } from "@hourglass/runtime/fair-limit";
import type { PostingDraft } from "../../platforms/posting-draft.js";
import type { Collections } from "../../store/collections.js";
import type { InsightRecord, PlatformName } from "../../store/records.js";
import { type StoreOutcome, type StorePlan, planStore } from "./plan-store.js";
import { stepsOf } from "./store-steps.js";
import { sortDrafts } from "./sort-drafts.js";
import type { Tombstones } from "../erasing/tombstones.js";

export type { StoreOutcome } from "./plan-store.js";

export interface StoreRequest {
  /** As read when the work on the page began; `epoch` fences off what a pause or deletion has overtaken. */
  insight: Pick<InsightRecord, "id" | "companyId" | "epoch">;
  platform: PlatformName;
  drafts: readonly PostingDraft[];
  /** Whether the analysis goes before that of continuous searches. */
  preview: boolean;
  /** Whether the postings were brought in, rather than found on the platform. Default: false. */
  imported?: boolean;
  /** Further conditional writes of the same commit, computed from the outcome. */
  alongside?: (outcome: StoreOutcome) => readonly Step[];
}

/**
 * Stores a page of postings in one commit: new ones with the work of their analysis, known ones refreshed. Undefined if
 * the insight was paused or deleted or the condition of a further write failed; nothing was stored then. AppError
 * `unavailable` if other writers were faster too often.
 */
export type StorePostings = (request: StoreRequest) => Promise<StoreOutcome | undefined>;

export interface StorePostingsDeps {
  store: Pick<Store, "commit">;
  collections: Collections;
  tombstones: Tombstones;
  metrics: Pick<Measurements, "countJobCreated">;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Default: that of the process. */
  share?: Pick<LoopShare, "run">;
}

/** Of writers that meet, one succeeds in each round, so as many may meet. */
const ROUNDS_MAX = 100;
const PAUSE_MS_MAX = 20;

/** What waits behind previews has its turn at least so often, in milliseconds. */
const OTHERS_EVERY_MS = 500;

/** Kind of the analyses in the metrics of jobs. */
export const POSTING_KIND = "posting";

/**
 * A process stores one page at a time: side by side they would all be read and written in the same few turns of the event
 * loop, and all other users of the process would wait for them. For the same reason pages rest while requests come, except
 * those of previews, for which somebody waits.
 */
export function createStorePostings(deps: StorePostingsDeps): StorePostings {
  const pages = new FairLimit({ places: 1, backgroundEveryMs: OTHERS_EVERY_MS });
  const { share = loopShare } = deps;
  return async (request) => {
    const rank = request.preview ? "foreground" : "background";
    const store = () => tryToStore(deps, request);
    const inTurn = request.preview ? store : () => share.run(store);
    for (let round = 0; round < ROUNDS_MAX; round++) {
      if (round > 0) await sleep(Math.random() * Math.min(PAUSE_MS_MAX, 2 ** round));
      const result = await pages.run(request.insight.companyId, inTurn, { rank });
      if (result !== "overtaken") return result;
    }
    throw new AppError("unavailable", "The insight is being changed by too many others. Try again later.");
  };
}

async function tryToStore(
  deps: StorePostingsDeps,
  request: StoreRequest,
): Promise<StoreOutcome | undefined | "overtaken"> {
  const { store, collections, metrics, now } = deps;
  const plan = await readPlan(deps, request);
  if (plan === undefined) return undefined;
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
async function readPlan(
  { collections, tombstones, now }: StorePostingsDeps,
  { insight: { id, epoch }, platform, drafts, imported = false }: StoreRequest,
): Promise<StorePlan | undefined> {
  // The insight first: whatever is written after this read moves its batch, and the commit then fails.
  const insight = await collections.insights.get(id);
  if (insight?.status !== "running" || insight.epoch !== epoch) return undefined;
  const sorted = sortDrafts(drafts, { insight, platform, now: now() });
  const distinct = [...sorted.byId.values()];
  const [known, erased] = await Promise.all([
    collections.postings.find({ id: { in: [...sorted.byId.keys()] } }),
    tombstones.findErased(distinct, { companyId: insight.companyId, platform }),
  ]);
  return planStore({ insight, platform, sorted, known, erased, imported, now: now() });
}
