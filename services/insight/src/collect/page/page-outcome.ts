import { coverPart, coverPoll } from "../../coverage.js";
import type { Page } from "../../platforms/connector.js";
import type { StoreOutcome } from "../../postings/storing/store-postings.js";
import type { Poll, SearchCounts, SearchRecord } from "../../store/records.js";
import type { NarrowedPage } from "./narrow-page.js";
import { nextTurn } from "../pace/next-turn.js";
import { POLL_PAGES_MAX } from "../pace/policy.js";
import type { Turn } from "../turn/turn.js";

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
    coverage: isCut ? coverPart(coverage, poll, "page_limit") : coverPoll(coverage, poll),
  };
}

function nextOf({ search, context, connector }: Turn, page: Page): Pick<SearchRecord, "dueAt" | "nextAt"> {
  const { cadence, now } = context;
  const next = nextTurn(search.id, { cadence, connector, now: now() }, page);
  return { dueAt: next, nextAt: next };
}
