import { coverPart } from "../../coverage.js";
import type { PostingDraft } from "../../platforms/posting-draft.js";
import { postingIdOf } from "../../postings/storing/identity.js";
import type { Poll, SearchRecord } from "../../store/records.js";
import { fetchPage } from "../page/fetch-page.js";
import { type NarrowedPage, narrowPage } from "../page/narrow-page.js";
import { countPage, pollAfter, warningsOf } from "../page/page-outcome.js";
import { PREVIEW_POSTINGS, TURN_PAGES_MAX } from "../pace/policy.js";
import type { PagesEnd } from "../page/page-end.js";
import { storePage } from "../page/store-page.js";
import { matcherOf, searchSteps, type Turn } from "../turn/turn.js";

const NOTHING = { stored: 0, duplicates: 0, erased: 0 };

/**
 * Reads one page of a platform that is searched, or all pages of followed sources, and stores the newest matching postings
 * in one commit, which ends the search. Throws what a connector throws, and Interrupted.
 */
export async function collectPreview(turn: Turn, poll: Poll): Promise<PagesEnd> {
  const narrowed = await readPages(turn, poll);
  const gone = narrowed.flatMap(({ page }) => page.gone ?? []);
  const drafts = newestOf(turn, narrowed, new Set(gone));
  const isStored = await turn.lease.write((fence) =>
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

async function readPages(turn: Turn, begun: Poll): Promise<NarrowedPage[]> {
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
