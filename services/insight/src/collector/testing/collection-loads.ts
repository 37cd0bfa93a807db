import type { TextAnalyst } from "@hourglass/analysis";
import {
  Lifecycle,
  type Logger,
  NO_MEASUREMENTS,
  type ObserveSeconds,
  openStorage,
  type Queue,
  readConfig,
  type Stoppable,
  untilAvailable,
} from "@hourglass/runtime";
import { setTimeout as sleep } from "node:timers/promises";
import type { PageRequest } from "../../platforms/connector.js";
import { analysisJobs } from "../../postings/analyze.js";
import { PostingErasures } from "../../postings/erase.js";
import { sweepJobs } from "../../postings/sweep.js";
import { StubFiles, StubTexts } from "../../postings/testing/stub-analysts.js";
import { collectorJobs } from "../collector.js";
import { CHECK_EVERY_MS } from "../schedule-policy.js";
import { newSearch } from "../searches.js";
import { CollectorWorld, draft, type Worker } from "./collector-world.js";
import { FakePlatform } from "./fake-platform.js";

// `collection-loads.js LOAD NUMBER…` runs one of the loads below and prints what it measured as JSON.

const PLATFORMS = ["twitter", "news"];
const COMPANIES = 10;
const AT_ONCE = 500;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Inserts running insights with two platforms each, whose polls are due at the times that `dueAt` returns. */
async function addInsights(world: CollectorWorld, count: number, dueAt: () => number): Promise<void> {
  const first = await world.insight({}, { platforms: PLATFORMS });
  await world.collections.searches.delete({ insightId: first.id });
  for (let done = 0; done < count; done += AT_ONCE) {
    const insights = Array.from({ length: Math.min(AT_ONCE, count - done) }, (_, index) => {
      const id = first.id + 1 + done + index;
      return { ...first, id, companyId: 1 + (id % COMPANIES) };
    });
    await world.collections.insights.insertMany(insights);
    const searches = insights.flatMap((insight) =>
      PLATFORMS.map((platform) => {
        const time = dueAt();
        return { ...newSearch(insight, platform, { now: world.time }), dueAt: time, nextAt: time };
      }),
    );
    await world.collections.searches.insertMany(searches);
  }
}

const ANSWER_MS = 100;
const STEADY_PAGE = 20;
const INTERVAL_MS = 5 * MINUTE_MS;

class SteadyPlatform extends FakePlatform {
  private pages = 0;

  override async fetchPage() {
    const page = (this.pages += 1);
    await sleep(ANSWER_MS);
    const postings = Array.from({ length: STEADY_PAGE }, (_, index) =>
      draft(page * STEADY_PAGE + index, { postedAt: Date.now() }),
    );
    return { postings, skipped: 0, requests: 1, nextPage: null, cursor: page };
  }
}

/**
 * `busy INSIGHTS SECONDS`: collects for insights with two platforms each, which are polled every five minutes and answer in
 * 100 ms. Prints the delays of the polls and the processor time.
 */
async function busy(insights = 0, seconds = 0): Promise<unknown> {
  const world = await CollectorWorld.open();
  await addInsights(world, insights, () => Date.now() + Math.random() * INTERVAL_MS);
  for (const platform of PLATFORMS) world.platforms.set(platform, { connector: new SteadyPlatform() });
  const lags: number[] = [];
  const duration = (name: string): ObserveSeconds<string> =>
    name === "hourglass_collect_lag_seconds" ? (_labels, lag) => void lags.push(lag) : () => undefined;
  await sleep(500);
  const before = process.cpuUsage();
  const lifecycle = new Lifecycle(world.log);
  const running = collectorJobs({
    ...world.deps(),
    queue: process.env["AMQP_URL"] === undefined ? world.queue : await openBroker(lifecycle, world.log),
    now: Date.now,
    metrics: { ...NO_MEASUREMENTS, duration },
  }).start();
  await sleep(seconds * 1000);
  const { user, system } = process.cpuUsage(before);
  await running.stop(5000);
  await lifecycle.stop(5000);
  await world.close();
  lags.sort((a, b) => a - b);
  const p99 = lags[Math.ceil(lags.length * 0.99) - 1] ?? 0;
  return { polls: lags.length, p99, cpuSeconds: (user + system) / 1e6 };
}

/** The queue that the environment names. */
async function openBroker(lifecycle: Lifecycle, log: Logger): Promise<Queue> {
  const { queue } = await openStorage({ config: readConfig(process.env, {}), log, lifecycle, parts: ["queue"] });
  await untilAvailable(() => queue.depth("insight.collect"), { what: "The queue", log, signal: lifecycle.signal });
  return queue;
}

const SPEED = 50;
const TURNS = 12;
const TURN_MS = 1_500;

async function openIdle(insights: number): Promise<CollectorWorld> {
  const world = await CollectorWorld.open();
  await addInsights(world, insights, () => Date.now() + HOUR_MS);
  return world;
}

