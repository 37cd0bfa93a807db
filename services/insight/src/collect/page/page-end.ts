import { isUnbroken } from "../../coverage.js";
import type { StoreOutcome } from "../../postings/storing/store-postings.js";
import type { Poll } from "../../store/records.js";
import type { NarrowedPage } from "./narrow-page.js";
import { POLL_PAGES_MAX, TURN_PAGES_MAX } from "../pace/policy.js";
import type { Turn } from "../turn/turn.js";

export type PageEnd = "continue" | "page_limit" | "complete";

/** How the pages of a turn ended; `lost`: the claim was lost, and nothing more may be stored. */
export type PagesEnd = Exclude<PageEnd, "continue"> | "interrupted" | "lost";

/** Pages in sequence that repeat the one before; fewer may come from searches of a poll that find the same. */
const REPEATS_MAX = 2;

/** Notices when a platform repeats itself, so that a poll ends although the platform states a next page. */
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

/** Whether everything behind a page without new postings is known, too. */
function endsAtKnown({ connector, search }: Turn, poll: Poll, { drafts }: NarrowedPage): boolean {
  return drafts.length > 0 && connector.newestFirst === true && isUnbroken(search.coverage, poll);
}

/** Undefined for a page without postings, which says nothing about the next one. */
function contentsOf({ page: { postings } }: NarrowedPage): string | undefined {
  if (postings.length === 0) return undefined;
  return JSON.stringify(postings.map(({ socialId, url, postedAt, text }) => socialId ?? url ?? [postedAt, text]));
}
