import type { JsonFeed } from "feedsmith";
import { type Feed, type FeedEntry, html, plain } from "./entry.js";

/** A feed in JSON Feed 1.0 or 1.1. */
export function fromJsonFeed(feed: JsonFeed.Feed<string>): Feed {
  const authors = namesOf(feed.authors);
  return {
    language: feed.language,
    wishes: {},
    entries: (feed.items ?? []).map((item) => entryOf(item, authors)),
  };
}

function entryOf(item: JsonFeed.Item<string>, feedAuthors: readonly (string | undefined)[]): FeedEntry {
  return {
    guid: item.id,
    link: item.url ?? item.external_url,
    title: plain(item.title),
    summary: plain(item.summary),
    content: html(item.content_html) ?? plain(item.content_text),
    dates: [item.date_published, item.date_modified],
    tags: item.tags ?? [],
    authors: [...namesOf(item.authors), ...feedAuthors],
    language: item.language,
    enclosures: (item.attachments ?? []).flatMap(({ url, mime_type: type, size_in_bytes: length }) =>
      url === undefined ? [] : [{ url, type, length }],
    ),
    images: [item.image, item.banner_image],
  };
}

function namesOf(authors: readonly JsonFeed.Author[] | undefined): readonly (string | undefined)[] {
  return (authors ?? []).map(({ name }) => name);
}
