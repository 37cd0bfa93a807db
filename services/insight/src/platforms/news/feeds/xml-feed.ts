import {
  type Attachment,
  type Feed,
  type FeedEntry,
  type FeedText,
  type FeedWishes,
  filledOr,
  html,
  plain,
  plainByFormat,
} from "./entry.js";
import { markupOf, textOf, type XmlDocument, type XmlElement } from "./xml.js";

/** The domain, or scheme, of a category by which sources of invented postings mark each entry. */
const DEMO_DOMAIN = "urn:hourglass:demo";

/**
 * A feed in RSS 0.9x, 1.0 or 2.0, or Atom 0.3 or 1.0. All are read alike, because feeds mix them: names of Atom have a
 * prefix where the feed is none, and elements that a feed repeats count by the first filled one.
 */
export function fromXml({ root, isTruncated }: XmlDocument, url: string): Feed {
  const isAtom = root.name === "feed";
  const channel = isAtom ? root : (all(root, "channel")[0] ?? root);
  const around: Around = {
    isAtom,
    url,
    site: isAtom ? undefined : siteOf(channel, url),
    authors: isAtom ? all(root, "author").map(nameOf) : [],
  };
  const entries = [...new Set([channel, root])].flatMap((parent) => all(parent, isAtom ? "entry" : "item"));
  return {
    language: first(channel, "language") ?? languageOf(channel) ?? languageOf(root),
    wishes: wishesOf(channel),
    isTruncated,
    entries: entries.map((entry) => entryOf(entry, around)),
  };
}

/** The feed around an entry. */
interface Around {
  readonly isAtom: boolean;
  /** Address of the feed. */
  readonly url: string;
  /** Base of references without `xml:base`, if it is not the address of the feed. */
  readonly site: string | undefined;
  readonly authors: readonly (string | undefined)[];
}

/** RSS does not say what references are relative to. In a feed on another host than its site, it is the site. */
function siteOf(channel: XmlElement, url: string): string | undefined {
  const site = strings(channel, "link").find((text) => /^https?:/i.test(text) && URL.canParse(text));
  return site === undefined || new URL(site).host === new URL(url).host ? undefined : site;
}

function entryOf(entry: XmlElement, around: Around): FeedEntry {
  const links = linksOf(entry, around);
  const link =
    pageOf(links) ?? permanentLinkOf(entry, around) ?? contentLinkOf(entry) ?? resolved(aboutOf(entry), entry.base);
  return {
    guid: guidOf(entry, around) ?? (link === undefined ? first(entry, "dc:identifier") : undefined),
    link,
    ...textsOf(entry, around),
    dates: strings(entry, ...DATES),
    ...tagsOf(entry),
    authors: filledOr(
      [...all(entry, "author", "atom:author").map(nameOf), ...strings(entry, "dc:creator", "itunes:author")],
      around.authors,
    ),
    language: [entry, ...all(entry, "content")].map(languageOf).find((language) => language !== undefined),
    commentCount: numberIn(entry, "slash:comments", "thr:total"),
    point: pointOf(entry),
    ...filesOf(entry, links, around),
  };
}

/** Statements of the time of posting, then of the last change. */
const DATES = [
  ...["pubdate", "published", "atom:published", "issued", "created", "dc:date", "dcterms:issued", "dcterms:created"],
  ...["updated", "atom:updated", "modified", "dcterms:modified"],
];

function guidOf(entry: XmlElement, { isAtom }: Around): string | undefined {
  return isAtom ? first(entry, "id") : (first(entry, "guid", "atom:id", "id") ?? aboutOf(entry));
}

/** The URI of an item in RSS 1.0: `rdf:about`, with whatever prefix. */
function aboutOf({ attributes }: XmlElement): string | undefined {
  return filled([...attributes].find(([name]) => /(?:^|:)about$/.test(name))?.[1]);
}

interface Link extends Attachment {
  readonly relation: string;
}

/** Links of Atom, and of RSS, where the URL is the text of the element. */
function linksOf(entry: XmlElement, around: Around): Link[] {
  return all(entry, "link", "atom:link").flatMap((link) => {
    const { attributes } = link;
    const url = resolved(filled(attributes.get("href")) ?? textOf(link), baseOf(link, around));
    const relation = filled(attributes.get("rel"))?.toLowerCase() ?? "alternate";
    return url === undefined ? [] : [{ url, relation, ...kindOf(attributes, "type", "length") }];
  });
}

/** Relations of a link to the page of its entry, the closest one first. */
const PAGE_RELATIONS = ["alternate", "canonical", "related", "via", "self"];

/** Of several pages the one for people. */
function pageOf(links: readonly Link[]): string | undefined {
  for (const relation of PAGE_RELATIONS) {
    const pages = links.filter((link) => link.relation === relation);
    const page = pages.find(({ type }) => type === undefined || /html/i.test(type)) ?? pages[0];
    if (page !== undefined) return page.url;
  }
  return undefined;
}

