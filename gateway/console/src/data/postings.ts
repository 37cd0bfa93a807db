import type { components } from "@hourglass/client";
import type { QueryObserverResult } from "@tanstack/query-core";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { answered, api } from "./api.js";
import { Feed, type PageAnswer } from "./feed.js";
import type { ApiFilter, PostingSort } from "./filters.js";
import { keyOf } from "./posting-view.js";
import { every, outdate, queries, useQuery } from "./queries.js";

type Schemas = components["schemas"];
export type SinglePosting = Schemas["SinglePosting"];
export type Analysis = Schemas["Analysis"];

const POSTINGS = "/api/v2/products/insight/{id}/postings";
/** How often it is asked whether there are new postings. In milliseconds. */
const NEWS_MS = 15_000;
/** So many new ones are counted; more are "50 or more". */
const COUNTED_MAX = 50;

/** Which postings are read, in which order. */
export interface PostingsQuery extends ApiFilter {
  readonly sort?: PostingSort;
  readonly order?: Schemas["SortOrder"];
  readonly start_date?: string;
  readonly end_date?: string;
  readonly start?: string;
  readonly end?: string;
}

/** A feed of these postings, as long as they are shown; `reading` makes a new one. */
export function useFeed(id: number, query: PostingsQuery, reading: number): Feed {
  const asked = JSON.stringify(query);
  const feed = useMemo(
    () =>
      new Feed((cursor, limit, signal) => {
        const params = {
          path: { id },
          query: { ...query, limit, ...(cursor === undefined ? { total: true } : { cursor }) },
        };
        return answered<PageAnswer>(api.GET(POSTINGS, { params, signal }));
      }),
    [id, asked, reading],
  );
  useEffect(() => () => feed.end(), [feed]);
  return feed;
}

/** How many postings have come since a feed was read. */
export interface News {
  readonly count: number;
  readonly isMore: boolean;
}

/** Asks from time to time whether postings have come since the watermark of a feed. */
export function useNews(id: number, query: PostingsQuery, feed: Feed): News {
  const { watermark } = feed;
  const { sort: _sort, order: _order, ...filter } = query;
  const { data } = useQuery<PageAnswer>({
    queryKey: ["new-postings", id, filter, watermark],
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: { ...filter, since: watermark ?? "", limit: COUNTED_MAX } };
      return answered<PageAnswer>(api.GET(POSTINGS, { params, signal }));
    },
    enabled: watermark !== undefined,
    refetchInterval: every(NEWS_MS),
    staleTime: NEWS_MS,
    gcTime: 0,
  });
  const before = useRef<{ readonly watermark: string | undefined; readonly keys: ReadonlySet<string> }>(undefined);
  if (data === undefined) return { count: 0, isMore: false };
  // The first answer has what was analyzed shortly before the watermark: the feed has that already.
  if (before.current?.watermark !== watermark) {
    before.current = { watermark, keys: new Set(data.postings.map(keyOf)) };
  }
  const known = before.current;
  const keys = data.postings.map(keyOf).filter((key) => !known?.keys.has(key) && feed.indexOf(key) === undefined);
  return { count: keys.length, isMore: data.next_cursor !== null && keys.length === data.postings.length };
}

/** One posting, for an address that names one that is not in the list. */
export function usePosting(id: number, key: string | undefined): QueryObserverResult<SinglePosting> {
  return useQuery<SinglePosting>({
    queryKey: ["posting", id, key],
    queryFn: ({ signal }) =>
      answered(api.GET(`${POSTINGS}/{key}`, { params: { path: { id, key: key ?? "" } }, signal })),
    enabled: key !== undefined,
    staleTime: 60_000,
    gcTime: 60_000,
  });
}

/** Why a posting is read as it is: its text is analyzed once more. */
export function useWhy(id: number, key: string, isAsked: boolean): QueryObserverResult<SinglePosting> {
  return useQuery<SinglePosting>({
    queryKey: ["why", id, key],
    queryFn: ({ signal }) =>
      answered(api.GET(`${POSTINGS}/{key}`, { params: { path: { id, key }, query: { explain: true } }, signal })),
    enabled: isAsked,
    // The models are the same as a minute ago.
    staleTime: 600_000,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

/** Which postings are erased: one, or all of an author. */
export type Erased =
  | { readonly platform: Schemas["Platform"]; readonly social_id: string }
  | { readonly platform: Schemas["Platform"]; readonly author_id: string };

/** Erases postings from all insights and exports of the company, for good. Returns how many there were. */
export async function erasePostings(erased: Erased): Promise<number> {
  const { deleted } = await answered(api.DELETE("/api/v2/products/insight/postings", { params: { query: erased } }));
  await outdate(["insight"], ["insights"], ["exports"], ["summary"], ["posting"], ["postings-count"]);
  return deleted;
}

/** How many postings of an author an insight has. */
export async function countOfAuthor(id: number, platform: Schemas["Platform"], author: string): Promise<PageAnswer> {
  const query = { platform: [platform], author: [author], total: true, limit: 1 };
  return queries.query({
    queryKey: ["postings-count", id, query],
    queryFn: ({ signal }) => answered<PageAnswer>(api.GET(POSTINGS, { params: { path: { id }, query }, signal })),
    staleTime: 10_000,
  });
}
