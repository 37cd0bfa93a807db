import type { DueClaim } from "@hourglass/runtime";
import { coverPart, markMissed, missingReason, startOfPoll } from "../coverage.js";
import type { Connector } from "../platforms/connector.js";
import type { PostingDraft } from "../platforms/posting-draft.js";
import { readinessNow } from "../platforms/registry.js";
import { postingIdOf } from "../postings/merge.js";
import { type InsightRecord, isNamed, type Poll, type SearchRecord } from "../store/records.js";
import { commitPage, countPage, pollAfter, storePage, warningsOf } from "./commit-page.js";
import { afterFailure, type Failure, failureOf, GIVEN_UP } from "./failures.js";
import { fetchPage, Interrupted, type NarrowedPage, narrowPage, Pages, type PagesEnd } from "./page.js";
import { PREVIEW_POSTINGS, TURN_PAGES_MAX } from "./schedule-policy.js";
import {
  matcherOf,
  type PolledInsight,
  searchSteps,
  type Turn,
  type TurnContext,
  type TurnOutcome,
  writeSearch,
} from "./turn.js";

/**
 * Does one turn of a due search: a poll, or as many of its pages as a turn may read. Requests are abandoned when the claim's
 * signal aborts.
 */
export async function runTurn(
  context: TurnContext,
  claim: DueClaim<SearchRecord>,
  isStopping: () => boolean,
): Promise<void> {
  const { collections, platforms, now } = context;
  const search = claim.record;
  context.failpoint("collector.after_claim");
  const insight = await collections.insights.get(search.insightId);
  if (!isRunning(search, insight)) {
    await claim.reschedule(null);
    return;
  }
  const readiness = readinessNow(platforms, search.platform);
  if ("missing" in readiness) return parkUnconfigured({ context, insight }, claim, readiness.missing);
  if (search.nextAt !== null) context.metrics.observeLag({ platform: search.platform }, (now() - search.nextAt) / 1000);
  await collect({ context, insight, connector: readiness.connector, claim, isStopping, search });
}

/** Whether the search belongs to the present epoch of a running insight, and has not ended. */
function isRunning(search: SearchRecord, insight: InsightRecord | undefined): insight is InsightRecord {
  return insight?.status === "running" && insight.epoch === search.epoch && search.outcome === null && isNamed(search);
}

async function collect(turn: Turn): Promise<void> {
  const { context, search } = turn;
  const begun = performance.now();
  const outcome = await poll(turn);
  const seconds = (performance.now() - begun) / 1000;
  if (outcome !== "lost") context.metrics.observeTurn({ platform: search.platform, outcome }, seconds);
}

