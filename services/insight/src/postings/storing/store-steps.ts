import { checkStep, deleteStep, insertStep, type Step, updateEachStep, updateStep } from "@hourglass/runtime";
import type { Collections } from "../../store/collections.js";
import type { InsightRecord, PostingRecord, PostingWork } from "../../store/records.js";
import { markDirtySteps } from "../../summary/dirty-buckets.js";
import type { StorePlan } from "./plan-store.js";
import type { Refresh } from "./refresh.js";

export interface StepContext {
  collections: Pick<Collections, "insights" | "postings" | "work" | "dirtyBuckets">;
  preview: boolean;
  now: number;
}

/** The writes of a plan. The first one requires the state of the insight that the plan is true for. */
export function stepsOf(plan: StorePlan, context: StepContext): Step[] {
  const { postings, work } = context.collections;
  const { fresh, refreshes } = plan;
  const moves = fresh.length > 0 || refreshes.some(({ changed }) => changed !== undefined);
  return [
    fence(plan, moves, context),
    ...(fresh.length > 0 ? [insertStep(postings, ...fresh)] : []),
    ...refreshSteps(refreshes, context),
    ...(fresh.length > 0 ? [insertStep(work, ...fresh.map((posting) => workOn(posting, context)))] : []),
  ];
}

/** The writes of refreshed postings, and of the analyses that they need again. */
export function refreshSteps(refreshes: readonly Refresh[], context: StepContext): Step[] {
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

/** The batch moves only if there is something to analyse, so that a refresh of counts does not delay other writers. */
function fence({ insight, fresh }: StorePlan, moves: boolean, { collections: { insights } }: StepContext): Step {
  const { id, epoch, batch } = insight;
  const running = { id, status: "running" as const, epoch };
  if (!moves) return checkStep<InsightRecord>(insights, running);
  const change = { set: { batch: batch + 1 }, increment: { postings: fresh.length } };
  return updateStep<InsightRecord>(insights, { ...running, batch }, change);
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
    claims: 0,
    failures: 0,
  };
}
