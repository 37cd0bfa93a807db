import { parseLongNumbers } from "@hourglass/runtime/json";
import * as z from "zod";
import { type Feed, type FeedEntry, filledOr, html, plain } from "./entry.js";

/** What cannot be read of a field is as if it were not stated. */
const text = z
  .union([z.string(), z.number()])
  .transform(String)
  .transform((value) => (value.trim() === "" ? undefined : value.trim()))
  .optional()
  .catch(undefined);
const number = z.coerce.number().optional().catch(undefined);
const listOf = <T extends z.ZodType>(item: T) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items) => items.flatMap((given) => item.safeParse(given).data ?? []));
const author = z.union([z.object({ name: text }), text.transform((name) => ({ name }))]);
const item = z.object({
  id: text,
  url: text,
  external_url: text,
  title: text,
  summary: text,
  content_html: text,
  content_text: text,
  date_published: text,
  date_modified: text,
  image: text,
  banner_image: text,
  language: text,
  tags: listOf(text),
  authors: listOf(author),
  author: author.optional().catch(undefined),
  attachments: listOf(z.object({ url: text, mime_type: text, size_in_bytes: number })),
});
const feed = z.object({
  version: text,
  title: text,
  language: text,
  authors: listOf(author),
  author: author.optional().catch(undefined),
  items: z.array(z.unknown()),
});

type Item = z.infer<typeof item>;

/** A feed in JSON Feed 1.0 or 1.1. Undefined if the document is none. */
export function readJsonFeed(document: string, entriesMax: number): Feed | undefined {
  const whole = parsed(document);
  const value = whole ?? parsed(upToLastItem(document));
  const read = feed.safeParse(value).data;
  if (read === undefined || (read.version?.includes("jsonfeed.org/version/") !== true && read.title === undefined)) {
    return undefined;
  }
  const authors = namesOf(read);
  const entries = read.items.slice(0, entriesMax).flatMap((given) => item.safeParse(given).data ?? []);
  return {
    language: read.language,
    wishes: {},
    isTruncated: whole === undefined,
    entries: entries.map((entry) => entryOf(entry, authors)),
  };
}

function entryOf(entry: Item, feedAuthors: readonly (string | undefined)[]): FeedEntry {
  return {
    guid: entry.id,
    link: entry.url ?? entry.external_url,
    title: plain(entry.title),
    summary: plain(entry.summary),
    content: html(entry.content_html) ?? plain(entry.content_text),
    dates: [entry.date_published, entry.date_modified],
    tags: entry.tags,
    authors: filledOr(namesOf(entry), feedAuthors),
    language: entry.language,
    enclosures: entry.attachments.flatMap(({ url, mime_type: type, size_in_bytes: length }) =>
      url === undefined ? [] : [{ url, type, length }],
    ),
    images: [entry.image, entry.banner_image],
    descriptions: [],
  };
}

/** Version 1.0 knows one author. */
function namesOf({ authors, author: single }: Pick<Item, "authors" | "author">): (string | undefined)[] {
  return [...authors, single].map((person) => person?.name);
}

function parsed(document: string): unknown {
  try {
    // Ids are numbers in some feeds, with more digits than a number holds.
    return parseLongNumbers(document);
  } catch {
    return undefined;
  }
}

/** A document that breaks off, ended after the last object that is whole in its own list. */
function upToLastItem(document: string): string {
  let depth = 0;
  let end = 0;
  for (const { 0: token, index } of document.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") {
      depth--;
      if (token === "}" && depth === 2) end = index + 1;
    }
  }
  return `${document.slice(0, end)}]}`;
}
