import type { Page } from "../../platforms/connector.js";
import { type PostingDraft, searchedTextsOf } from "../../platforms/posting-draft.js";
import type { Matcher } from "../../query/matcher.js";

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
