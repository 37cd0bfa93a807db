import type { ImportPostingsRequest } from "@hourglass/proto/insight/v1/insight_service";
import { AppError, failpoint, type Step, type Store, updateEachStep, updateStep } from "@hourglass/runtime";
import { type Collections, findInsight } from "../../store/collections.js";
import {
  type InsightRecord,
  type PlatformName,
  type PostingImport,
  searchId,
  type SearchRecord,
} from "../../store/records.js";
import type { StoreOutcome, StorePostings } from "../storing/store-postings.js";
import { openImport } from "./keyed-import.js";
import { type ImportPlan, planImport, type SocialIdIn } from "./plan-import.js";
import { readImport } from "./read-import.js";

/** What became of the postings of an import; the sum is their number. */
export interface ImportOutcome {
  accepted: number;
  duplicates: number;
  unmatched: number;
  erased: number;
}

/**
 * Stores postings that a caller provides. All of them are checked before the first one is stored. Throws AppError
 * `not-found`, and `invalid` for wrong postings and for a search that is not running.
 */
export type ImportPostings = (
  requests: AsyncIterable<ImportPostingsRequest>,
  companyId: number,
) => Promise<ImportOutcome>;

export interface ImportDeps {
  store: Pick<Store, "nextId">;
  collections: Collections;
  storePostings: StorePostings;
  socialIdIn: SocialIdIn;
  now: () => number;
}

/** Pages stored so far, and what became of their postings. */
export type Progress = Pick<PostingImport, "pages" | "accepted" | "known" | "erased">;

const NOTHING: Progress = { pages: 0, accepted: 0, known: 0, erased: 0 };

export function createImportPostings(deps: ImportDeps): ImportPostings {
  const { insights } = deps.collections;
  return async (requests, companyId) => {
    const received = await readImport(requests, async ({ id }) => {
      await findInsight(insights, Number(id), companyId);
    });
    const { id, idempotencyKey } = received.header;
    const insight = await findInsight(insights, Number(id), companyId);
    const plan = await planImport(insight, received, deps.socialIdIn);
    const keyed = await openImport(deps, { insight, key: idempotencyKey, hash: plan.hash });
    const progress = await storePages(deps, { insight, plan, keyed });
    return {
      accepted: progress.accepted,
      duplicates: progress.known + plan.repeats,
      unmatched: plan.unmatched,
      erased: progress.erased,
    };
  };
}

interface Import {
  insight: InsightRecord;
  plan: ImportPlan;
  /** Undefined without a key. */
  keyed: PostingImport | undefined;
}

/** Stores the pages that are left. Requests with the same key share the work: each page is stored by one of them. */
async function storePages(deps: ImportDeps, { insight, plan, keyed }: Import): Promise<Progress> {
  let progress: Progress = keyed ?? NOTHING;
  let current = insight;
  if (progress.pages < plan.pages.length) mustRun(current);
  while (progress.pages < plan.pages.length) {
    const stored = await storePage(deps, { insight: current, plan, keyed }, progress);
    failpoint("insight.after_import_page");
    if (stored !== undefined) progress = after(progress, stored);
    else {
      // Either another request with the key was faster, or the search was paused or deleted.
      if (keyed !== undefined) progress = (await deps.collections.imports.get(keyed.id)) ?? progress;
      current = await findInsight(deps.collections.insights, insight.id, insight.companyId);
      mustRun(current);
    }
  }
  return progress;
}

async function storePage(
  { collections, storePostings }: ImportDeps,
  { insight, plan, keyed }: Import,
  progress: Progress,
): Promise<StoreOutcome | undefined> {
  const page = plan.pages[progress.pages];
  if (page === undefined) return undefined;
  const { id, companyId, epoch, query } = insight;
  return storePostings({
    insight: { id, companyId, epoch },
    platform: page.platform,
    drafts: page.drafts,
    preview: query.sneakPeek,
    imported: true,
    alongside: (outcome) => [
      showImport(collections, id, page.platform),
      ...(keyed === undefined ? [] : [moveAhead(collections, keyed, { from: progress, outcome })]),
    ],
  });
}

function after(progress: Progress, { stored, duplicates, erased }: StoreOutcome): Progress {
  return {
    pages: progress.pages + 1,
    accepted: progress.accepted + stored,
    known: progress.known + duplicates,
    erased: progress.erased + erased,
  };
}

function moveAhead(
  { imports }: Collections,
  { id }: PostingImport,
  { from, outcome }: { from: Progress; outcome: StoreOutcome },
): Step {
  return updateStep<PostingImport>(imports, { id, pages: from.pages }, { set: after(from, outcome) });
}

/** A platform without a connector is no longer idle once postings are imported for it. */
function showImport({ searches }: Collections, insightId: number, platform: PlatformName): Step {
  const filter = { id: searchId(insightId, platform), status: "not_configured" as const };
  return updateEachStep<SearchRecord>(searches, [{ filter, change: { set: { status: "importing" } } }]);
}

function mustRun({ status }: InsightRecord): void {
  if (status === "running") return;
  const [message, code] =
    status === "paused"
      ? ["This search is paused. Resume it, then import again.", "insight_paused"]
      : [`This preview has ended (${status}). Create another search instead.`, "insight_ended"];
  throw new AppError("invalid", message, { code });
}
