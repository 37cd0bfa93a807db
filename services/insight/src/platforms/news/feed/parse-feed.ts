import type { Feed } from "./entry.js";
import { readJsonFeed } from "./json-feed.js";
import { fromXml } from "./xml-feed.js";
import { type ReadXmlOptions, readXml } from "./xml.js";

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
