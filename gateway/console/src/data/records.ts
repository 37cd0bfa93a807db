import { words } from "../words/words.js";
import type { Command } from "./commands.js";
import { queries } from "./queries.js";

/** A record that a list has shown. */
interface Listed {
  readonly href: string;
  readonly label: string;
  readonly kind: string;
}

/** Lists say what of them can be opened, by the beginnings of the keys of their queries. */
const listings = new Map<string, (data: unknown) => readonly Listed[]>();

/** Offers the records of lists in the palette. */
export function offerRecords(queryName: string, listed: (data: unknown) => readonly Listed[]): void {
  listings.set(queryName, listed);
}

/** The records that lists have shown since the page was loaded. */
export function recordsFor(): Command[] {
  const found = new Map<string, Command>();
  for (const [name, listed] of listings) {
    for (const [, data] of queries.getQueriesData({ queryKey: [name] })) {
      if (data === undefined) continue;
      for (const { href, label, kind } of listed(data)) {
        found.set(href, { id: href, group: words.keys.records, label, hint: kind, href });
      }
    }
  }
  return [...found.values()];
}
