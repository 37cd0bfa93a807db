import type { components } from "@hourglass/client";
import { fold } from "@hourglass/runtime/text";
import { UNSURE_BELOW } from "./hourglass.js";
import { httpUrl } from "./links.js";

export type Posting = components["schemas"]["Posting"];

/** What a card shows of a text, and of a name. In UTF-16 units. */
const EXCERPT_MAX = 400;
const NAME_MAX = 80;
/** A longer first paragraph is no title. */
const TITLE_MAX = 400;

/** A label with its probability, where that is known. */
export interface Label {
  readonly value: string;
  readonly prob: number | undefined;
  readonly isUnsure: boolean;
}

/** What a card shows of a posting: little enough to keep of thousands. */
export interface PostingView {
  readonly key: string;
  readonly platform: string;
  readonly at: number | undefined;
  readonly author: string | undefined;
  readonly title: string | undefined;
  readonly excerpt: string;
  readonly polarity: Label | undefined;
  readonly emotion: Label | undefined;
  readonly intention: Label | undefined;
  readonly isSpam: boolean;
  readonly topic: string | undefined;
  readonly counts: readonly ShownCount[];
  readonly url: string | undefined;
}

export type CountName = "likes" | "reactions" | "comments" | "shares" | "views";
export interface ShownCount {
  readonly name: CountName;
  /** As digits: it may be larger than a number can be. */
  readonly value: string;
}

/** What a card shows of a posting. */
export function viewOf(posting: Posting): PostingView {
  const { title, text } = partsOf(posting.text_of_post ?? "");
  return {
    key: keyOf(posting),
    platform: posting.platform,
    at: postedAt(posting),
    author: authorOf(posting),
    title: title === "" ? undefined : cut(title, EXCERPT_MAX),
    excerpt: cut(text, EXCERPT_MAX),
    ...labelsOf(posting),
    topic: posting.topic_1 === null ? undefined : inLine(posting.topic_1, NAME_MAX),
    counts: countsOf(posting).slice(0, 2),
    url: httpUrl(posting.social_url),
  };
}

/** Names the posting within its insight. */
export function keyOf({ more_info: info, platform, social_id: id }: Posting): string {
  const key = info?.["key"];
  return typeof key === "string" ? key : `${platform}-${id ?? ""}`;
}

/** When it was posted, in milliseconds since 1970; undefined if the date cannot be read. */
export function postedAt({
  post_date: date,
  post_time: time,
}: Pick<Posting, "post_date" | "post_time">): number | undefined {
  const [month = 0, day = 0, year = 0] = date.split("/").map(Number);
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  const at = Date.UTC(year, month - 1, day, hours, minutes, seconds);
  return Number.isNaN(at) || year === 0 ? undefined : at;
}

/** What the author is called. */
export function authorOf({ author_name: name, author_username: username, author_id: id }: Posting): string | undefined {
  const known = name ?? username ?? id;
  return known === null ? undefined : inLine(known, NAME_MAX);
}

/** The labels of a posting, as they are stored. */
export function labelsOf(posting: Posting): Pick<PostingView, "polarity" | "emotion" | "intention" | "isSpam"> {
  const { more_info: info, sentiments, intentions } = posting;
  const polarity = judged(info?.["sentiment_simple"]);
  const emotion =
    judged(info?.["emotion"]) ?? (sentiments === null ? undefined : { value: sentiments, prob: undefined });
  const intentionProb = info?.["intention_prob"];
  return {
    polarity: polarity && { ...polarity, isUnsure: false },
    // Without evidence in the words the likeliest emotion is known, but none is stated.
    emotion: emotion && { ...emotion, isUnsure: sentiments === null || (emotion.prob ?? 1) < UNSURE_BELOW },
    intention:
      intentions === null
        ? undefined
        : { value: intentions, prob: typeof intentionProb === "number" ? intentionProb : undefined, isUnsure: false },
    isSpam: judged(info?.["spam"])?.value === "spam",
  };
}

function judged(value: unknown): { readonly value: string; readonly prob: number | undefined } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { value: label, prob } = value as { readonly value?: unknown; readonly prob?: unknown };
  if (typeof label !== "string") return undefined;
  return { value: label, prob: typeof prob === "number" ? prob : undefined };
}

/** A text without a title that it repeats. `from` is where the rest begins; without a repetition, the title stands alone. */
export interface TextParts {
  readonly title: string;
  readonly text: string;
  readonly from: number;
  /** Whether a title was left out because the text repeats it. */
  readonly isFolded: boolean;
}

/** Feeds and forums put the title before a text that often repeats it. */
export function partsOf(whole: string): TextParts {
  const end = whole.slice(0, TITLE_MAX).indexOf("\n\n");
  if (end <= 0) return { title: "", text: whole, from: 0, isFolded: false };
  const title = whole.slice(0, end);
  const from = end + (/^\s+/.exec(whole.slice(end, end + TITLE_MAX))?.[0].length ?? 0);
  const text = whole.slice(from);
  const isFolded = plain(text.slice(0, 2 * TITLE_MAX)).startsWith(plain(title.replace(/(…|\.\.\.)\s*$/, "")));
  return { title: isFolded ? "" : title, text, from, isFolded };
}

function plain(text: string): string {
  return fold(text).replaceAll(/\s+/g, " ").trim();
}

const SHOWN_COUNTS: readonly (readonly [CountName, keyof Posting])[] = [
  ["likes", "like_count"],
  ["reactions", "reaction_total_count"],
  ["comments", "comment_count"],
  ["shares", "share_count"],
  ["views", "view_count"],
];

/** The counts that say most, without those that are zero or not stated; reactions where there are no likes. */
function countsOf(posting: Posting): ShownCount[] {
  const counts = SHOWN_COUNTS.flatMap(([name, field]) => {
    const value = posting[field];
    return typeof value === "string" && value !== "0" ? [{ name, value }] : [];
  });
  return counts.filter(({ name }) => name !== "reactions" || !counts.some((other) => other.name === "likes"));
}

/** The topics of a posting, the strongest first. */
export function topicsOf(posting: Posting): string[] {
  const { topic_1, topic_2, topic_3, topic_4, topic_5, topic_6, topic_7, topic_8 } = posting;
  return [topic_1, topic_2, topic_3, topic_4, topic_5, topic_6, topic_7, topic_8].filter((topic) => topic !== null);
}

/** Signs that turn the direction of what follows: unclosed ones would turn what stands behind a name, too. */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g;

/** A name or another short text of others, to stand within a line. */
export function inLine(text: string, most: number): string {
  return cut(text, most).replaceAll(TURNING, "");
}

/** The beginning of a text that may be very long; no character is cut in two. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.slice(0, most);
  return `${/[\uD800-\uDBFF]$/.test(start) ? start.slice(0, -1) : start}…`;
}
