import { type InsightRecord, newInsight, type PostingDraft } from "@hourglass/insight/postings";

export const COMPANY = 7;
export const PAGES = 12;
/** Postings of a page; each page repeats half of the one before. */
const PAGE_SIZE = 20;
/** Between two postings: they lie in several days. */
const HALF_HOUR_MS = 30 * 60_000;
export const POSTED = (PAGES + 1) * (PAGE_SIZE / 2);
export const IMPORTED = 600;
export const ERASED_AUTHOR = "a3";

export function pageOf(page: number): PostingDraft[] {
  return Array.from({ length: PAGE_SIZE }, (_, index) => draft((page * PAGE_SIZE) / 2 + index));
}

function draft(number: number): PostingDraft {
  const postedAt = number * HALF_HOUR_MS;
  return { socialId: `s${number}`, postedAt, text: `Text ${number}`, author: { id: authorOf(number) } };
}

export function authorOf(number: number): string {
  return `a${number % 10}`;
}

/** More than are removed in one commit. */
const DOOMED_POSTINGS = 600;

export const doomedDrafts = (): PostingDraft[] => Array.from({ length: DOOMED_POSTINGS }, (_, number) => draft(number));

export const INSIGHT: InsightRecord = newInsight({
  id: 1,
  companyId: COMPANY,
  query: {
    keywords: "text",
    platforms: ["twitter", "news"],
    dimensions: ["textual"],
    location: "",
    sneakPeek: false,
    follow: { feeds: [], subreddits: [], pages: [], organisations: [] },
  },
  terms: "text",
  createdAt: 0,
});

/** An insight that is deleted. */
export const DOOMED: InsightRecord = { ...INSIGHT, id: 2 };
