import type { GapReason } from "../connector.js";
import type { Position } from "./cursor.js";
import type { FeedRecord } from "./store/feed-record.js";

/** A span of time of posting, in milliseconds since the epoch, of which items may be missing. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly reason: GapReason;
}

/**
 * What a poll may miss: items older than those of the first document of a feed, those that a feed has published since
 * it could be read last, and those of a document with too many entries that are not read.
 */
export function gapsOf(records: readonly FeedRecord[], { since, now }: { since: number; now: number }): Gap[] {
  return records
    .flatMap(({ readAt, coversFrom, problem, lacksNewest }): Gap[] => [
      { from: since, to: coversFrom ?? now, reason: coversFrom === null ? "pending" : "before_window" },
      ...(problem === null ? [] : [{ from: readAt ?? since, to: now, reason: "outage" } as const]),
      ...(lacksNewest ? [{ from: since, to: now, reason: "page_limit" } as const] : []),
    ])
    .filter(isSpan);
}

/** What a poll that continues at a position misses, because a feed had too many items for this search to read in time. */
export function crowdedOutGaps(records: readonly FeedRecord[], position: Position, since: number): Gap[] {
  return records
    .flatMap(({ id, crowdedOut }): Gap[] => {
      const { seq, until } = crowdedOut ?? { seq: 0, until: 0 };
      return seq > (position.read[id] ?? 0) ? [{ from: since, to: until, reason: "page_limit" }] : [];
    })
    .filter(isSpan);
}

function isSpan({ from, to }: Gap): boolean {
  return from < to;
}
