import { HOUR } from "./news-world.js";

/** An entry of a generated feed. */
export interface RssItem {
  readonly guid?: string;
  readonly link?: string;
  readonly title?: string;
  readonly description?: string;
  readonly pubDate?: string;
  /** Elements as they stand in the document. */
  readonly extra?: string;
}

/** An RSS 2.0 document; texts must be escaped by the caller. `channel` is put before the items. */
export function rss(items: readonly RssItem[], channel = ""): string {
  const namespaces = [
    'xmlns:dc="http://purl.org/dc/elements/1.1/"',
    'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
    'xmlns:media="http://search.yahoo.com/mrss/"',
    'xmlns:slash="http://purl.org/rss/1.0/modules/slash/"',
    'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"',
    'xmlns:georss="http://www.georss.org/georss"',
  ].join(" ");
  const body = items.map(itemElement).join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" ${namespaces}><channel><title>Harbour News</title><link>https://news.example.org/</link>
<description>From the harbour</description>${channel}
${body}
</channel></rss>`;
}

function itemElement({ extra = "", ...fields }: RssItem): string {
  const elements = Object.entries<string>(fields).map(([name, value]) => `<${name}>${value}</${name}>`);
  return `<item>${elements.join("")}${extra}</item>`;
}

/** `count` items with ids, links and times, the newest first. */
export function numberedItems(count: number, newestAt: number): RssItem[] {
  return Array.from({ length: count }, (_, index) => {
    const number = count - index;
    return {
      guid: `https://news.example.org/${number}`,
      link: `https://news.example.org/${number}`,
      title: `Ship ${number} has arrived`,
      pubDate: new Date(newestAt - index * 60_000).toUTCString(),
    };
  });
}

const BEGIN = Date.UTC(2026, 10, 22, 12);

/** An item about the ship of that number; each is a second newer than the one before. */
export const item = (number: number, values: RssItem = {}): RssItem => ({
  guid: `https://news.example.org/${number}`,
  title: `Ship ${number}`,
  pubDate: new Date(BEGIN - HOUR + number * 1000).toUTCString(),
  ...values,
});

/** A feed with the items of these numbers. */
export const feedOf = (...numbers: number[]): string => rss(numbers.map((number) => item(number)));
