import { DueJobs, dueKind, failpoint, type Queue } from "@hourglass/runtime";
import type { SearchRecord } from "../store/records.js";
import { AuthGates, PlatformCircuits } from "./circuit-breakers.js";
import { runTurn } from "./poll.js";
import { CHECK_EVERY_MS, LEASE_MS, LOOK_AHEAD, POLLS_CONCURRENT } from "./schedule-policy.js";
import { startReady } from "./searches.js";
import { type CollectorDeps, collectorMetrics, MatcherCache, type TurnContext } from "./turn.js";

/** Kind of due work: polls of searches. */
export const SEARCH_KIND = "search";

/** Replaced in tests. */
export interface CollectorOptions extends Partial<Pick<TurnContext, "failpoint" | "random">> {
  leaseMs?: number;
  concurrency?: number;
  checkEveryMs?: number;
}

/** The polls of what insights search: previews first, companies take turns. */
export function collectorJobs(deps: CollectorDeps & { queue: Queue }, options: CollectorOptions = {}): DueJobs {
  const { concurrency = POLLS_CONCURRENT, checkEveryMs = CHECK_EVERY_MS, leaseMs = LEASE_MS, ...replaced } = options;
  const context: TurnContext = {
    matchers: new MatcherCache(),
    gates: new AuthGates(),
    circuits: new PlatformCircuits(),
    random: Math.random,
    failpoint,
    ...replaced,
    ...deps,
    metrics: collectorMetrics(deps.metrics),
  };
  const { collections, platforms, queue, log, metrics, now } = deps;
  let isReady = false;
  const search = dueKind<SearchRecord>({
    name: SEARCH_KIND,
    records: collections.searches,
    leaseMs,
    failure: "a search could not be polled",
    isUrgent: ({ preview }) => preview,
    ownerOf: ({ companyId }) => companyId,
    lookAhead: LOOK_AHEAD,
    // Once: the configuration stays the same until the next start.
    prepare: async () => {
      if (!isReady) await startReady(collections.searches, platforms, now());
      isReady = true;
    },
    work: (claim, stopping) => runTurn(context, claim, () => stopping.aborted),
  });
  const common = { queue, log, metrics, now, checkMs: checkEveryMs };
  return new DueJobs({ ...common, name: "insight.collect", kinds: [search], places: concurrency });
}
