import type { TextAnalyst } from "@hourglass/analysis";
import { setTimeout as sleep } from "node:timers/promises";
import { startAnalysis } from "../../postings/analyse/start-analysis.js";
import { StubFiles } from "../../postings/testing/stub-analysts.js";
import type { PageRequest } from "../../platforms/connector.js";
import { CollectWorld, type Worker } from "./collect-world.js";
import { draft } from "./drafts.js";
import { FakePlatform } from "./fake-platform.js";
import { addInsights, PLATFORMS } from "./many-searches.js";

/**
 * `node --expose-gc memory-load.js INSIGHTS`: collects and analyses the postings of insights with two platforms each for
 * an hour of a clock that this program moves. Prints the resident bytes after five minutes and after the hour as JSON.
 */
const MINUTE_MS = 60_000;
/** A first poll brings a page of this many, later ones as many new and as many known postings. */
const FIRST_PAGE = 100;
const PAGE = 10;

/** Keeps nothing of what it is asked. */
class GrowingPlatform extends FakePlatform {
  private newest = 0;

  override fetchPage({ cursor }: PageRequest) {
    const from = typeof cursor === "number" ? cursor - PAGE : this.newest;
    const count = typeof cursor === "number" ? 2 * PAGE : FIRST_PAGE;
    this.newest = Math.max(this.newest, from + count);
    const postings = Array.from({ length: count }, (_, index) => draft(from + index, { postedAt: world.time }));
    return Promise.resolve({ postings, skipped: 0, requests: 1, nextPage: null, cursor: from + count });
  }
}

const TEXTS: TextAnalyst = {
  analyze: (texts) =>
    Promise.resolve(texts.map(() => ({ results: {}, errors: {}, models: {}, language: "en", supported: {} }))),
};

async function collectUntil(worker: Worker, time: number): Promise<number> {
  while (world.time < time) await worker.pollNext();
  while ((await world.collections.work.count({}, 1)) > 0) await sleep(10);
  globalThis.gc?.();
  return process.memoryUsage.rss();
}

const world = await CollectWorld.open();
for (const platform of PLATFORMS) world.platforms.set(platform, { connector: new GrowingPlatform() });
const begin = world.time;
await addInsights(world, Number(process.argv[2]), () => begin);
const { store, collections, log, metrics } = world;
const analysis = startAnalysis({
  store,
  collections,
  log,
  metrics,
  // Leases of the other clock would end while it jumps.
  now: Date.now,
  texts: TEXTS,
  files: new StubFiles(),
  idleMs: 5,
});
const worker = world.worker();
const early = await collectUntil(worker, begin + 5 * MINUTE_MS);
const late = await collectUntil(worker, begin + 60 * MINUTE_MS);
const postings = await collections.postings.count({});
await analysis.stop(1000);
await world.close();
process.stdout.write(JSON.stringify({ early, late, postings }));
