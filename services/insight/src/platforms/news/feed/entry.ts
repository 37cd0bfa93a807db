import type { FeedText } from "./feed-text.js";

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
  /** Names of authors, most reliable first. */
  readonly authors: readonly (string | undefined)[];
  readonly language?: string | undefined;
  readonly commentCount?: number | undefined;
  readonly point?: { readonly lat?: number | undefined; readonly lng?: number | undefined } | undefined;
  readonly enclosures: readonly Attachment[];
  readonly images: readonly (string | undefined)[];
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