/** What a worker with all roles of insights runs. */
function startAll(world: CollectorWorld): Stoppable[] {
  const { store, queue, collections, tombstones, log } = world;
  const shared = { store, queue, collections, log, now: Date.now, metrics: NO_MEASUREMENTS };
  const everyMs = CHECK_EVERY_MS / SPEED;
  const erasures = new PostingErasures({ ...shared, tombstones });
  const sweeping = { ...shared, erasures, everyMs, retentionDays: {}, chores: collections.chores, furtherChores: [] };
  const analyzing = { ...shared, texts: new StubTexts(), files: new StubFiles(), checkMs: everyMs / 2 };
  return [
    collectorJobs({ ...world.deps(), queue, now: Date.now }, { checkEveryMs: everyMs }),
    sweepJobs(sweeping),
    analysisJobs(analyzing),
  ].map((jobs) => jobs.start());
}

/** Processor time of one turn, in microseconds. */
async function takeTurn(world: CollectorWorld): Promise<number> {
  const running = startAll(world);
  const before = process.cpuUsage();
  await sleep(TURN_MS);
  const { user, system } = process.cpuUsage(before);
  await Promise.all(running.map((part) => part.stop(1000)));
  return user + system;
}

/**
 * `idle COUNT…`: the background work of servers with so many insights each, of which none is due. Prints the shares of a
 * core that it takes. They alternate in one process, so that both have the same load beside them, and check `SPEED`
 * times as often, so that the checks are what is measured.
 */
async function idle(...counts: number[]): Promise<unknown> {
  const worlds = await Promise.all(counts.map(openIdle));
  const times = worlds.map((): number[] => []);
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [index, world] of worlds.entries()) times[index]?.push(await takeTurn(world));
  }
  for (const world of worlds) await world.close();
  const medians = times.map((each) => each.sort((a, b) => a - b)[Math.floor(each.length / 2)] ?? 0);
  return medians.map((time) => time / 1000 / TURN_MS / SPEED);
}

/** A first poll brings a page of this many, later ones as many new and as many known postings. */
const FIRST_PAGE = 100;
const PAGE = 10;

/** Keeps nothing of what it is asked. */
class GrowingPlatform extends FakePlatform {
  private newest = 0;

  constructor(private readonly world: CollectorWorld) {
    super();
  }

  override fetchPage({ cursor }: PageRequest) {
    const from = typeof cursor === "number" ? cursor - PAGE : this.newest;
    const count = typeof cursor === "number" ? 2 * PAGE : FIRST_PAGE;
    this.newest = Math.max(this.newest, from + count);
    const postings = Array.from({ length: count }, (_, index) => draft(from + index, { postedAt: this.world.time }));
    return Promise.resolve({ postings, skipped: 0, requests: 1, nextPage: null, cursor: from + count });
  }
}

const TEXTS: TextAnalyst = {
  analyze: (texts) =>
    Promise.resolve(texts.map(() => ({ results: {}, errors: {}, models: {}, language: "en", supported: {} }))),
};

async function collectUntil(world: CollectorWorld, worker: Worker, time: number): Promise<number> {
  while (world.time < time) await worker.pollNext();
  while ((await world.collections.work.count({}, 1)) > 0) await sleep(10);
  globalThis.gc?.();
  return process.memoryUsage.rss();
}

/**
 * `memory INSIGHTS`, with `node --expose-gc`: collects and analyzes the postings of insights with two platforms each for an
 * hour of a clock that this program moves. Prints the resident bytes after five minutes and after the hour.
 */
async function memory(insights = 0): Promise<unknown> {
  const world = await CollectorWorld.open();
  for (const platform of PLATFORMS) world.platforms.set(platform, { connector: new GrowingPlatform(world) });
  const begin = world.time;
  await addInsights(world, insights, () => begin);
  const { store, queue, collections, log, metrics } = world;
  const analysis = analysisJobs({
    store,
    queue,
    collections,
    log,
    metrics,
    // Leases of the other clock would end while it jumps.
    now: Date.now,
    texts: TEXTS,
    files: new StubFiles(),
    checkMs: 5,
  }).start();
  const worker = world.worker();
  const early = await collectUntil(world, worker, begin + 5 * MINUTE_MS);
  const late = await collectUntil(world, worker, begin + HOUR_MS);
  const postings = await collections.postings.count({});
  await analysis.stop(1000);
  await world.close();
  return { early, late, postings };
}

const [load = "", ...numbers] = process.argv.slice(2);
const LOADS = new Map<string, (...given: number[]) => Promise<unknown>>([
  ["busy", busy],
  ["idle", idle],
  ["memory", memory],
]);
const run = LOADS.get(load);
if (run === undefined) throw new Error(`Give one of ${[...LOADS.keys()].join(", ")}`);
process.stdout.write(JSON.stringify(await run(...numbers.map(Number))));
