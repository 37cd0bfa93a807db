import type { Logger } from "@hourglass/runtime";
import { type InsightRecord, lastKnownAt, type PlatformName, type PostingRecord } from "../../store/records.js";
import type { Collections } from "../../store/collections.js";
import { REMOVED_AT_ONCE, removePostings, type RemovePostingsDeps } from "../erasing/remove-postings.js";

/** Days for which postings are kept since a poll or an import last had them, see KEPT_IF_THERE; platforms that are not named keep them. */
export type RetentionDays = Readonly<Partial<Record<PlatformName, number>>>;

export interface RemoveExpiredDeps extends RemovePostingsDeps {
  collections: Pick<Collections, "insights" | "postings" | "work" | "dirtyBuckets">;
  retentionDays: RetentionDays;
  log: Logger;
}

const DAY_MS = 24 * 60 * 60_000;
/** Platforms whose rules let postings be kept as long as they are asked for again and are still there. */
const KEPT_IF_THERE: ReadonlySet<PlatformName> = new Set(["youtube-videos", "youtube-comments"]);

/**
 * Removes the postings that were not seen for longer than their platform allows. Stops early when `goOn` is false; the
 * next run then removes the rest.
 */
export async function removeExpired(deps: RemoveExpiredDeps, goOn: () => boolean): Promise<void> {
  const limits = limitsOf(deps);
  if (limits.size === 0) return;
  let removed = 0;
  for await (const insight of deps.collections.insights.stream({ status: { ne: "deleted" } })) {
    if (!goOn()) break;
    if (!insight.query.platforms.some((platform) => limits.has(platform))) continue;
    removed += await removeExpiredOf(deps, insight, { limits, goOn });
  }
  if (removed > 0) deps.log.info({ removed }, "postings were removed at the end of their retention");
}

/** For each platform the latest time of having been seen that is too early. */
function limitsOf({ retentionDays, now }: RemoveExpiredDeps): Map<PlatformName, number> {
  const given = Object.entries(retentionDays).filter((entry): entry is [string, number] => entry[1] !== undefined);
  return new Map(given.map(([platform, days]) => [platform, now() - days * DAY_MS]));
}

function keptSince(posting: PostingRecord): number {
  return KEPT_IF_THERE.has(posting.platform) ? lastKnownAt(posting) : posting.seenAt;
}

async function removeExpiredOf(
  deps: RemoveExpiredDeps,
  { id: insightId }: InsightRecord,
  { limits, goOn }: { limits: ReadonlyMap<PlatformName, number>; goOn: () => boolean },
): Promise<number> {
  const latest = Math.max(...limits.values());
  // What was seen long ago was posted before, unless it is dated ahead.
  const ranges = [{ lte: latest }, { gt: deps.now() }];
  let removed = 0;
  let expired: PostingRecord[] = [];
  for (const postedAt of ranges) {
    for await (const posting of deps.collections.postings.stream(
      { insightId, postedAt },
      { sort: [["postedAt", 1]] },
    )) {
      if (!goOn()) return removed;
      if (keptSince(posting) > (limits.get(posting.platform) ?? -Infinity)) continue;
      expired.push(posting);
      if (expired.length < REMOVED_AT_ONCE) continue;
      removed += await removePostings(deps, expired);
      expired = [];
    }
  }
  return removed + (await removePostings(deps, expired));
}