/** A guid is a link if the feed says so, or if it looks like one and the feed does not deny it. */
function permanentLinkOf(entry: XmlElement, around: Around): string | undefined {
  const [guid] = all(entry, "guid");
  const isPermanent = guid?.attributes.get("ispermalink")?.trim().toLowerCase();
  if (guid === undefined || isPermanent === "false") return undefined;
  const text = textOf(guid);
  return isPermanent === "true" || /^https?:/i.test(text) ? resolved(text, baseOf(guid, around)) : undefined;
}

/** Where the content of an Atom entry stands that is not in the feed. */
function contentLinkOf(entry: XmlElement): string | undefined {
  return all(entry, "content").flatMap(({ attributes, base }) => resolved(attributes.get("src"), base) ?? [])[0];
}

const TITLES = ["title", "atom:title", "dc:title"];
const SUMMARIES = ["description", "summary", "dc:description", "atom:summary"];
const CONTENTS = ["content:encoded", "content", "atom:content", "xhtml:body", "yandex:full-text"];
/** Of the files of an entry rather than of the entry: they count if it has no others. */
const FILE_TITLES = ["media:title", "itunes:title"];
const FILE_TEXTS = [
  ...["media:description", "itunes:summary", "googleplay:description", "dcterms:abstract", "itunes:subtitle"],
  "media:text",
];

function textsOf(entry: XmlElement, around: Around): Pick<FeedEntry, "title" | "summary" | "content" | "descriptions"> {
  const media = mediaOf(entry);
  const textOfFirst = (
    parents: readonly XmlElement[],
    names: readonly string[],
    isPlain = false,
  ): FeedText | undefined =>
    names
      .flatMap((name) => parents.flatMap((parent) => all(parent, name)))
      .map((element) => feedTextOf(element, isPlain, around))
      .find((text) => text !== undefined);
  const summary = textOfFirst([entry], SUMMARIES);
  const content = textOfFirst([entry], CONTENTS);
  const descriptions = media
    .flatMap((holder) => all(holder, "media:description"))
    .flatMap((element) => feedTextOf(element, true, around) ?? []);
  return {
    descriptions,
    title: textOfFirst([entry], TITLES, true) ?? textOfFirst(media, FILE_TITLES, true),
    summary: summary ?? (content === undefined ? textOfFirst(media, FILE_TEXTS, true) : undefined),
    content,
  };
}

/** Undefined if it is empty or no text. */
function feedTextOf(element: XmlElement, isPlain: boolean, around: Around): FeedText | undefined {
  const base = baseOf(element, around);
  const isOfAtom = element.name.startsWith("atom:") || (around.isAtom && !element.name.includes(":"));
  const mayBeXhtml = isOfAtom || element.name.startsWith("xhtml:");
  if (mayBeXhtml && isMarkup(element)) return html(markupOf(element), base);
  const value = textOf(element);
  if (value === "") return undefined;
  if (isOfAtom) return typedText(value, element, base);
  return isPlain ? plainByFormat(value, base) : html(value, base);
}

/** Elements within a text are markup that is not escaped, as in XHTML. */
function isMarkup({ children, source }: XmlElement): boolean {
  return children.length > 0 && !source.trimStart().startsWith("<![CDATA[");
}

/** A text of Atom: without type it is plain. Other types than of text are files in Base64. */
function typedText(value: string, { attributes }: XmlElement, base: string): FeedText | undefined {
  const type = attributes.get("type")?.trim().toLowerCase() ?? "";
  if (attributes.get("mode") === "base64") return undefined;
  if (/html|xml/.test(type)) return html(value, base);
  return type === "" || /^text(?:\/|$)/.test(type) ? plain(value) : undefined;
}

function tagsOf(entry: XmlElement): Pick<FeedEntry, "tags" | "isDemo"> {
  const categories = all(entry, "category", "atom:category");
  const names = categories.filter((category) => !isDemoMark(category)).map(categoryNameOf);
  const keywords = strings(entry, "media:keywords", "itunes:keywords").flatMap((list) => list.split(","));
  return { tags: [...names, ...strings(entry, "dc:subject"), ...keywords], isDemo: names.length < categories.length };
}

function isDemoMark({ attributes }: XmlElement): boolean {
  return [attributes.get("domain"), attributes.get("scheme")].includes(DEMO_DOMAIN);
}

function categoryNameOf(category: XmlElement): string {
  const { attributes } = category;
  return filled(attributes.get("label")) ?? filled(attributes.get("term")) ?? textOf(category);
}

