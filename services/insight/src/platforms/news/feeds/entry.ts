import { decodeHTMLStrict } from "entities";

/** A file that an entry links to. */
export interface Attachment {
  readonly url: string;
  /** MIME type, or a medium such as `image`. */
  readonly type?: string | undefined;
  /** Bytes. */
  readonly length?: number | undefined;
}

/** One entry of a feed in the form common to all formats: as the feed states it, not yet cleaned. URLs are absolute, or relative to the address of the feed. */
export interface FeedEntry {
  /** `guid` or `id`. */
  readonly guid?: string | undefined;
  readonly link?: string | undefined;
  readonly title?: FeedText | undefined;
  readonly summary?: FeedText | undefined;
  readonly content?: FeedText | undefined;
  /** Statements of the time of posting, most reliable first. */
  readonly dates: readonly (string | undefined)[];
  readonly tags: readonly (string | undefined)[];
  /** Whether the feed says that the entry is invented. */
  readonly isDemo?: boolean;
  /** Names of its authors, most reliable first; those of the feed if it has none. One author may stand repeatedly. */
  readonly authors: readonly (string | undefined)[];
  readonly language?: string | undefined;
  readonly commentCount?: number | undefined;
  readonly point?: { readonly lat?: number | undefined; readonly lng?: number | undefined } | undefined;
  readonly enclosures: readonly Attachment[];
  readonly images: readonly (string | undefined)[];
  /** What its files show, in words. */
  readonly descriptions: readonly FeedText[];
}

/** What a feed asks of its readers. */
export interface FeedWishes {
  /** Minutes between two requests. */
  readonly ttlMinutes?: number | undefined;
  /** Such as `hourly`. */
  readonly updatePeriod?: string | undefined;
  /** Updates per period. */
  readonly updateFrequency?: number | undefined;
  /** Hours of the day in UTC in which there is nothing new. */
  readonly skipHours?: readonly number[] | undefined;
  /** English names of days in which there is nothing new. */
  readonly skipDays?: readonly string[] | undefined;
}

/** A feed in the form common to all formats. */
export interface Feed {
  readonly language?: string | undefined;
  readonly wishes: FeedWishes;
  readonly entries: readonly FeedEntry[];
  /** Whether the document breaks off: the entry in which it does is left out, and comes whole with the next answer. */
  readonly isTruncated: boolean;
}

/** A text of a feed and whether it is HTML. */
export interface FeedText {
  readonly value: string;
  readonly isHtml: boolean;
  /** Address against which its references are resolved, if not that of the feed. */
  readonly base?: string | undefined;
}

/** A text that may hold markup. */
export function html(value: string | undefined, base?: string): FeedText | undefined {
  return value === undefined ? undefined : { value, isHtml: true, base };
}

/** A text without markup. */
export function plain(value: string | undefined): FeedText | undefined {
  return value === undefined ? undefined : { value, isHtml: false };
}

const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)>/gi;
/** Elements that are found in texts which should be plain. Names of others, such as `<main>`, are what the text is about. */
const PAIRED = new Set(
  (
    "a abbr acronym b bdi bdo big blockquote center cite code del dfn div em font h1 h2 h3 h4 h5 h6 i ins kbd li mark " +
    "nobr ol p pre q s samp small span strike strong sub sup time tt u ul var"
  ).split(" "),
);
const VOID = new Set(["br", "hr", "img", "wbr"]);

/**
 * A text that its format calls plain and that publishers fill with HTML anyway, such as a title of RSS. It is
 * read as HTML if all its tags are: of elements that mark up text, with a beginning and an end. Otherwise it is plain
 * but for its entities, which are escaped twice more often than written about.
 */
export function plainByFormat(value: string | undefined, base?: string): FeedText | undefined {
  if (value === undefined) return undefined;
  return isMarkedUp(value) ? html(value, base) : plain(decodeHTMLStrict(value));
}

function isMarkedUp(text: string): boolean {
  const open: string[] = [];
  let tags = 0;
  for (const { 0: tag, 1: slash, 2: name = "", 3: attributes = "", index } of text.matchAll(TAG)) {
    const element = name.toLowerCase();
    tags++;
    if (VOID.has(element)) {
      const isNamed =
        attributes === "" && /\s$/.test(text.slice(0, index)) && /^\s/.test(text.slice(index + tag.length));
      if (isNamed) return false;
    } else if (!PAIRED.has(element)) return false;
    else if (slash === "") open.push(element);
    else if (open.pop() !== element) return false;
  }
  return tags > 0 && open.length === 0;
}

/** These texts, unless all of them are empty: then the others. */
export function filledOr(
  texts: readonly (string | undefined)[],
  others: readonly (string | undefined)[],
): readonly (string | undefined)[] {
  return texts.some((text) => text !== undefined && text.trim() !== "") ? texts : others;
}
