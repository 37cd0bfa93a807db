import type { RdfFeed, RssFeed, SyNs } from "feedsmith";
import { type Attachment, type Feed, type FeedEntry, type FeedWishes, html } from "./entry.js";
import { readCategories } from "./categories.js";
import { mediaOf } from "./media-of.js";

type RssItem = RssFeed.Item<string>;

/** A feed in RSS 0.9x or 2.0. */
export function fromRss(feed: RssFeed.Feed<string>): Feed {
  return {
    language: feed.language ?? languageOf(feed),
    wishes: {
      ...wishesOf(feed.sy),
      ttlMinutes: feed.ttl,
      skipHours: feed.skipHours,
      skipDays: feed.skipDays,
    },
    entries: (feed.items ?? []).map(entryOfRss),
  };
}

/** A feed in RSS 0.90 or 1.0. */
export function fromRdf(feed: RdfFeed.Feed<string>): Feed {
  return {
    language: languageOf(feed),
    wishes: wishesOf(feed.sy),
    entries: (feed.items ?? []).map(entryOfRdf),
  };
}

function entryOfRss(item: RssItem): FeedEntry {
  const { files, images } = mediaOf(item.media);
  return {
    ...textsOf(item),
    ...originOf(item),
    ...labelsOf(item),
    language: languageOf(item),
    point: item.georss?.point ?? { lat: item.geo?.lat, lng: item.geo?.long },
    enclosures: [...(item.enclosures ?? []).flatMap(attachmentOf), ...files],
    images: [...images, item.itunes?.image],
  };
}

/** Elements of Atom are used where the item has none of its own. */
function originOf({ guid, link, pubDate, atom, ...item }: RssItem): Pick<FeedEntry, "guid" | "link" | "dates"> {
  return {
    guid: guid?.value ?? atom?.id,
    link: link ?? atom?.links?.[0]?.href ?? permanentLinkOf(guid),
    dates: [pubDate, atom?.published, ...datesOf(item), atom?.updated],
  };
}

function labelsOf({ dc, ...item }: RssItem): Pick<FeedEntry, "tags" | "isDemo" | "authors" | "commentCount"> {
  const { names, isDemo } = readCategories(item.categories ?? [], ({ domain, name }) => [domain, name]);
  return {
    tags: [...names, ...(dc?.subjects ?? []), ...(item.media?.keywords ?? [])],
    isDemo,
    authors: [...namesOf(item.authors), ...(dc?.creators ?? []), item.itunes?.author],
    commentCount: item.slash?.comments ?? item.thr?.total,
  };
}

function entryOfRdf(item: RdfFeed.Item<string>): FeedEntry {
  const { files, images } = mediaOf(item.media);
  return {
    ...textsOf(item),
    guid: item.rdf?.about,
    link: item.link ?? item.rdf?.about,
    dates: datesOf(item),
    tags: item.dc?.subjects ?? [],
    authors: item.dc?.creators ?? [],
    language: languageOf(item),
    commentCount: item.slash?.comments,
    point: item.georss?.point,
    enclosures: files,
    images,
  };
}

function permanentLinkOf(guid: RssFeed.Guid | undefined): string | undefined {
  if (guid?.value === undefined || guid.isPermaLink === false) return undefined;
  return /^https?:/i.test(guid.value) ? guid.value : undefined;
}

function attachmentOf({ url, type, length }: RssFeed.Enclosure): Attachment[] {
  return url === undefined ? [] : [{ url, type, length }];
}

function namesOf(named: readonly { readonly name?: string }[] | undefined): readonly (string | undefined)[] {
  return (named ?? []).map(({ name }) => name);
}

/** Of an item or a feed. */
function languageOf({ xml, dc }: Pick<RssItem, "xml" | "dc">): string | undefined {
  return xml?.lang ?? dc?.languages?.[0];
}

type Texts = Pick<FeedEntry, "title" | "summary" | "content">;

function textsOf({ title, description, content, dc }: TextFields): Texts {
  return {
    title: html(title ?? dc?.titles?.[0]),
    summary: html(description ?? dc?.descriptions?.[0]),
    content: html(content?.encoded),
  };
}

type TextFields = Pick<RssItem, "title" | "description" | "content" | "dc">;

function datesOf({ dc, dcterms }: Pick<RssItem, "dc" | "dcterms">): readonly (string | undefined)[] {
  return [dc?.dates?.[0], dcterms?.issued?.[0], dcterms?.created?.[0], dcterms?.modified?.[0]];
}

function wishesOf(sy: SyNs.Feed<string> | undefined): FeedWishes {
  return { updatePeriod: sy?.updatePeriod, updateFrequency: sy?.updateFrequency };
}