/** The name of an author. RSS asks for an address, with the name in brackets: `lois@example.org (Lois Lane)`. */
function nameOf(author: XmlElement): string | undefined {
  const stated = author.children.length > 0 ? first(author, "name", "atom:name") : textOf(author);
  if (stated?.includes("@") !== true) return stated;
  const words = stated.replaceAll(/[()<>[\],;]/g, " ").split(/\s+/);
  return words.filter((word) => !word.includes("@")).join(" ");
}

function pointOf(entry: XmlElement): FeedEntry["point"] {
  const place = all(entry, "georss:where").flatMap((where) => all(where, "gml:point"))[0];
  const point = first(entry, "georss:point") ?? (place === undefined ? undefined : first(place, "gml:pos"));
  const [lat, lng] =
    point
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  if (lat !== undefined && lng !== undefined) return { lat, lng };
  const [geo = entry] = all(entry, "geo:point");
  return { lat: numberIn(geo, "geo:lat"), lng: numberIn(geo, "geo:long", "geo:lon") };
}

/** An entry and what it holds of Media RSS, also in groups. */
function mediaOf(entry: XmlElement): XmlElement[] {
  const holders = [entry, ...all(entry, "media:group")];
  return [...holders, ...holders.flatMap((holder) => all(holder, "media:content"))];
}

function filesOf(entry: XmlElement, links: readonly Link[], around: Around): Pick<FeedEntry, "enclosures" | "images"> {
  const media = mediaOf(entry);
  const base = baseOf(entry, around);
  const thumbnails = media.flatMap((holder) => all(holder, "media:thumbnail"));
  const pictures = all(entry, "itunes:image", "googleplay:image");
  const contents = media.filter(({ name }) => name === "media:content");
  return {
    enclosures: [
      ...all(entry, "enclosure").flatMap((file) => fileOf(file, base, "length")),
      ...links.filter(({ relation }) => relation === "enclosure"),
      ...contents.flatMap((file) => fileOf(file, base, "filesize")),
    ],
    images: [
      ...thumbnails.map(({ attributes }) => resolved(attributes.get("url"), base)),
      ...pictures.map((picture) => resolved(filled(picture.attributes.get("href")) ?? textOf(picture), base)),
    ],
  };
}

function fileOf(file: XmlElement, base: string, length: string): Attachment[] {
  const { attributes } = file;
  const url = resolved(filled(attributes.get("url")) ?? textOf(file), base);
  const type = attributes.has("type") ? "type" : "medium";
  return url === undefined ? [] : [{ url, ...kindOf(attributes, type, length) }];
}

function kindOf(attributes: XmlElement["attributes"], type: string, length: string): Omit<Attachment, "url"> {
  return { type: filled(attributes.get(type)), length: numberOf(attributes.get(length)) };
}

function languageOf(element: XmlElement): string | undefined {
  return filled(element.attributes.get("xml:lang")) ?? first(element, "dc:language");
}

function wishesOf(channel: XmlElement): FeedWishes {
  return {
    ttlMinutes: numberIn(channel, "ttl"),
    updatePeriod: first(channel, "sy:updateperiod"),
    updateFrequency: numberIn(channel, "sy:updatefrequency"),
    skipHours: listOf(channel, "skiphours", "hour")?.map(Number).filter(Number.isFinite),
    skipDays: listOf(channel, "skipdays", "day"),
  };
}

function listOf(channel: XmlElement, list: string, item: string): string[] | undefined {
  const items = all(channel, list).flatMap((element) => strings(element, item));
  return items.length === 0 ? undefined : items;
}

function all(parent: XmlElement, ...names: readonly string[]): XmlElement[] {
  return names.flatMap((name) => parent.children.filter((child) => child.name === name));
}

/** Filled texts of the children with these names, in the order of the names. */
function strings(parent: XmlElement, ...names: readonly string[]): string[] {
  return all(parent, ...names).flatMap((element) => filled(textOf(element)) ?? []);
}

function first(parent: XmlElement, ...names: readonly string[]): string | undefined {
  return strings(parent, ...names)[0];
}

function numberIn(parent: XmlElement, ...names: readonly string[]): number | undefined {
  return numberOf(first(parent, ...names));
}

function numberOf(text: string | undefined): number | undefined {
  const number = Number(filled(text));
  return Number.isFinite(number) ? number : undefined;
}

function filled(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === "" ? undefined : trimmed;
}

function baseOf({ base }: XmlElement, { site, url }: Around): string {
  return base === url ? (site ?? base) : base;
}

/** A reference as an absolute URL, as written if it is one. */
function resolved(reference: string | undefined, base: string): string | undefined {
  const text = filled(reference);
  if (text === undefined || /^[a-z][a-z0-9+.-]*:/i.test(text)) return text;
  return URL.canParse(text, base) ? new URL(text, base).href : undefined;
}
