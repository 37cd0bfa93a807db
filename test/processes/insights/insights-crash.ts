import { INSIGHT_FAILPOINTS } from "@hourglass/insight";
import { Deployment, type Topology } from "../../support/deployment.js";
import { FeedServer } from "../../support/feed-server.js";
import type { TestStorage } from "../../support/test-storage.js";
import { liveAll, planLives, type SeldomWork } from "../crash-loop/lives.js";
import { PatientClient } from "../crash-loop/patient-client.js";
import { Random } from "../crash-loop/random.js";
import { signIn } from "../crash-loop/sign-in.js";
import { insightsEnv } from "./environment.js";
import { InsightClient } from "./insight-client.js";
import { InsightTraffic } from "./insight-traffic.js";
import { type InsightVerdict, reachInsightVerdict } from "./insight-verdict.js";
import { openStore } from "./open-store.js";
import { Press } from "./press.js";
import type { Wanted } from "./promised-insight.js";
import { seldomInsightWork } from "./seldom-insight-work.js";

export interface InsightsCrashOptions {
  /** Location of the state; removed at the end. */
  testStorage: TestStorage;
  topology: Topology;
  /** Number of worker processes, if workers are processes. Default 1. */
  workers?: number;
  leaseSeconds: number;
  seed: number;
  /** Named steps at each of which a part dies once. */
  steps: readonly string[];
  /** Number of lives that end by kill -9 at a random moment. */
  kills: number;
  /** Number of lives that end by SIGTERM. */
  terms: number;
  /** Maximum duration of a life after it is ready. */
  lifeMaxMs: number;
  /** Maximum number of items in the feeds, unless more are needed to reach a named step. */
  items: number;
  /** Called after each violent end. */
  afterKill?: () => Promise<void>;
  /** Time for everything to be collected and analyzed after the last start. */
  drainMs: number;
  /** Timeout of the run, which then throws. */
  giveUpMs: number;
}

/** The result of the run. */
export interface InsightsReport extends InsightVerdict {
  seed: number;
  lives: number;
  seconds: number;
  published: number;
  imports: number;
  pauses: number;
  changes: number;
  erasures: number;
  /** Calls of clients that broke off. */
  interrupted: number;
}

const LOOPS = 3;

/** The named steps in several loops: one of all would take longer than a test may on a slow machine. */
export const INSIGHT_LOOPS = Array.from({ length: LOOPS }, (_, loop) => ({
  loop: `loop ${loop + 1} of ${LOOPS}`,
  steps: INSIGHT_FAILPOINTS.filter((_step, index) => index % LOOPS === loop),
}));

const FEEDS = ["/shared", "/own-1", "/own-2", "/own-3"] as const;
const [SHARED, FIRST, SECOND, THIRD] = FEEDS;
const INTERVAL_MS = 1000;
const CLIENTS = 3;
const PUBLISH_EVERY_MS = 300;
/** Share of the usual items while a step is waited for: a slow machine would fall behind with all of them. */
const UNLIMITED_SHARE = 0.3;

/** Insights that last: three on one feed, and others with their own feeds. */
const LASTING: readonly Wanted[] = [
  { birds: ["kestrel"], feeds: [SHARED] },
  { birds: ["falcon"], feeds: [SHARED] },
  { birds: ["kestrel", "falcon"], feeds: [SHARED, FIRST] },
  { birds: ["kestrel"], feeds: [SECOND] },
  { birds: ["falcon"], feeds: [THIRD] },
];

/** Collects feeds that grow while the processes of the product die: at random, and once at every named step. */
export async function runInsightsCrash(options: InsightsCrashOptions): Promise<InsightsReport> {
  const startedAt = performance.now();
  const feeds = await FeedServer.start();
  const deployment = await prepare(options);
  const over = new AbortController();
  const giveUp = setTimeout(() => over.abort(new Error(`the run took over ${options.giveUpMs} ms`)), options.giveUpMs);
  const random = new Random(options.seed);
  const broken: string[] = [];
  const press = new Press(feeds, random, FEEDS);
  const closing: (() => Promise<void>)[] = [];
  try {
    deployment.start();
    await deployment.ready();
    const { url } = deployment;
    const authorization = await signIn(url);
    const patient = new PatientClient({ url, authorization, broken, over: over.signal });
    const client = new InsightClient(patient, broken, (feed) => feeds.url(feed));
    const traffic = new InsightTraffic({ client, random, press, broken, brokenFeed: "/nothing" });
    for (const wanted of LASTING) await traffic.found(wanted);
    press.start(PUBLISH_EVERY_MS, () =>
      traffic.unlimited ? random.chance(UNLIMITED_SHARE) : press.stories.length < options.items,
    );
    traffic.start(CLIENTS);
    const store = await openStore(options.testStorage);
    closing.push(() => store.close());
    const seldom = seldomInsightWork(store, traffic.insights);
    const lives = await liveThrough(options, { deployment, random, broken, traffic, seldom, over: over.signal });
    await traffic.stop();
    press.stop();
    const verdict = await reachInsightVerdict({
      client,
      insights: traffic.insights,
      feeds,
      feedPaths: FEEDS,
      store,
      intervalMs: INTERVAL_MS,
      giveUpAt: performance.now() + options.drainMs,
    });
    verdict.broken.push(...broken, ...deployment.errors, ...(await deployment.end("SIGTERM")));
    const { imports, pauses, changes, erasures } = traffic;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const { interrupted } = patient;
    const figures = { published: press.stories.length, imports, pauses, changes, erasures, interrupted };
    return { seed: options.seed, lives, seconds, ...figures, ...verdict };
  } finally {
    clearTimeout(giveUp);
    over.abort();
    press.stop();
    await deployment.end("SIGKILL");
    for (const close of closing) await close();
    await feeds.close();
    await options.testStorage.remove();
  }
}

/** One line for a person, with the violations in full. */
export function describeInsightsReport({
  lost,
  twice,
  broken,
  fetchesPerInterval,
  ...figures
}: InsightsReport): string {
  const fetches = { "fetches per feed and interval": fetchesPerInterval.toFixed(2) };
  const faults = { lost: lost.length, twice: twice.length, broken: broken.length };
  const named = Object.entries({ ...figures, ...fetches, ...faults }).map(([name, value]) => `${name} ${value}`);
  return [named.join(", "), ...lost.map((id) => `lost ${id}`), ...twice.map((id) => `twice ${id}`), ...broken].join(
    "; ",
  );
}

interface World {
  deployment: Deployment;
  random: Random;
  broken: string[];
  traffic: InsightTraffic;
  seldom: SeldomWork;
  over: AbortSignal;
}

/** Returns the number of lives; afterwards everything runs. */
async function liveThrough(options: InsightsCrashOptions, world: World): Promise<number> {
  const { deployment, random } = world;
  const { lifeMaxMs, steps: failpoints, afterKill } = options;
  const stage = { ...world, lifeMaxMs, ...(afterKill === undefined ? {} : { afterKill }) };
  const lives = planLives({ ...options, failpoints }, deployment, random);
  await liveAll(lives, stage);
  return lives.length;
}

function prepare({ testStorage, topology, workers, leaseSeconds }: InsightsCrashOptions): Promise<Deployment> {
  return Deployment.prepare({
    topology,
    env: insightsEnv(testStorage, { leaseSeconds, intervalSeconds: INTERVAL_MS / 1000 }),
    ...(workers === undefined ? {} : { workers }),
  });
}
