import { decodeDocument } from "./decode.js";
import type { Feed, FeedWishes } from "./entry.js";
import { readJsonFeed } from "./json-feed.js";
import { type Postings, toPostings } from "./posting.js";
import { fromXml } from "./xml-feed.js";
import { readXml, type ReadXmlOptions } from "./xml.js";

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

/** Why a document is no feed. */
export type NoFeedReason = "html" | "empty" | "unknown" | "broken" | "exhausting";

/** The document is no feed that can be read. */
export class NoFeedError extends Error {
  override readonly name = "NoFeedError";

  constructor(
    readonly reason: NoFeedReason,
    cause?: unknown,
  ) {
    super(`The document is no feed: ${reason}.`, { cause });
  }
}

/**
 * Reads RSS 0.9x, 1.0 and 2.0, Atom, and JSON Feed. Entities of a document type are never expanded and nothing external
 * is read. What is broken is read as far as possible; of a document that breaks off, the entries that are whole. Throws
 * NoFeedError.
 */
export function parseFeed(document: string, options: ReadXmlOptions): Feed {
  const text = document.replaceAll("\0", "").replace(/^[\s\ufeff]+/, "");
  if (text === "") throw new NoFeedError("empty");
  if (text.startsWith("{")) {
    const feed = readJsonFeed(text, options.entriesMax);
    if (feed === undefined) throw new NoFeedError("unknown");
    return feed;
  }
  const xml = readXml(text, options);
  if (xml === undefined) throw new NoFeedError(/^(?:<[?!][^>]*>\s*)*<html/i.test(text) ? "html" : "unknown");
  const feed = fromXml(xml, options.url);
  if (feed.isTruncated && feed.entries.length === 0) throw new NoFeedError("broken");
  return feed;
}
