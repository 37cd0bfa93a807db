import type { RetentionDays } from "@hourglass/posting";
import type { Logger } from "@hourglass/runtime";
import { postingOrder } from "../store/posting-order.js";
import {
  type InsightRecord,
  lastKnownAt,
  type PlatformName,
  platformsOf,
  type PostingRecord,
} from "../store/records.js";
import { type RemovalOptions, REMOVED_AT_ONCE, removePostings } from "./erase.js";

export interface RetentionOptions extends RemovalOptions {
  retentionDays: RetentionDays;
  log: Logger;
}

const DAY_MS = 24 * 60 * 60_000;
/** Platforms whose rules let postings be kept as long as they are asked for again and are still there. */
const KEPT_IF_THERE: ReadonlySet<PlatformName> = new Set(["youtube-videos", "youtube-comments"]);

/**
 * Removes the postings that were not seen for longer than their platform allows. Stops early when `mayContinue` is false; the
 * next run then removes the rest.
 */
export async function removeExpired(options: RetentionOptions, mayContinue: () => boolean): Promise<void> {
  const limits = limitsOf(options);
  if (limits.size === 0) return;
  let removed = 0;
  for await (const insight of options.collections.insights.stream({ status: { ne: "deleted" } })) {
    if (!mayContinue()) break;
    if (!platformsOf(insight).some((platform) => limits.has(platform))) continue;
    removed += await removeExpiredOf(options, insight, { limits, mayContinue });
  }
  if (removed > 0) options.log.info({ removed }, "postings were removed at the end of their retention");
}

/** For each platform the latest time of having been seen that is too early. */
function limitsOf({ retentionDays, now }: RetentionOptions): Map<PlatformName, number> {
  const given = Object.entries(retentionDays).filter((entry): entry is [string, number] => entry[1] !== undefined);
  return new Map(given.map(([platform, days]) => [platform, now() - days * DAY_MS]));
}

function keptSince(posting: PostingRecord): number {
  return KEPT_IF_THERE.has(posting.platform) ? lastKnownAt(posting) : posting.seenAt;
}

async function removeExpiredOf(
  options: RetentionOptions,
  { id: insightId }: InsightRecord,
  { limits, mayContinue }: { limits: ReadonlyMap<PlatformName, number>; mayContinue: () => boolean },
): Promise<number> {
  const latest = Math.max(...limits.values());
  // What was seen long ago was posted before, unless it is dated ahead.
  const ranges = [{ lte: latest }, { gt: options.now() }];
  let removed = 0;
  let expired: PostingRecord[] = [];
  for (const postedAt of ranges) {
    for await (const posting of options.collections.postings.stream(
      { insightId, postedAt },
      { sort: postingOrder("postedAt") },
    )) {
      if (!mayContinue()) return removed;
      if (keptSince(posting) > (limits.get(posting.platform) ?? -Infinity)) continue;
      expired.push(posting);
      if (expired.length < REMOVED_AT_ONCE) continue;
      removed += await removePostings(options, expired);
      expired = [];
    }
  }
  return removed + (await removePostings(options, expired));
}
