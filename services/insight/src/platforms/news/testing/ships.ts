import { rss, type RssItem } from "./feeds.js";
import { HOUR } from "./news-world.js";

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
