import { AppError, checkStep, type Step } from "@hourglass/runtime";
import { coverPart, coverPoll } from "../coverage.js";
import { type Page, PlatformError } from "../platforms/connector.js";
import type { PostingDraft } from "../platforms/posting-draft.js";
import type { StoreOutcome } from "../postings/store.js";
import type { Poll, SearchCounts, SearchRecord } from "../store/records.js";
import type { NarrowedPage, PageEnd, Pages } from "./page.js";
import { nextPollAt, POLL_PAGES_MAX } from "./schedule-policy.js";
import { searchSteps, type Turn } from "./turn.js";

interface PageToCommit {
  poll: Poll;
  narrowed: NarrowedPage;
  pages: Pages;
}

interface Committed {
  poll: Poll;
  end: PageEnd;
}

/** Undefined if the claim was lost or the insight is no longer running; nothing was stored then. */
export async function commitPage(turn: Turn, { poll, narrowed, pages }: PageToCommit): Promise<Committed | undefined> {
  let committed: (Committed & { set: Partial<SearchRecord> }) | undefined;
  const isStored = await turn.claim.write((fence) => {
    const alongside = (outcome: StoreOutcome): Step[] => {
      const after = pollAfter(poll, narrowed.page, outcome);
      const end = pages.endAfter(turn, after, narrowed, outcome);
      const set = fieldsAfter(turn, { poll: after, narrowed, end }, outcome);
      committed = { poll: after, end, set };
      return searchSteps(turn, fence, set);
    };
    return storePage(turn, { drafts: narrowed.drafts, gone: narrowed.page.gone ?? [] }, alongside);
  });
  if (!isStored || committed === undefined) return undefined;
  turn.search = { ...turn.search, ...committed.set };
  return committed;
}

function fieldsAfter(
  turn: Turn,
  { poll, narrowed, end }: Committed & { narrowed: NarrowedPage },
  outcome: StoreOutcome,
): Partial<SearchRecord> {
  const { search } = turn;
  const { page } = narrowed;
  const always = {
    counts: countPage(search.counts, narrowed, outcome),
    warnings: warningsOf(search, { ...poll, pages: poll.pages - 1 }, page),
    fillTriedAt: search.fillTriedAt,
  };
  switch (end) {
    case "continue":
      return { ...always, ...unfinished(poll) };
    case "page_limit":
      return { ...always, ...atPageLimit(turn, poll, page) };
    case "complete":
      return { ...always, ...finished(turn, poll, page) };
  }
}

const WARNINGS_MAX = 10;
/** As many gaps as the page of a poll keep the record small. */
const GAPS_MAX = 50;

/** The totals after a page. */
export function countPage(
  counts: SearchCounts,
  { page, drafts, skipped }: NarrowedPage,
  { stored, duplicates }: StoreOutcome,
): SearchCounts {
  return {
    requests: counts.requests + page.requests,
    fetched: counts.fetched + page.postings.length,
    matched: counts.matched + drafts.length,
    stored: counts.stored + stored,
    duplicates: counts.duplicates + duplicates,
    skipped: counts.skipped + skipped,
  };
}

/** Warnings of a poll: those of its first page replace those of the last poll. */
export function warningsOf(search: SearchRecord, poll: Poll, page: Page): string[] {
  const earlier = poll.pages === 0 ? [] : search.warnings;
  return [...new Set([...earlier, ...(page.warnings ?? [])])].slice(0, WARNINGS_MAX);
}

/** The poll after one more page. */
export function pollAfter(poll: Poll, page: Page, { stored }: StoreOutcome): Poll {
  return {
    ...poll,
    page: page.nextPage,
    pages: poll.pages + 1,
    stored: poll.stored + stored,
    failures: 0,
    gaps: distinct([...poll.gaps, ...(page.gaps ?? [])]).slice(0, GAPS_MAX),
  };
}

/** Each page may repeat the gaps of the one before. */
function distinct(gaps: readonly Poll["gaps"][number][]): Poll["gaps"] {
  return [...new Map(gaps.map((gap) => [JSON.stringify([gap.from, gap.to, gap.reason]), gap])).values()];
}

/** Fields of a search whose poll has further pages, which this turn reads. */
export function unfinished(poll: Poll): Partial<SearchRecord> {
  return { poll, status: "collecting" };
}

/** Fields of a search whose poll has further pages, which the next turn reads. */
export function atPageLimit(turn: Turn, poll: Poll, page: Page): Partial<SearchRecord> {
  const next = nextOf(turn, page);
  const coverage = coverPart(turn.search.coverage, poll, "page_limit");
  return { ...unfinished(poll), ...next, failures: 0, lastError: null, coverage };
}

/** Fields of a search after the last page of its poll. */
export function finished(turn: Turn, poll: Poll, page: Page): Partial<SearchRecord> {
  const { coverage } = turn.search;
  const isCut = poll.pages >= POLL_PAGES_MAX && page.nextPage !== null;
  return {
    ...nextOf(turn, page),
    poll: null,
    status: "waiting",
    cursor: page.cursor,
    lastSuccessAt: turn.context.now(),
    lastError: null,
    failures: 0,
    coverage: isCut ? coverPart(coverage, poll, "page_limit") : coverPoll(turn.search, poll),
  };
}

function nextOf({ search, context, connector }: Turn, page: Page): Pick<SearchRecord, "dueAt" | "nextAt"> {
  const { cadence, now } = context;
  const next = nextPollAt(search.id, { cadence, connector, now: now() }, page);
  return { dueAt: next, nextAt: next };
}

const NOTHING: StoreOutcome = { stored: 0, duplicates: 0, erased: 0 };

/** What is stored of a page. */
export interface PageToStore {
  drafts: readonly PostingDraft[];
  /** Ids of postings that the platform says are gone. */
  gone: readonly string[];
}

/**
 * Erases what is gone, then stores postings and what goes with them in one commit; false if the claim was lost or the
 * insight is no longer running. Throws PlatformError `permanent` if the postings cannot be stored as the platform states
 * them.
 */
export async function storePage(
  { context, connector, insight, search }: Turn,
  { drafts, gone }: PageToStore,
  alongside: (outcome: StoreOutcome) => Step[],
): Promise<boolean> {
  const { id, companyId, epoch } = insight;
  const { platform, preview } = search;
  const { store, storePostings, collections, failpoint } = context;
  failpoint("collector.before_commit");
  // Before the cursor moves: after a crash the page is read again, and erasing it again does nothing.
  if (gone.length > 0) await context.eraseGone({ companyId, platform, socialIds: gone });
  if (drafts.length === 0) {
    const running = checkStep(collections.insights, { id, epoch, status: "running" });
    const committed = await store.commit([running, ...alongside(NOTHING)]);
    failpoint("collector.after_commit");
    return committed.done;
  }
  const labeled = connector.idsOnly === true ? drafts.map(withIdsOnly) : drafts;
  const request = { insight: { id, companyId, epoch }, platform, drafts: labeled, preview, alongside };
  const outcome = await storePostings(request).catch(rethrow);
  failpoint("collector.after_commit");
  return outcome !== undefined;
}

/** Says in the posting that only its ids may be passed on, wherever it goes. */
function withIdsOnly(draft: PostingDraft): PostingDraft {
  return { ...draft, moreInfo: { ...draft.moreInfo, ids_only: true } };
}

/** A page that cannot be stored must be visible, rather than be fetched forever. */
function rethrow(error: unknown): never {
  if (error instanceof AppError && error.kind === "unavailable") throw error;
  throw new PlatformError("permanent", "The platform's postings could not be stored. Tell the operator.", {
    cause: error,
  });
}