async function poll(turn: Turn): Promise<TurnOutcome | "lost"> {
  const { context, connector, search } = turn;
  const { poll: begun, fillTriedAt } = beginPoll(search, connector, context.now());
  const progress = { poll: begun };
  turn.search = { ...search, fillTriedAt };
  const obstacle = obstacleOf(turn);
  if (obstacle !== undefined) return storeFailure(turn, begun, obstacle);
  try {
    const end = await readPages(turn, progress);
    context.circuits.succeeded(search.platform);
    return end;
  } catch (error) {
    if (error instanceof Interrupted) return (await handBack(turn)) ? "interrupted" : "lost";
    const failure = failureOf(error);
    noteFailure(turn, failure);
    return storeFailure(turn, progress.poll, failure);
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

/** Followed sources fail for their own reasons, which say nothing about other searches. */
function noteFailure({ context, connector, search }: Turn, { kind, message }: Failure): void {
  if (kind !== "temporary" || connector.mode !== "search") return;
  context.circuits.failed(search.platform, message, context.now());
}

/** Stores a failure and when to try again. */
async function storeFailure(turn: Turn, poll: Poll, failure: Failure): Promise<TurnOutcome | "lost"> {
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
async function parkUnconfigured(polled: PolledInsight, claim: DueClaim<SearchRecord>, missing: string): Promise<void> {
  const { store, now } = polled.context;
  const { status, preview, coverage } = claim.record;
  const missed = missingReason(status) ?? "not_configured";
  const set: Partial<SearchRecord> = {
    status: status === "importing" ? status : "not_configured",
    dueAt: null,
    nextAt: null,
    lastError: missing,
    coverage: coverage.length === 0 ? [] : markMissed(coverage, { from: now(), to: now() }, missed),
    ...(preview && GIVEN_UP),
  };
  await claim.write((fence) => store.commit(searchSteps(polled, fence, set)));
}

/** The poll that a turn works on, and when a poll last filled a gap. */
interface Begun {
  poll: Poll;
  fillTriedAt: number | null;
}

/** Continues the poll of an earlier turn if that has stored pages, otherwise begins one. */
function beginPoll(search: SearchRecord, connector: Connector, now: number): Begun {
  const { poll, fillTriedAt } = search;
  if (poll !== null && poll.pages > 0) return { poll, fillTriedAt };
  const { fillTriedAt: triedAt, ...start } = startOfPoll(search, connector, now);
  const begun = { startedAt: now, ...start, page: null, pages: 0, stored: 0, gaps: [] };
  return { poll: { ...begun, failures: poll?.failures ?? 0 }, fillTriedAt: triedAt };
}

/**
 * Reads pages of a poll and stores each with the counts, the next page token and, after the last page, the cursor, in one
 * commit. Throws what a connector throws, and Interrupted; `progress.poll` is then the poll as stored last.
 */
async function pollPages(turn: Turn, progress: { poll: Poll }): Promise<PagesEnd> {
  const { context } = turn;
  const pages = new Pages();
  for (;;) {
    pages.begin(progress.poll);
    context.failpoint("collector.before_fetch");
    const page = await fetchPage(turn, progress.poll);
    context.failpoint("collector.after_fetch");
    const narrowed = narrowPage(page, matcherOf(turn));
    const stored = await commitPage(turn, { poll: progress.poll, narrowed, pages });
    if (stored === undefined) return "lost";
    if (stored.end !== "continue") return stored.end;
    pages.add(narrowed);
    progress.poll = stored.poll;
    if (turn.isStopping()) return (await handBack(turn)) ? "interrupted" : "lost";
  }
}

/** Makes an unfinished search due again, for another process. */
function handBack(turn: Turn): Promise<boolean> {
  return writeSearch(turn, { dueAt: turn.context.now() });
}

const NOTHING = { stored: 0, duplicates: 0, erased: 0 };

/**
 * Reads one page of a platform that is searched, or all pages of followed sources, and stores the newest matching postings
 * in one commit, which ends the search. Throws what a connector throws, and Interrupted.
 */
async function collectPreview(turn: Turn, poll: Poll): Promise<PagesEnd> {
  const narrowed = await readPreview(turn, poll);
  const gone = narrowed.flatMap(({ page }) => page.gone ?? []);
  const drafts = newestOf(turn, narrowed, new Set(gone));
  const isStored = await turn.claim.write((fence) =>
    storePage(turn, { drafts, gone }, (outcome) => {
      const stored = { counts: countsAfter(turn, narrowed, outcome), ...answered(turn, poll, narrowed) };
      return searchSteps(turn, fence, stored);
    }),
  );
  return isStored ? "complete" : "lost";
}

/** The newest matching postings that are not gone; one that stands in several sources counts once. */
function newestOf(
  { search: { insightId, platform } }: Turn,
  narrowed: NarrowedPage[],
  gone: ReadonlySet<string>,
): PostingDraft[] {
  const matching = narrowed.flatMap(({ drafts }) => drafts).sort((a, b) => b.postedAt - a.postedAt);
  const distinct = new Map<string, PostingDraft>();
  for (const draft of matching) {
    if (draft.socialId !== undefined && gone.has(draft.socialId)) continue;
    const id = postingIdOf(insightId, platform, draft);
    if (!distinct.has(id)) distinct.set(id, draft);
  }
  return [...distinct.values()].slice(0, PREVIEW_POSTINGS);
}

async function readPreview(turn: Turn, begun: Poll): Promise<NarrowedPage[]> {
  const { context, connector } = turn;
  const read: NarrowedPage[] = [];
  const pagesMax = connector.mode === "search" ? 1 : TURN_PAGES_MAX;
  const tokens = new Set<string>();
  for (let poll = begun; read.length < pagesMax;) {
    tokens.add(JSON.stringify(poll.page));
    context.failpoint("collector.before_fetch");
    const page = await fetchPage(turn, poll);
    context.failpoint("collector.after_fetch");
    read.push(narrowPage(page, matcherOf(turn)));
    if (page.nextPage === null || tokens.has(JSON.stringify(page.nextPage))) break;
    poll = pollAfter(poll, page, NOTHING);
  }
  return read;
}

function countsAfter({ search }: Turn, narrowed: NarrowedPage[], outcome: typeof NOTHING): SearchRecord["counts"] {
  const read = narrowed.reduce((counts, page) => countPage(counts, page, NOTHING), search.counts);
  return { ...read, stored: read.stored + outcome.stored, duplicates: read.duplicates + outcome.duplicates };
}

function answered(turn: Turn, poll: Poll, narrowed: NarrowedPage[]): Partial<SearchRecord> {
  const warnings = narrowed.flatMap(({ page }) => warningsOf(turn.search, poll, page));
  return {
    poll: null,
    status: "waiting",
    dueAt: null,
    nextAt: null,
    lastSuccessAt: turn.context.now(),
    lastError: null,
    failures: 0,
    warnings: [...new Set(warnings)],
    coverage: coverPart(turn.search.coverage, poll, "preview"),
    outcome: "answered",
  };
}
