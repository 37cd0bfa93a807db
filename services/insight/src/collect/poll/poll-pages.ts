import type { Step } from "@hourglass/runtime";
import type { StoreOutcome } from "../../postings/storing/store-postings.js";
import type { Poll, SearchRecord } from "../../store/records.js";
import { fetchPage } from "../page/fetch-page.js";
import { type NarrowedPage, narrowPage } from "../page/narrow-page.js";
import { type PageEnd, Pages, type PagesEnd } from "../page/page-end.js";
import { atPageLimit, countPage, finished, pollAfter, unfinished, warningsOf } from "../page/page-outcome.js";
import { storePage } from "../page/store-page.js";
import { matcherOf, searchSteps, type Turn, writeSearch } from "../turn/turn.js";

/**
 * Reads pages of a poll and stores each with the counts, the next page token and, after the last page, the cursor, in one
 * commit. Throws what a connector throws, and Interrupted; `progress.poll` is then the poll as stored last.
 */
export async function pollPages(turn: Turn, progress: { poll: Poll }): Promise<PagesEnd> {
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
    if (context.isStopping()) return (await handBack(turn)) ? "interrupted" : "lost";
  }
}

/** Makes an unfinished search due again, for another process. */
export function handBack(turn: Turn): Promise<boolean> {
  return writeSearch(turn, { dueAt: turn.context.now() });
}

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
async function commitPage(turn: Turn, { poll, narrowed, pages }: PageToCommit): Promise<Committed | undefined> {
  let committed: (Committed & { set: Partial<SearchRecord> }) | undefined;
  const isStored = await turn.lease.write((fence) => {
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
  { poll, narrowed, end }: Committed & Pick<PageToCommit, "narrowed">,
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
