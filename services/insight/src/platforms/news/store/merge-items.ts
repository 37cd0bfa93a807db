import type { PostingDraft } from "../../posting-draft.js";
import { contentHash } from "../posting/to-posting.js";
import type { FeedItem } from "./feed-record.js";

export interface Merge {
  readonly feed: string;
  /** Number of the feed's last item. */
  readonly seq: number;
  /** Ids of the items, one for each posting. */
  readonly ids: readonly string[];
  /** In the order of the document, which states the newest first. */
  readonly postings: readonly PostingDraft[];
  /** Items that are stored already, by id. */
  readonly known: ReadonlyMap<string, FeedItem>;
  readonly now: number;
}

/**
 * The items that are new or changed, numbered. What has no time of its own keeps the time of first sight, and an item
 * whose id is written in another way keeps the id of first sight: it is the same posting.
 */
export function mergeItems({ feed, seq, ids, postings, known, now }: Merge): FeedItem[] {
  const changed: FeedItem[] = [];
  for (const [index, stated] of [...postings.entries()].reverse()) {
    const id = ids[index]!;
    const before = known.get(id);
    const posting = before === undefined ? stated : { ...stated, ...identityOf(before.posting) };
    const hash = contentHash(posting);
    if (before?.hash === hash) continue;
    changed.push({
      id,
      feed,
      seq: seq + changed.length + 1,
      seenAt: before?.seenAt ?? now,
      hash,
      posting: isDated(posting) || before === undefined ? posting : { ...posting, postedAt: before.posting.postedAt },
    });
  }
  return changed;
}

function identityOf({ socialId, socialIdScope }: PostingDraft): Partial<PostingDraft> {
  return {
    ...(socialId === undefined ? {} : { socialId }),
    ...(socialIdScope === undefined ? {} : { socialIdScope }),
  };
}

function isDated({ moreInfo }: PostingDraft): boolean {
  return moreInfo?.["date"] !== "first_seen";
}
