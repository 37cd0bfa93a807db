import { DetectError, MalformedError, parseFeed as parseAnyFormat, ParseError } from "feedsmith";
import { fromAtom } from "./atom.js";
import type { Feed } from "./entry.js";
import { fromJsonFeed } from "./json-feed.js";
import { fromRdf, fromRss } from "./rss.js";

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

/** A document type declaration with its internal subset. Sticky: it is tried at one place only. */
const DOCTYPE = /<!doctype\s[^[<>]*(?:\[[^\]]*\]\s*)?>/iy;
/** The end of the last whole entry. */
const ENTRY_ENDS = ["</item>", "</entry>"];

/**
 * Reads RSS 0.9x, 1.0 and 2.0, Atom, and JSON Feed, at most `entriesMax` entries. Entities of a document type are never
 * expanded and nothing external is read. What is broken is repaired once as far as possible. Throws NoFeedError.
 */
export function parseFeed(document: string, entriesMax: number): Feed {
  const text = withoutDoctype(document.replace(/^[\s\ufeff\0]+/, ""));
  try {
    return parse(text, entriesMax);
  } catch (error) {
    if (!(error instanceof MalformedError)) throw noFeed(text, error);
  }
  try {
    return parse(repaired(text), entriesMax);
  } catch (error) {
    throw noFeed(text, error);
  }
}

function parse(text: string, maxItems: number): Feed {
  const parsed = parseAnyFormat(text, { maxItems });
  switch (parsed.format) {
    case "rss":
      return fromRss(parsed.feed);
    case "rdf":
      return fromRdf(parsed.feed);
    case "atom":
      return fromAtom(parsed.feed);
    case "json":
      return fromJsonFeed(parsed.feed);
  }
}

function noFeed(text: string, error: unknown): NoFeedError {
  if (text === "") return new NoFeedError("empty", error);
  if (/^(?:<\?xml[^>]*>\s*)?(?:<!doctype html|<html)/i.test(text)) return new NoFeedError("html", error);
  const isRecognised = error instanceof MalformedError || error instanceof ParseError;
  return new NoFeedError(isRecognised || !(error instanceof DetectError) ? "broken" : "unknown", error);
}

/** The declaration's entities would not be expanded anyway, but the parser refuses documents for some of them. */
function withoutDoctype(text: string): string {
  const start = text.search(/<!doctype\s(?!html)|<[a-z]/i);
  DOCTYPE.lastIndex = Math.max(start, 0);
  const declaration = DOCTYPE.exec(text)?.[0];
  return declaration === undefined ? text : text.slice(0, start) + text.slice(start + declaration.length);
}

/** The document up to the end of its last whole entry, with every `<` escaped that begins no markup. */
function repaired(text: string): string {
  const end = Math.max(...ENTRY_ENDS.map((tag) => text.lastIndexOf(tag) + tag.length));
  const whole = end > Math.max(...ENTRY_ENDS.map((tag) => tag.length)) ? text.slice(0, end) : text;
  return outsideCdata(whole, (markup) => markup.replaceAll(/<(?![a-z_/!?])/gi, "&lt;"));
}

function outsideCdata(text: string, change: (markup: string) => string): string {
  const [first = "", ...sections] = text.split("<![CDATA[");
  const changed = sections.map((section) => {
    const end = section.indexOf("]]>");
    return end === -1 ? `${section}]]>` : section.slice(0, end) + change(section.slice(end));
  });
  return [change(first), ...changed].join("<![CDATA[");
}
