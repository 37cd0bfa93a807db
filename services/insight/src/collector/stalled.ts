import type { Collection, Measurements, SetbackReason } from "@hourglass/runtime";
import type { SearchRecord } from "../store/records.js";
import { STALLED_AFTER_MS, UNTAKEN_AFTER_MS } from "./schedule-policy.js";

/** Why a poll that is due is not done by this server. */
export interface Stalled {
  why: SetbackReason | "untaken";
  /** A sentence for the owner of the search. */
  reason: string;
  /** When it is tried again, in milliseconds since the epoch; null: it is tried now, or waits for a process that does it. */
  nextTryAt: number | null;
}

const REASONS: Readonly<Record<Stalled["why"], string>> = {
  failed: "The server failed at it several times. Ask the operator to look into the log of insight.collect.",
  unavailable: "Something that the server needs for it does not answer. Ask the operator, if this continues.",
  lost: "The database of the server answers too late. Ask the operator, if this continues.",
  died: "The processes that did it ended again and again. Ask the operator to look at the dead jobs of insight.collect.",
  untaken: "No process of the server takes it. Ask the operator whether one runs with the role insight.collect.",
};

/** Null if the search runs, or has nothing to do. Failures of its platform are none of the server. */
export function stalledOf(search: SearchRecord, now: number): Stalled | null {
  const { nextAt, dueAt, setback = null } = search;
  if (nextAt === null || dueAt === null || search.outcome !== null) return null;
  const why = whyStalled(search, now - nextAt);
  if (why === undefined) return null;
  return { why, reason: REASONS[why], nextTryAt: setback?.until === dueAt && dueAt > now ? dueAt : null };
}

function whyStalled({ setback = null, attempts = 0 }: SearchRecord, lateMs: number): Stalled["why"] | undefined {
  if (lateMs < STALLED_AFTER_MS) return undefined;
  if (setback !== null) return setback.why;
  // One attempt is in work; further ones have ended with their processes.
  if (attempts > 1) return "died";
  return attempts === 0 && lateMs >= UNTAKEN_AFTER_MS ? "untaken" : undefined;
}

/** Searches that are looked at. */
const COUNTED_MAX = 10_000;

/** The searches that stand still, those first whose polls are latest. */
export async function readStalled(
  searches: Pick<Collection<SearchRecord>, "find">,
  now: number,
): Promise<{ search: SearchRecord; stalled: Stalled }[]> {
  const late = { nextAt: { lte: now - STALLED_AFTER_MS }, dueAt: { ne: null } };
  const found = await searches.find(late, { sort: [["nextAt", 1]], limit: COUNTED_MAX });
  return found.flatMap((search) => {
    const stalled = stalledOf(search, now);
    return stalled === null ? [] : [{ search, stalled }];
  });
}

/** Reports at every scrape how many searches are stalled. One kind of process does so. */
export function measureStalled(
  searches: Collection<SearchRecord>,
  { metrics, now }: { metrics: Measurements; now: () => number },
): void {
  const count = async () => {
    const counts = new Map<string, number>();
    for (const { search } of await readStalled(searches, now())) {
      counts.set(search.platform, (counts.get(search.platform) ?? 0) + 1);
    }
    return [...counts].map(([platform, value]) => ({ labels: { platform }, value }));
  };
  metrics.gauge("hourglass_searches_stalled", "Searches whose polls are due and not done, at most 10,000", count, [
    "platform",
  ]);
}
