import type { ListPostingsRequest } from "@hourglass/proto/insight/v1/insight_service";
import { PAGE_LIMIT_DEFAULT } from "@hourglass/runtime";
import { type Collections, findInsight } from "../../store/collections.js";
import type { PostingRecord } from "../../store/records.js";
import { type PostingInit, toPosting } from "../messages/posting-message.js";
import { type ListPosition, readCursor, writeCursor } from "./cursor.js";
import { type ListFilter, readFilter } from "./posting-filter.js";

export interface PostingPage {
  postings: PostingInit[];
  /** Empty on the last page. */
  nextCursor: string;
}

/**
 * One page of the postings whose analysis has ended, newest first by time of posting, then id. Throws AppError
 * `not-found`, and `invalid` for a malformed cursor or query.
 */
export type ListPostings = (request: ListPostingsRequest, companyId: number) => Promise<PostingPage>;

/** Postings read at a time, and for one page, where a filter leaves some out. */
const READ_AT_ONCE = 200;
const READ_MAX = 1_000;

const NEWEST_FIRST = [
  ["listedAt", -1],
  ["id", -1],
] as const;

export function createListPostings({ insights, postings }: Pick<Collections, "insights" | "postings">): ListPostings {
  return async ({ id, limit = PAGE_LIMIT_DEFAULT, cursor, filter }, companyId) => {
    const insight = await findInsight(insights, Number(id), companyId);
    const from = cursor === "" ? undefined : readCursor(insight.id, cursor);
    const page = await readPage(postings, { insightId: insight.id, from, limit, filter: readFilter(filter) });
    const next = page.next === undefined ? "" : writeCursor(page.next);
    return { postings: page.records.map((record) => toPosting(record, insight)), nextCursor: next };
  };
}

interface PageRequest {
  insightId: number;
  from: ListPosition | undefined;
  limit: number;
  filter: ListFilter;
}

interface Page {
  records: PostingRecord[];
  /** The last posting that was read; undefined at the end of the list. */
  next: PostingRecord | undefined;
}

async function readPage(postings: Collections["postings"], request: PageRequest): Promise<Page> {
  const { insightId, from, limit, filter } = request;
  const atOnce = filter.fits === undefined ? limit + 1 : READ_AT_ONCE;
  const records: PostingRecord[] = [];
  let last: PostingRecord | undefined;
  for (let read = 0; read < READ_MAX; read += atOnce) {
    const after = last ?? from;
    const options = { sort: NEWEST_FIRST, limit: atOnce, ...(after && { after }) };
    const found = await postings.find({ insightId, listedAt: filter.range }, options);
    for (const record of found) {
      if (records.length === limit) return { records, next: last };
      if (filter.fits?.(record) ?? true) records.push(record);
      last = record;
    }
    if (found.length < atOnce) return { records, next: undefined };
  }
  return { records, next: last };
}
