import type { SourceAt, SourcePage } from "../../sources.js";
import type { InstagramMedia } from "../posting/media.js";

/** Pages of one source in a poll. */
const PAGES_MAX = 20;

interface Read {
  /** One or more media of the wanted time, if there is a next page. */
  readonly wanted: readonly InstagramMedia[];
  readonly at: SourceAt;
  /** Oldest wanted time, in milliseconds since the epoch. */
  readonly from: number;
}

/** Where a source continues; after too many pages it does not, and what is older than the last page is a gap. */
export function cutOff(next: string | undefined, { wanted, at, from }: Read): Pick<SourcePage, "after" | "gaps"> {
  if (next === undefined) return { after: null };
  if (at.pages + 1 < PAGES_MAX) return { after: next };
  const oldest = Math.min(...wanted.map(({ timestamp }) => timestamp));
  return { after: null, ...(oldest > from && { gaps: [{ from, to: oldest, reason: "page_limit" }] }) };
}
