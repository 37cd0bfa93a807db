import type { TextAnalyst } from "@hourglass/analysis";
import type { FileAnalyst } from "@hourglass/analysis/files";
import {
  type Logger,
  type Measurements,
  NO_MEASUREMENTS,
  type OutboundConfig,
  type Queue,
  type Route,
  type Stoppable,
  type Store,
  together,
} from "@hourglass/runtime";
import { recheckChore, recheckJobs } from "./collector/recheck.js";
import { collectorJobs } from "./collector/collector.js";
import type { InsightConfig } from "./config.js";
import { Insights } from "./insights.js";
import { setUpConnectors } from "./platform-deps.js";
import { openPlatforms, originsOfPlatforms, socialIdIn } from "./platforms/registry.js";
import { measureStalled } from "./collector/stalled.js";
import { analysisJobs, measureBacklog } from "./postings/analyze.js";
import { Explanations } from "./postings/explanations.js";
import { type EraseGone, PostingErasures } from "./postings/erase.js";
import { PostingImports } from "./postings/import.js";
import { PostingLists } from "./postings/list.js";
import { PostingStore, type PreviewPage, type RefreshFound, type StorePostings } from "./postings/store.js";
import { PostingReads } from "./postings/one.js";
import { PostingStreams } from "./postings/stream.js";
import { sweepJobs } from "./postings/sweep.js";
import { Tombstones } from "./postings/tombstones.js";
import { openCollections } from "./store/collections.js";
import { insightRoute, Revisions } from "./rpc.js";
import { Summaries } from "./summary/summarize.js";

export interface InsightServiceDeps {
  store: Store;
  queue: Queue;
  /** Required to start the analysis. */
  pool?: TextAnalyst;
  files?: FileAnalyst;
  config: { readonly insight: InsightConfig; readonly outbound: OutboundConfig; readonly leaseMs: number };
  log: Logger;
  metrics?: Measurements;
  /** Milliseconds since the epoch; tests set it. */
  clock?: () => number;
}

/** The parts of the insight service. A process starts those it is responsible for; each may run in several at once. */
export interface BuiltInsightService {
  routes: Route[];
  /** Publishes what is due to the queues; at least one process must run it. */
  startRelay(): Stoppable;
  /** Polls the platforms. */
  startCollector(): Stoppable;
  /** Analyses stored postings. Throws without analysts. */
  startAnalysis(): Stoppable;
  /** Ends previews, erases what was deleted, expired or is gone upstream, refreshes what is there, counts for summaries. */
  startSweeper(): Stoppable;
  /** Closes connections to platforms. */
  close(): void;
}

/** Builds the insight service on an open store, and creates its collections. */
export async function buildInsightService(deps: InsightServiceDeps): Promise<BuiltInsightService> {
  const { store, queue, config, log, metrics = NO_MEASUREMENTS, clock: now = Date.now } = deps;
  const trustedOrigins = originsOfPlatforms(config.insight.platforms);
  const { deps: platformDeps, http } = setUpConnectors({ store, config, trustedOrigins, log, metrics, now });
  const platforms = await openPlatforms(platformDeps, config.insight.platforms, config.insight.extraPlatforms);
  const collections = await openCollections(store);
  const { leaseMs } = config;
  const tombstones = new Tombstones(collections);
  const postingStore = new PostingStore({ store, collections, tombstones, metrics, now });
  const erasures = new PostingErasures({ store, collections, tombstones, log, now });
  const storePostings: StorePostings = (request) => postingStore.storePage(request);
  const previewPage: PreviewPage = (request) => postingStore.previewPage(request);
  const refreshFound: RefreshFound = (found) => postingStore.refreshFound(found);
  const eraseGone: EraseGone = (gone) => erasures.eraseGone(gone);
  const explanations = new Explanations({
    requests: collections.explanations,
    texts: deps.pool,
    now,
    wake: () => analysis.wake(),
  });
  const useCases = {
    insights: new Insights({ store, collections, platforms, now }),
    imports: new PostingImports({ store, collections, storePostings, previewPage, socialIdIn, now }),
    lists: new PostingLists({ store, collections, now }),
    reads: new PostingReads({ collections, explanations }),
    streams: new PostingStreams(collections),
    erasures,
    summaries: new Summaries({ store, collections, now }),
    revisions: new Revisions({ store, collections, now }),
  };
  const cadence = config.insight.collectInterval;
  const background = { store, queue, collections, log, metrics, now };
  const { pool: texts, files } = deps;
  const collecting = { ...background, storePostings, eraseGone, platforms, cadence };
  const rechecking = { ...background, platforms, eraseGone, refreshFound };
  const { retentionDays } = config.insight;
  const furtherChores = [recheckChore(rechecking)];
  const { chores } = collections;
  const collector = collectorJobs(collecting, { leaseMs });
  const analysis = analysisJobs({ ...background, ...(texts && { texts }), ...(files && { files }), leaseMs });
  const rechecks = recheckJobs(rechecking);
  const sweeps = sweepJobs({ ...background, erasures, retentionDays, chores, furtherChores });
  return {
    routes: [insightRoute(useCases, platforms)],
    startRelay: () => {
      measureBacklog(background);
      measureStalled(collections.searches, background);
      return together([collector, analysis, rechecks, sweeps].map((jobs) => jobs.startRelay()));
    },
    startCollector: () => collector.startWorker(),
    startAnalysis: () => {
      if (texts === undefined || files === undefined) throw new Error("the analysis of postings needs analysts");
      return analysis.startWorker();
    },
    startSweeper: () => together([sweeps.startWorker(), rechecks.startWorker()]),
    close: () => http.close(),
  };
}
