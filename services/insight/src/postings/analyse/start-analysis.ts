import { setMaxListeners } from "node:events";
import { measureAnalyses, type TextAnalyst } from "@hourglass/analysis";
import type { FileAnalyst } from "@hourglass/analysis/files";
import { type Logger, type Measurements, repeat, type Stoppable, type Store } from "@hourglass/runtime";
import { FairLimit } from "@hourglass/runtime/fair-limit";
import type { Collections } from "../../store/collections.js";
import { analysePostings, type AnalysePostingsDeps } from "./analyse-postings.js";
import { type ClaimedWork, WorkClaims } from "./work-claims.js";

export interface AnalysisDeps {
  store: Store;
  collections: Collections;
  texts: TextAnalyst;
  /** Fetches media under the rules for URLs of users. */
  files: FileAnalyst;
  metrics: Measurements;
  log: Logger;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Default 60,000 ms; see WorkClaims. */
  leaseMs?: number;
  /** Pause when nothing is due, and after a failure on our side. Default 500 ms. */
  idleMs?: number;
}

/** Batches in progress: while one is analysed, the others are read and written. */
const LANES = 6;
/** Batches of one company at a time: what another one brings finds a free lane. */
const LANES_PER_COMPANY = 4;
/** Few enough to claim and store without stopping the event loop for long. */
const BATCH = 32;
const LEASE_MS = 60_000;
const IDLE_MS = 500;
/** Pause before work is tried again whose attempt failed on our side. */
const AGAIN_MS = 5_000;

/** Analyses stored postings until stopped. Any number of processes may do so. */
export function startAnalysis(options: AnalysisDeps): Stoppable {
  const { leaseMs = LEASE_MS, idleMs = IDLE_MS, metrics, log, now } = options;
  const ends = new FairLimit({ places: 1 });
  const inTurn: AnalysePostingsDeps["inTurn"] = (companyId, store) => ends.run(companyId, store);
  const deps = { ...options, leaseMs, inTurn, onTimed: measureAnalyses(metrics) };
  const claims = new WorkClaims({ ...deps, perCompany: LANES_PER_COMPANY });
  const stopping = new AbortController();
  // Every text and file in progress listens to it.
  setMaxListeners(0, stopping.signal);
  measureBacklog(metrics, claims, now);
  const lanes = Array.from({ length: LANES }, () =>
    repeat(async () => {
      try {
        return (await doNext(deps, claims, stopping.signal)) ? 0 : idleMs;
      } catch (error) {
        log.warn({ err: error }, "postings could not be analysed, trying again");
        return idleMs;
      }
    }),
  );
  return {
    stop: async (graceMs) => {
      stopping.abort(new Error("the analysis of postings is stopping"));
      await Promise.all(lanes.map((lane) => lane.stop(graceMs)));
    },
  };
}

function measureBacklog(metrics: Pick<Measurements, "gauge">, claims: WorkClaims, now: () => number): void {
  metrics.gauge("hourglass_postings_waiting", "Postings whose analysis is to be done, at most 100,000", () =>
    claims.waiting(),
  );
  metrics.gauge(
    "hourglass_postings_oldest_waiting_seconds",
    "Time for which an analysis of a posting is due",
    async () => {
      const since = await claims.oldestDueAt();
      return since === undefined ? 0 : Math.max(0, now() - since) / 1000;
    },
  );
}

/** Does one batch; false if none is due. */
async function doNext(
  deps: AnalysePostingsDeps & { leaseMs: number },
  claims: WorkClaims,
  signal: AbortSignal,
): Promise<boolean> {
  if (signal.aborted) return false;
  const claimed = await claims.claim(BATCH);
  if (claimed === undefined) return false;
  const renewal = setInterval(() => void renew(deps, claims, claimed), deps.leaseMs / 3);
  try {
    await analysePostings(deps, claimed, signal);
  } catch (error) {
    const isStopping = signal.aborted as boolean;
    await claims.handBack(claimed, isStopping ? { counts: false, afterMs: 0 } : { counts: true, afterMs: AGAIN_MS });
    if (!isStopping) throw error;
  } finally {
    clearInterval(renewal);
    claims.release(claimed);
  }
  return true;
}

/** A renewal that fails leaves the claim to its end; the results then count nevertheless, whoever brings them first. */
async function renew(
  { log }: Pick<AnalysePostingsDeps, "log">,
  claims: WorkClaims,
  claimed: ClaimedWork,
): Promise<void> {
  try {
    await claims.renew(claimed);
  } catch (error) {
    log.warn({ err: error }, "a claim of postings could not be renewed");
  }
}
