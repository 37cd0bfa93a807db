import type { TextAnalyst } from "@hourglass/analysis";
import type { FileAnalyst } from "@hourglass/analysis/files";
import {
  type Logger,
  type Measurements,
  NO_MEASUREMENTS,
  type OutboundConfig,
  type Route,
  type Stoppable,
  type Store,
} from "@hourglass/runtime";
import { startRechecks } from "./collector/recheck.js";
import { startCollector } from "./collector/collector.js";
import type { InsightConfig } from "./config.js";
import { Insights } from "./insights.js";
import { setUpConnectors } from "./platform-deps.js";
import { openPlatforms, originsOfPlatforms, socialIdIn } from "./platforms/registry.js";
import { startAnalysis } from "./postings/analyze.js";
import { type EraseGone, PostingErasures } from "./postings/erase.js";
import { PostingImports } from "./postings/import.js";
import { PostingLists } from "./postings/list.js";
import { PostingStore, type RefreshFound, type StorePostings } from "./postings/store.js";
import { PostingStreams } from "./postings/stream.js";
import { startSweeper } from "./postings/sweeper.js";
import { Tombstones } from "./postings/tombstones.js";
import { openCollections } from "./store/collections.js";
import { insightRoute, Revisions } from "./rpc.js";
import { markAllDirtyMigration } from "./summary/dirty-buckets.js";
import { startRollup } from "./summary/rollup.js";
import { Summaries } from "./summary/summarize.js";

export interface InsightServiceDeps {
  store: Store;
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
  /** Polls the platforms. */
  startCollector(): Stoppable;
  /** Analyses stored postings. Throws without analysts. */
  startAnalysis(): Stoppable;
  /** Ends previews, erases what was deleted, expired or is gone upstream, refreshes what is there, counts for summaries; at least one process must run it. */
  startSweeper(): Stoppable;
  /** Closes connections to platforms. */
  close(): void;
}

/** Builds the insight service on an open store, and creates its collections. */
export async function buildInsightService(deps: InsightServiceDeps): Promise<BuiltInsightService> {
  const { store, config, log, metrics = NO_MEASUREMENTS, clock: now = Date.now } = deps;
  const trustedOrigins = originsOfPlatforms(config.insight.platforms);
  const { deps: platformDeps, http } = setUpConnectors({ store, config, trustedOrigins, log, metrics, now });
  const platforms = await openPlatforms(platformDeps, config.insight.platforms, config.insight.extraPlatforms);
  const collections = await openCollections(store);
  await store.migrate([markAllDirtyMigration({ store, collections, now })]);
  const { leaseMs } = config;
  const tombstones = new Tombstones(collections);
  const postingStore = new PostingStore({ store, collections, tombstones, metrics, now });
  const erasures = new PostingErasures({ store, collections, tombstones, log, now });
  const storePostings: StorePostings = (request) => postingStore.storePage(request);
  const refreshFound: RefreshFound = (found) => postingStore.refreshFound(found);
  const eraseGone: EraseGone = (gone) => erasures.eraseGone(gone);
  const useCases = {
    insights: new Insights({ store, collections, platforms, now }),
    imports: new PostingImports({ store, collections, storePostings, socialIdIn, now }),
    lists: new PostingLists(collections),
    streams: new PostingStreams(collections),
    erasures,
    summaries: new Summaries({ store, collections, now }),
    revisions: new Revisions({ store, collections, now }),
  };
  const cadence = config.insight.collectInterval;
  const collecting = { store, collections, storePostings, eraseGone, platforms, cadence, log, metrics, now };
  return {
    routes: [insightRoute(useCases, platforms)],
    startCollector: () => startCollector(collecting, { leaseMs }),
    startAnalysis: () => {
      const { pool: texts, files } = deps;
      if (texts === undefined || files === undefined) throw new Error("the analysis of postings needs analysts");
      return startAnalysis({ store, collections, texts, files, metrics, log, now, leaseMs });
    },
    startSweeper: () => {
      const { retentionDays } = config.insight;
      const sweeper = startSweeper({ store, collections, erasures, retentionDays, log, now });
      const rollup = startRollup({ store, collections, log, now });
      const rechecks = startRechecks({ collections, platforms, eraseGone, refreshFound, log, now });
      const parts = [sweeper, rollup, rechecks];
      return { stop: async (graceMs) => void (await Promise.all(parts.map((part) => part.stop(graceMs)))) };
    },
    close: () => http.close(),
  };
}
