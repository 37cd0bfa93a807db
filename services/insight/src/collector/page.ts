import { isUnbroken } from "../coverage.js";
import { type Page, type PageRequest, PlatformError } from "../platforms/connector.js";
import { type PostingDraft, searchedTextsOf } from "../platforms/posting-draft.js";
import type { StoreOutcome } from "../postings/store.js";
import type { Matcher } from "../query/matcher.js";
import type { Poll } from "../store/records.js";
import { spendAs } from "./budgets.js";
import { PAGE_MS_MAX, PAGE_POSTINGS, POLL_PAGES_MAX, PREVIEW_POSTINGS, TURN_PAGES_MAX } from "./schedule-policy.js";
import { platformSearchOf, type Turn } from "./turn.js";

/** The turn was interrupted because the process stops or the claim was lost. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/**
 * Fetches the next page of a poll. Throws Interrupted, or whatever the connector throws; a connector that does not
 * answer in time has failed.
 */
export async function fetchPage(turn: Turn, poll: Poll): Promise<Page> {
  const { context, connector, search, claim } = turn;
  const limit = new PageLimit([claim.signal]);
  const begun = performance.now();
  const observe = (outcome: string) => {
    context.metrics.observePage({ platform: search.platform, outcome }, (performance.now() - begun) / 1000);
  };
  try {
    const request = await requestOf(turn, poll, limit.signal);
    const page = await limit.within(() =>
      spendAs(search.preview ? "preview" : "search", () => connector.fetchPage(request)),
    );
    observe("answered");
    return withWarnings(page, warningsOfLocation(turn, request));
  } catch (error) {
    if (limit.isInterrupted) throw new Interrupted("the turn was interrupted", { cause: error });
    observe("failed");
    throw limit.isLate ? tooSlow(error) : error;
  } finally {
    limit.release();
  }
}

async function requestOf(turn: Turn, poll: Poll, signal: AbortSignal): Promise<PageRequest> {
  const { search } = turn;
  return {
    search: await platformSearchOf(turn),
    cursor: poll.fromCursor ? search.cursor : null,
    pageToken: poll.page,
    since: poll.since,
    ...(search.askedSince !== undefined && { addedSince: search.askedSince }),
    startedAt: search.startedAt,
    limit: search.preview ? PREVIEW_POSTINGS : PAGE_POSTINGS,
    signal,
  };
}

/** Parts of the location that are not clear, or that all of it has no effect. */
function warningsOfLocation(
  { connector, insight, search }: Turn,
  { search: { places } }: PageRequest,
): readonly string[] {
  if (connector.located === true || insight.query.location === "") return places.unknown;
  return [`The location has no effect on ${search.platform}: postings of all places are collected.`];
}

function withWarnings(page: Page, more: readonly string[]): Page {
  return more.length === 0 ? page : { ...page, warnings: [...(page.warnings ?? []), ...more] };
}

function tooSlow(cause: unknown): PlatformError {
  const message = `The platform did not answer within ${PAGE_MS_MAX / 1000} seconds. It is asked again.`;
  return new PlatformError("temporary", message, { cause });
}

/**
 * Ends the wait for a page: when one of the signals aborts, or when it takes too long. Unlike AbortSignal.any it leaves
 * nothing with signals that outlive many pages.
 */
export class PageLimit {
  isLate = false;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly interrupt = () => this.controller.abort(new Error("interrupted"));

