import { type Postings, toPostings } from "../posting/to-posting.js";
import { decodeDocument } from "../feed/decode.js";
import type { FeedWishes } from "../feed/entry.js";
import { parseFeed } from "../feed/parse-feed.js";

/** The document of a feed as it was fetched. */
export interface FeedDocument {
  readonly bytes: Uint8Array;
  readonly contentType?: string | undefined;
  /** Address that it was fetched from. */
  readonly url: string;
  /** The feed as its readers may see it. */
  readonly name: string;
  /** In milliseconds since the epoch. */
  readonly readAt: number;
}

/** A feed that was read. */
export interface FeedReading extends Postings {
  readonly wishes: FeedWishes;
  /** Whether it has more entries than are read. */
  readonly isCut: boolean;
  /** Whether these are the newest ones, because it states the oldest first. */
  readonly lacksNewest: boolean;
  /** Whether the document breaks off before its end. */
  readonly isTruncated: boolean;
}

/** Entries read of one document, which states the newest first. */
export const ENTRIES_MAX = 1000;

/** Reads a feed from its bytes. Pure: no network, no files. Throws NoFeedError. */
export function readFeed({ bytes, contentType, ...source }: FeedDocument): FeedReading {
  const feed = parseFeed(decodeDocument(bytes, contentType), { url: source.url, entriesMax: ENTRIES_MAX + 1 });
  const { postings, skipped } = toPostings(feed.entries.slice(0, ENTRIES_MAX), { ...source, language: feed.language });
  const isCut = feed.entries.length > ENTRIES_MAX;
  const lacksNewest = isCut && statesOldestFirst(postings);
  return { wishes: stated(feed.wishes), postings, skipped, isCut, lacksNewest, isTruncated: feed.isTruncated };
}

function statesOldestFirst(postings: Postings["postings"]): boolean {
  const [first, last] = [postings[0], postings.at(-1)];
  return first !== undefined && last !== undefined && first.postedAt < last.postedAt;
}

/** Only what the feed states, because a store may keep an undefined field as null. */
function stated(wishes: FeedWishes): FeedWishes {
  return Object.fromEntries(Object.entries(wishes).filter(([, wish]) => wish !== undefined));
}
