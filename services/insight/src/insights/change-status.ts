import { AppError, failpoint, type Store, updateStep } from "@hourglass/runtime";
import { pauseSteps, resumeSteps } from "../collect/search/search-record.js";
import type { Collections } from "../records/collections.js";
import type { Platforms } from "../platforms/registry.js";
import type { InsightRecord } from "../records/insight.js";
import { findInsight } from "../records/find-insight.js";

export interface ChangeStatusDeps {
  store: Pick<Store, "commit">;
  collections: Collections;
  now: () => number;
}

/**
 * Pauses or resumes an insight, and returns it as it was before; does nothing if it is in that state already. After a pause has returned, nothing is
 * stored until the next resume: the new epoch voids all work in progress. Throws AppError `not-found`, and `invalid` for
 * a preview that has ended.
 */
export type ChangeStatus = (id: number, companyId: number) => Promise<InsightRecord>;

export function createPauseInsight(deps: ChangeStatusDeps): ChangeStatus {
  return (id, companyId) => change(deps, { id, companyId, to: "paused" });
}

export function createResumeInsight(deps: ChangeStatusDeps & { platforms: Platforms }): ChangeStatus {
  const { platforms } = deps;
  return (id, companyId) => change(deps, { id, companyId, to: "running", platforms });
}

type Wanted = { id: number; companyId: number } & Change;

type Change = { to: "paused" } | { to: "running"; platforms: Platforms };

async function change(deps: ChangeStatusDeps, { id, companyId, ...change }: Wanted): Promise<InsightRecord> {
  for (;;) {
    const insight = await findInsight(deps.collections.insights, id, companyId);
    if (insight.status === change.to) return insight;
    if (insight.status !== "running" && insight.status !== "paused") throw hasEnded(insight);
    if (await commitChange(deps, insight, change)) return insight;
  }
}

/** False if the insight was changed since it was read. */
async function commitChange(deps: ChangeStatusDeps, insight: InsightRecord, change: Change): Promise<boolean> {
  const { store, collections, now } = deps;
  const { id, status, epoch, query } = insight;
  const { to } = change;
  const searches = await collections.searches.find({ insightId: id });
  const further =
    change.to === "paused"
      ? pauseSteps(collections.searches, searches, epoch + 1)
      : resumeSteps(collections.searches, searches, { epoch: epoch + 1, now: now(), platforms: change.platforms });
  // The sweeper looks at a preview until it has ended, but not while it is paused.
  const looked = to === "running" && query.sneakPeek ? { dueAt: now() } : {};
  const { done } = await store.commit([
    updateStep(
      collections.insights,
      { id, status, epoch },
      { set: { status: to, ...looked }, increment: { epoch: 1 } },
    ),
    ...further,
  ]);
  if (done) failpoint(`insight.after_${to}`);
  return done;
}

function hasEnded({ status }: InsightRecord): AppError {
  return new AppError("invalid", `This preview has ended (${status}). Create another search instead.`, {
    code: "insight_ended",
  });
}
