import type { DueClaim } from "@hourglass/runtime";
import { markMissed, missingReason } from "../../coverage.js";
import { readinessNow } from "../../platforms/registry.js";
import type { InsightRecord, Poll, SearchRecord } from "../../store/records.js";
import { beginPoll } from "./begin-poll.js";
import type { TurnOutcome } from "../turn/collector-metrics.js";
import { type Failure, failureOf } from "./failure.js";
import { afterFailure, GIVEN_UP } from "./failure-outcome.js";
import { Interrupted } from "../page/fetch-page.js";
import { PollLease } from "../turn/poll-lease.js";
import type { PagesEnd } from "../page/page-end.js";
import { handBack, pollPages } from "./poll-pages.js";
import { collectPreview } from "./preview.js";
import { searchSteps, type Turn, type TurnContext, writeSearch } from "../turn/turn.js";

/** Does one turn of a due search: a poll, or as many of its pages as a turn may read. */
export async function runTurn(context: TurnContext, claim: DueClaim<SearchRecord>): Promise<void> {
  const { collections, platforms, now } = context;
  const search = claim.record;
  context.failpoint("collector.after_claim");
  const insight = await collections.insights.get(search.insightId);
  if (!isRunning(search, insight)) {
    await claim.reschedule(null);
    return;
  }
  const readiness = readinessNow(platforms, search.platform);
  if ("missing" in readiness) return settleUnready({ context, insight }, claim, readiness.missing);
  if (search.nextAt !== null) context.metrics.observeLag({ platform: search.platform }, (now() - search.nextAt) / 1000);
  const lease = new PollLease(claim, context.leaseMs);
  try {
    await collect({ context, insight, connector: readiness.connector, lease, search });
  } finally {
    await lease.release();
  }
}

/** Whether the search belongs to the present epoch of a running insight, and has not ended. */
function isRunning(search: SearchRecord, insight: InsightRecord | undefined): insight is InsightRecord {
  return insight?.status === "running" && insight.epoch === search.epoch && search.outcome === null;
}

async function collect(turn: Turn): Promise<void> {
  const { context, search } = turn;
  const begun = performance.now();
  const outcome = await pollOrSettle(turn);
  const seconds = (performance.now() - begun) / 1000;
  if (outcome !== "lost") context.metrics.observeTurn({ platform: search.platform, outcome }, seconds);
}

async function pollOrSettle(turn: Turn): Promise<TurnOutcome | "lost"> {
  const { context, connector, search } = turn;
  const { poll, fillTriedAt } = beginPoll(search, connector, context.now());
  const progress = { poll };
  turn.search = { ...search, fillTriedAt };
  const obstacle = obstacleOf(turn);
  if (obstacle !== undefined) return settle(turn, poll, obstacle);
  try {
    const end = await readPages(turn, progress);
    context.circuits.succeeded(search.platform);
    return end;
  } catch (error) {
    if (error instanceof Interrupted) return (await handBack(turn)) ? "interrupted" : "lost";
    const failure = failureOf(error);
    noteFailure(turn, failure);
    return settle(turn, progress.poll, failure);
  }
}

function readPages(turn: Turn, progress: { poll: Poll }): Promise<PagesEnd> {
  return turn.search.preview ? collectPreview(turn, progress.poll) : pollPages(turn, progress);
}

/** Why the platform is not asked now. A preview asks unless the credentials are rejected: there are few of them. */
function obstacleOf({ context, search: { platform, preview } }: Turn): Failure | undefined {
  const rejection = context.gates.closed(platform, context.now());
  if (rejection !== undefined) return { kind: "auth", message: rejection.message, retryAt: undefined, requests: 0 };
  const circuit = preview ? undefined : context.circuits.open(platform, context.now());
  return circuit && { kind: "circuit", message: circuit.message, retryAt: circuit.until, requests: 0 };
}

/** Followed sources fail for reasons of their own, which say nothing about other searches. */
function noteFailure({ context, connector, search }: Turn, { kind, message }: Failure): void {
  if (kind !== "temporary" || connector.mode !== "search") return;
  context.circuits.failed(search.platform, message, context.now());
}

/** Stores a failure and when to try again. */
async function settle(turn: Turn, poll: Poll, failure: Failure): Promise<TurnOutcome | "lost"> {
  const { context, search } = turn;
  if (failure.unforeseen !== undefined) {
    context.log.warn({ err: failure.unforeseen, search: search.id }, "a platform's answer could not be used");
  }
  context.failpoint("collector.before_failure");
  const isStored = await writeSearch(turn, afterFailure(turn, poll, failure));
  context.failpoint("collector.after_failure");
  return isStored ? outcomeOf(failure) : "lost";
}

function outcomeOf({ kind }: Failure): TurnOutcome {
  if (kind === "auth") return "auth_failed";
  return kind === "budget" ? "budget_spent" : "failed";
}

/** Stops the search until this server has the settings of the platform; see `startReady`. */
async function settleUnready(
  turn: Pick<Turn, "context" | "insight">,
  { record, fence }: DueClaim<SearchRecord>,
  missing: string,
): Promise<void> {
  const { store, now } = turn.context;
  const { status, preview, coverage } = record;
  const missed = missingReason(status) ?? "not_configured";
  const set: Partial<SearchRecord> = {
    status: status === "importing" ? status : "not_configured",
    dueAt: null,
    nextAt: null,
    lastError: missing,
    coverage: coverage.length === 0 ? [] : markMissed(coverage, { from: now(), to: now() }, missed),
    ...(preview && GIVEN_UP),
  };
  await store.commit(searchSteps(turn, { ...fence, epoch: record.epoch }, set));
}
