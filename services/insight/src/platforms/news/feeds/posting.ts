import { readDate } from "@hourglass/posting/dates";
import type { Json } from "@hourglass/runtime";
import { htmlToText } from "../../html.js";
import type { PostingDraft } from "../../posting-draft.js";
import { digest, identitiesOf, type Identity } from "../identity.js";
import type { Attachment, FeedEntry, FeedText } from "./entry.js";

/** The feed in which entries stand. */
interface Source {
  /** Address of the feed, against which relative URLs are resolved. */
  readonly url: string;
  /** The feed as its readers may see it. */
  readonly name: string;
  readonly language?: string | undefined;
  /** When the entries were read, in milliseconds since the epoch. */
  readonly readAt: number;
}

/** Postings of one page of a feed. */
export interface Postings {
  /** In the order of the feed; each identity stands once. */
  readonly postings: readonly PostingDraft[];
  /** Entries without anything to read. */
  readonly skipped: number;
}

/** What is kept of lists of a feed, so that one entry cannot fill the store. */
const LIST_MAX = 50;
const TAG_CHARACTERS_MAX = 200;
const NAME_CHARACTERS_MAX = 500;
const DESCRIPTION_CHARACTERS_MAX = 2000;
const URL_CHARACTERS_MAX = 2048;
const MEDIA_TYPE = /^(?:image|video|audio)(?:\/|$)/i;
const MEDIA_NAME = /\.(?:jpe?g|png|gif|webp|avif|mp4|m4v|webm|mov|mp3|m4a|ogg|oga|wav|flac)(?:[?#]|$)/i;

/** The entries of a page as postings. Entries without title, text and link are skipped and counted. */
export function toPostings(entries: readonly FeedEntry[], source: Source): Postings {
  const read = entries.map((entry) => readEntry(entry, source)).filter((entry) => entry !== undefined);
  const identities = identitiesOf(read);
  const postings = new Map<string, PostingDraft>();
  for (const [index, entry] of read.entries()) {
    const identity = identities[index]!;
    if (!postings.has(identity.id)) postings.set(identity.id, postingOf(entry, identity, source));
  }
  return { postings: [...postings.values()], skipped: entries.length - read.length };
}

/** An entry with its texts as plain text and its URLs resolved. */
interface ReadEntry {
  readonly entry: FeedEntry;
  readonly guid: string | undefined;
  readonly link: string | undefined;
  readonly title: string;
  readonly summary: string;
  readonly content: string;
  readonly date: string;
  /** Pictures within its texts. */
  readonly images: readonly string[];
  /** What its pictures and other files show, in words. */
  readonly descriptions: readonly string[];
}

function readEntry(entry: FeedEntry, source: Source): ReadEntry | undefined {
  const link = urlOf(entry.link, source.url);
  const title = textOf(entry.title, source).text.replaceAll(/\s+/g, " ");
  const summary = textOf(entry.summary, source);
  const content = textOf(entry.content, source);
  const texts = { title, summary: summary.text, content: content.text };
  const isEmpty = Object.values(texts).every((text) => text === "");
  if (isEmpty && link === undefined) return undefined;
  const date = entry.dates.find((stated) => stated !== undefined && readDate(stated) !== undefined) ?? "";
  const images = [...content.images, ...summary.images];
  const stated = entry.descriptions.map((description) => textOf(description, source).text);
  const descriptions = distinct([...stated, ...content.descriptions, ...summary.descriptions]);
  return { entry, guid: entry.guid, link, ...texts, date, images, descriptions };
}

interface ReadText {
  readonly text: string;
  readonly images: readonly string[];
  readonly descriptions: readonly string[];
}

/** Addresses of pictures are resolved here, because each text may have its own base. */
function textOf(given: FeedText | undefined, source: Source): ReadText {
  if (given === undefined) return { text: "", images: [], descriptions: [] };
  if (!given.isHtml) return { text: given.value.trim(), images: [], descriptions: [] };
  const { text, images, descriptions } = htmlToText(given.value);
  return { text: withoutFooter(text), images: urlsOf(images, given.base ?? source.url), descriptions };
}

/** A paragraph that WordPress adds to what its feeds hold of an article. */
const FOOTER = /^The post .{1,500} (?:first )?appeared (?:first )?on .{1,200}\.$/;

function withoutFooter(text: string): string {
  const last = text.lastIndexOf("\n");
  return last !== -1 && FOOTER.test(text.slice(last + 1)) ? text.slice(0, last).trimEnd() : text;
}

/** Without empty ones and repetitions in another letter case. */
function distinct(texts: readonly string[]): string[] {
  const found = new Map<string, string>();
  for (const text of texts.map((given) => given.trim())) {
    const key = text.toLowerCase();
    if (text !== "" && !found.has(key)) found.set(key, text);
  }
  return [...found.values()];
}

function postingOf(read: ReadEntry, identity: Identity, source: Source): PostingDraft {
  const { entry, link } = read;
  const postedAt = readDate(read.date);
  const media = mediaOf(read, source);
  const texts = textsOf(read);
  const names = namesOf(entry);
  // A description that is shown for want of another text stands there.
  const descriptions = read.descriptions.filter((description) => texts.text?.includes(description) !== true);
  return {
    socialId: identity.id,
    ...(identity.isGlobal ? {} : { socialIdScope: hostOf(source.url) }),
    ...(link === undefined ? {} : { url: link }),
    postedAt: postedAt ?? source.readAt,
    ...texts,
    ...languageOf(entry.language ?? source.language),
    type: "article",
    ...tagsOf(entry),
    ...placeOf(entry),
    author: {
      username: hostOf(link ?? source.url),
      type: "publisher",
      ...(names[0] !== undefined && { name: names[0] }),
    },
    ...countsOf(entry),
    ...(media.urls.length === 0 ? {} : { media: media.urls }),
    moreInfo: {
      feed: source.name,
      ...(postedAt === undefined ? { date: "first_seen" } : {}),
      ...(names.length > 1 && { authors: names }),
      ...media.moreInfo,
      ...(descriptions.length > 0 && { media_descriptions: descriptionsKept(descriptions) }),
      ...(entry.isDemo === true ? { demo: true } : {}),
    },
  };
}

/** Of the body of an article and its summary, the longer one is kept and analyzed; the other is matched. */
function textsOf({ title, summary, content }: ReadEntry): Pick<PostingDraft, "text" | "matchText"> {
  const [body, other] = content.length > summary.length ? [content, summary] : [summary, content];
  const text = [title, body === title ? "" : body].filter((part) => part !== "").join("\n\n");
  return {
    ...(text === "" ? {} : { text }),
    ...(other === "" || body.includes(other) ? {} : { matchText: other }),
  };
}

function descriptionsKept(descriptions: readonly string[]): string[] {
  return descriptions.slice(0, LIST_MAX).map((description) => description.slice(0, DESCRIPTION_CHARACTERS_MAX));
}

/** The primary subtag of a language tag such as `en-GB`. */
function languageOf(tag: string | undefined): Pick<PostingDraft, "language"> {
  const language = /^([a-z]{2,3})(?:[-_]|$)/i.exec(tag?.trim() ?? "")?.[1]?.toLowerCase();
  return language === undefined ? {} : { language };
}

function tagsOf(entry: FeedEntry): Pick<PostingDraft, "tags"> {
  const tags = entry.tags.flatMap((tag) => tag?.trim().slice(0, TAG_CHARACTERS_MAX) ?? []).filter((tag) => tag !== "");
  return tags.length === 0 ? {} : { tags: [...new Set(tags)].slice(0, LIST_MAX) };
}

function namesOf({ authors }: FeedEntry): string[] {
  const names = distinct(authors.flatMap((author) => author?.slice(0, NAME_CHARACTERS_MAX) ?? []));
  return names.slice(0, LIST_MAX);
}

function placeOf({ point }: FeedEntry): Pick<PostingDraft, "place"> {
  const { lat, lng } = point ?? {};
  if (lat === undefined || lng === undefined) return {};
  const isOnEarth = Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  return isOnEarth ? { place: { geo: `${lng},${lat}` } } : {};
}

function countsOf({ commentCount }: FeedEntry): Pick<PostingDraft, "counts"> {
  return Number.isSafeInteger(commentCount) ? { counts: { comment_count: commentCount! } } : {};
}

interface Media {
  readonly urls: string[];
  readonly moreInfo: Record<string, Json>;
}

/** Pictures within the texts count only if the feed names no files, because they are often logos and buttons. */
function mediaOf({ entry, images: inTexts }: ReadEntry, { url }: Source): Media {
  const enclosures = entry.enclosures.flatMap((file) => resolved(file, url)).slice(0, LIST_MAX);
  const stated = urlsOf(entry.images, url);
  const files = enclosures.filter(isMedia).map((file) => file.url);
  const pictures = stated.length === 0 && files.length === 0 ? inTexts : stated;
  const allPictures = [...new Set([...stated, ...inTexts])].slice(0, LIST_MAX);
  return {
    urls: [...new Set([...files, ...pictures])].slice(0, LIST_MAX),
    moreInfo: {
      ...(enclosures.length === 0 ? {} : { enclosures: enclosures.map(enclosureJson) }),
      ...(allPictures.length === 0 ? {} : { images: allPictures }),
    },
  };
}

function resolved(file: Attachment, base: string): Attachment[] {
  const url = urlOf(file.url, base);
  return url === undefined ? [] : [{ ...file, url }];
}

function isMedia({ url, type }: Attachment): boolean {
  return type === undefined ? MEDIA_NAME.test(url) : MEDIA_TYPE.test(type);
}

function enclosureJson({ url, type, length }: Attachment): Json {
  return {
    url,
    ...(type === undefined ? {} : { type: type.slice(0, TAG_CHARACTERS_MAX) }),
    ...(length !== undefined && Number.isSafeInteger(length) ? { length } : {}),
  };
}

function urlsOf(texts: readonly (string | undefined)[], base: string): string[] {
  return texts.slice(0, LIST_MAX).flatMap((text) => urlOf(text, base) ?? []);
}

/** An absolute URL of the web. */
function urlOf(text: string | undefined, base: string): string | undefined {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "" || trimmed.length > URL_CHARACTERS_MAX || !URL.canParse(trimmed, base)) return undefined;
  const url = new URL(trimmed, base);
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  return /^https?:/i.test(trimmed) ? trimmed : url.href;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}

/** A digest of what a reader of the posting sees: it changes when the posting is to be shown again. */
export function contentHash({ postedAt, moreInfo, ...posting }: PostingDraft): string {
  const isDated = moreInfo?.["date"] !== "first_seen";
  return digest(JSON.stringify(posting), isDated ? String(postedAt) : "");
}
