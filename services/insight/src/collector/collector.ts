import { setMaxListeners } from "node:events";
import { type DueOrder, failpoint, repeat, startSchedule, type Stoppable } from "@hourglass/runtime";
import type { SearchRecord } from "../store/records.js";
import { AuthGates, PlatformCircuits } from "./circuit-breakers.js";
import { runTurn } from "./poll.js";
import { CHECK_EVERY_MS, LEASE_MS, LOOK_AHEAD, POLLS_CONCURRENT } from "./schedule-policy.js";
import { startReady } from "./searches.js";
import { type CollectorDeps, collectorMetrics, MatcherCache, type TurnContext } from "./turn.js";

/** Replaced in tests. */
export interface CollectorOptions extends Partial<Pick<TurnContext, "failpoint" | "leaseMs" | "random">> {
  concurrency?: number;
  checkEveryMs?: number;
}

/** Previews first; companies take turns. */
const ORDER: DueOrder<SearchRecord> = {
  isUrgent: ({ preview }) => preview,
  ownerOf: ({ companyId }) => companyId,
};

const HOUR_MS = 60 * 60_000;
const READY_RETRY_MS = 10_000;

/** Collects what insights search until stopped. Any number of processes may do so on one store. */
export function startCollector(deps: CollectorDeps, options: CollectorOptions = {}): Stoppable {
  const abandoned = new AbortController();
  // One listener per page that is under way.
  setMaxListeners(0, abandoned.signal);
  let isStopping = false;
  const { concurrency = POLLS_CONCURRENT, checkEveryMs = CHECK_EVERY_MS, ...replaced } = options;
  const context: TurnContext = {
    matchers: new MatcherCache(),
    gates: new AuthGates(),
    circuits: new PlatformCircuits(),
    random: Math.random,
    leaseMs: LEASE_MS,
    failpoint,
    ...replaced,
    ...deps,
    metrics: collectorMetrics(deps.metrics),
    isStopping: () => isStopping,
    abandoned: abandoned.signal,
  };
  const { collections, now, log, leaseMs } = context;
  const schedule = startSchedule(
    {
      records: collections.searches,
      leaseMs,
      now,
      everyMs: checkEveryMs,
      concurrency,
      order: ORDER,
      lookAhead: LOOK_AHEAD,
      log,
      failure: "a search could not be polled",
    },
    (claim) => runTurn(context, claim),
  );
  const ready = repeatStartReady(deps, () => schedule.wake());
  return {
    stop: async (graceMs) => {
      isStopping = true;
      // Requests under way may end in half of the time; their cost is spent already.
      const timer = setTimeout(() => abandoned.abort(new Error("the process is stopping")), graceMs / 2);
      await Promise.all([schedule.stop(graceMs), ready.stop(graceMs)]);
      clearTimeout(timer);
    },
  };
}

/** Starts searches that waited for this server's configuration: at the start, again if the store was unavailable. */
function repeatStartReady({ collections, platforms, now, log }: CollectorDeps, onReady: () => void): Stoppable {
  let isDone = false;
  return repeat(async () => {
    if (isDone) return HOUR_MS;
    try {
      await startReady(collections.searches, platforms, now());
      isDone = true;
      onReady();
      return HOUR_MS;
    } catch (error) {
      log.warn({ err: error }, "searches of configured platforms could not be started, trying again");
      return READY_RETRY_MS;
    }
  });
}