  constructor(private readonly interruptions: readonly AbortSignal[]) {
    for (const signal of interruptions) signal.addEventListener("abort", this.interrupt);
    if (this.isInterrupted) this.interrupt();
    this.timer = setTimeout(() => {
      this.isLate = true;
      this.controller.abort(new Error("too slow"));
    }, PAGE_MS_MAX);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isInterrupted(): boolean {
    return this.interruptions.some(({ aborted }) => aborted);
  }

  /** Rejects at the limit even if the work ignores the signal. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this;
    const ended = new Promise<never>((_, reject) => {
      const end = () => reject(signal.reason as Error);
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    });
    return Promise.race([work(), ended]);
  }

  release(): void {
    clearTimeout(this.timer);
    for (const signal of this.interruptions) signal.removeEventListener("abort", this.interrupt);
  }
}

/** A page, narrowed by the query. */
export interface NarrowedPage {
  page: Page;
  /** Postings that match the query and are not gone. */
  drafts: PostingDraft[];
  /** Items that could not be read as postings. */
  skipped: number;
}

/** Keeps what matches the query, which decides whatever the platform was asked. Unreadable postings are counted. */
export function narrowPage(page: Page, matcher: Matcher): NarrowedPage {
  const drafts: PostingDraft[] = [];
  const gone = new Set(page.gone);
  let { skipped } = page;
  for (const draft of page.postings) {
    if (draft.socialId !== undefined && gone.has(draft.socialId)) continue;
    const verdict = judge(draft, matcher);
    if (verdict === "match") drafts.push(draft);
    else if (verdict === "unreadable") skipped += 1;
  }
  // A connector may leave out what JSON cannot hold.
  return { page: { ...page, nextPage: page.nextPage ?? null, cursor: page.cursor ?? null }, drafts, skipped };
}

/** One bad posting must not fail its page. */
function judge(draft: PostingDraft, matcher: Matcher): "match" | "other" | "unreadable" {
  try {
    if (!Number.isFinite(draft.postedAt)) return "unreadable";
    return matcher.match(searchedTextsOf(draft)).matches ? "match" : "other";
  } catch {
    return "unreadable";
  }
}

export type PageEnd = "continue" | "page_limit" | "complete";

/** How the pages of a turn ended; `lost`: the claim was lost, and nothing more may be stored. */
export type PagesEnd = Exclude<PageEnd, "continue"> | "interrupted" | "lost";

/** Pages in sequence that repeat the one before; fewer may come from searches of a poll that find the same. */
const REPEATS_MAX = 2;

/** The pages of a turn. Notices when a platform repeats itself, so that a poll ends although the platform states a next page. */
export class Pages {
  private read = 0;
  private readonly tokens = new Set<string>();
  private contents: string | undefined;
  private repeats = 0;

  /** What follows a page. `poll` is the poll after it. */
  endAfter(turn: Turn, poll: Poll, narrowed: NarrowedPage, outcome: StoreOutcome): PageEnd {
    const { page } = narrowed;
    if (page.nextPage === null || this.isRepeated(page.nextPage)) return "complete";
    if (turn.connector.mode === "search" && this.repeatsAfter(narrowed) >= REPEATS_MAX) return "complete";
    if (outcome.stored === 0 && endsAtKnown(turn, poll, narrowed)) return "complete";
    if (poll.pages >= POLL_PAGES_MAX) return "complete";
    return this.read + 1 >= TURN_PAGES_MAX ? "page_limit" : "continue";
  }

  /** Notes a page that is about to be read. */
  begin(poll: Poll): void {
    this.tokens.add(JSON.stringify(poll.page));
  }

  /** Notes a page that was stored. */
  add(narrowed: NarrowedPage): void {
    this.read += 1;
    this.repeats = this.repeatsAfter(narrowed);
    this.contents = contentsOf(narrowed);
  }

  private isRepeated(token: unknown): boolean {
    return this.tokens.has(JSON.stringify(token));
  }

  /** How many pages in sequence have repeated the one before. */
  private repeatsAfter(narrowed: NarrowedPage): number {
    const contents = contentsOf(narrowed);
    return contents !== undefined && contents === this.contents ? this.repeats + 1 : 0;
  }
}

/** Whether everything after a page without new postings is known, too. */
function endsAtKnown({ connector, search }: Turn, poll: Poll, { drafts }: NarrowedPage): boolean {
  return drafts.length > 0 && connector.newestFirst === true && isUnbroken(search.coverage, poll);
}

/** Undefined for a page without postings, which says nothing about the next one. */
function contentsOf({ page: { postings } }: NarrowedPage): string | undefined {
  if (postings.length === 0) return undefined;
  return JSON.stringify(postings.map(({ socialId, url, postedAt, text }) => socialId ?? url ?? [postedAt, text]));
}
