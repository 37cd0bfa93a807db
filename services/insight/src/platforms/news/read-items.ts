import type { PostingDraft } from "../posting-draft.js";
import type { Position } from "./cursor.js";
import type { FeedItem } from "./store/feed-record.js";
import type { FeedStore } from "./store/feed-store.js";

/** Items of one page, from all feeds. */
export interface ItemPage {
  readonly postings: readonly PostingDraft[];
  readonly position: Position;
  /** Whether there is more to read. */
  readonly isLast: boolean;
}

/** Reads on from a position: at most `limit` items, feed after feed. Items older than the search wants are passed over. */
export async function readItems(
  feeds: FeedStore,
  ids: readonly string[],
  { from, limit }: { from: Position; limit: number },
): Promise<ItemPage> {
  const read: Record<string, number> = { ...from.read };
  const postings: PostingDraft[] = [];
  let left = limit;
  for (const id of ids) {
    const items = await feeds.itemsAfter(id, read[id] ?? 0, left);
    postings.push(...wantedOf(items, from.since));
    read[id] = items.at(-1)?.seq ?? read[id] ?? 0;
    left -= items.length;
    if (left === 0) return { postings, position: { ...from, read }, isLast: false };
  }
  // A feed that is not followed any more is forgotten, and read from its beginning if it is followed again.
  const followed = Object.fromEntries(ids.map((id) => [id, read[id] ?? 0]));
  return { postings, position: { ...from, read: followed }, isLast: true };
}

/** The newest postings of all feeds, by time of posting. */
export async function readNewest(
  feeds: FeedStore,
  ids: readonly string[],
  { since, limit }: { since: number; limit: number },
): Promise<PostingDraft[]> {
  const lists = await Promise.all(ids.map((id) => feeds.newestItems(id, limit)));
  const postings = wantedOf(lists.flat(), since);
  return postings.sort((a, b) => b.postedAt - a.postedAt).slice(0, limit);
}

function wantedOf(items: readonly FeedItem[], since: number): PostingDraft[] {
  return items.map(({ posting }) => posting).filter(({ postedAt }) => postedAt >= since);
}
