import type { AtomFeed } from "feedsmith";
import type { Attachment, Feed, FeedEntry, FeedText } from "./entry.js";
import { readCategories } from "./categories.js";
import { mediaOf } from "./media-of.js";

/** A feed in Atom 0.3 or 1.0. */
export function fromAtom(feed: AtomFeed.Feed<string>): Feed {
  const authors = namesOf(feed.authors);
  return {
    language: feed.xml?.lang ?? feed.dc?.languages?.[0],
    wishes: { updatePeriod: feed.sy?.updatePeriod, updateFrequency: feed.sy?.updateFrequency },
    entries: (feed.entries ?? []).map((entry) => entryOf(entry, authors)),
  };
}

function entryOf(entry: AtomFeed.Entry<string>, feedAuthors: readonly (string | undefined)[]): FeedEntry {
  const { files, images } = mediaOf(entry.media);
  return {
    guid: entry.id,
    link: linkOf(entry),
    title: textOf(entry.title),
    summary: textOf(entry.summary ?? entry.media?.description),
    content: textOf(entry.content),
    dates: [entry.published, entry.updated, entry.dc?.dates?.[0]],
    ...tagsOf(entry),
    authors: [...namesOf(entry.authors), ...(entry.dc?.creators ?? []), ...feedAuthors],
    language: languageOf(entry),
    commentCount: entry.slash?.comments ?? entry.thr?.total,
    point: pointOf(entry),
    enclosures: [...(entry.links ?? []).flatMap(enclosureOf), ...files],
    images,
  };
}

function linkOf({ links = [] }: AtomFeed.Entry<string>): string | undefined {
  const page = links.find(({ rel }) => rel === undefined || rel === "alternate");
  return (page ?? links[0])?.href;
}

function tagsOf({ categories = [], dc }: AtomFeed.Entry<string>): Pick<FeedEntry, "tags" | "isDemo"> {
  const { names, isDemo } = readCategories(categories, ({ scheme, term, label }) => [scheme, label ?? term]);
  return { tags: [...names, ...(dc?.subjects ?? [])], isDemo };
}

function pointOf({ georss, geo }: AtomFeed.Entry<string>): FeedEntry["point"] {
  return georss?.point ?? { lat: geo?.lat, lng: geo?.long };
}

function languageOf({ xml, content, dc }: AtomFeed.Entry<string>): string | undefined {
  return xml?.lang ?? content?.xml?.lang ?? dc?.languages?.[0];
}

/** A text without type is plain. */
function textOf(text: { value?: string | undefined; type?: string | undefined } | undefined): FeedText | undefined {
  if (text?.value === undefined) return undefined;
  return { value: text.value, isHtml: /html|xml/i.test(text.type ?? "") };
}

function enclosureOf({ rel, href, type, length }: AtomFeed.Link<string>): Attachment[] {
  return rel === "enclosure" && href !== undefined ? [{ url: href, type, length }] : [];
}

function namesOf(people: readonly AtomFeed.Person[] | undefined): readonly (string | undefined)[] {
  return (people ?? []).map(({ name }) => name);
}
