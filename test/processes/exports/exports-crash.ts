import { EXPORT_FAILPOINTS } from "@hourglass/export";
import { Deployment, type Topology } from "../../support/deployment.js";
import type { TestStorage } from "../../support/test-storage.js";
import { liveAll, planLives, type SeldomWork } from "../crash-loop/lives.js";
import { PatientClient } from "../crash-loop/patient-client.js";
import { Random } from "../crash-loop/random.js";
import { signIn } from "../crash-loop/sign-in.js";
import { insightsEnv } from "../insights/environment.js";
import { openStore } from "../insights/open-store.js";
import { ExportClient } from "./export-client.js";
import { ExportTraffic } from "./export-traffic.js";
import { type ExportVerdict, reachExportVerdict } from "./export-verdict.js";

export interface ExportsCrashOptions {
  /** Location of the state; removed at the end. */
  testStorage: TestStorage;
  topology: Topology;
  /** Number of worker processes, if workers are processes. Default 1. */
  workers?: number;
  leaseSeconds: number;
  seed: number;
  /** Whether a part also dies once at every named step. Default true. */
  everyStep?: boolean;
  /** Number of lives that end by kill -9 at a random moment. */
  kills: number;
  /** Number of lives that end by SIGTERM. */
  terms: number;
  /** Maximum duration of a life after it is ready. */
  lifeMaxMs: number;
  /** Called after each violent end. */
  afterKill?: () => Promise<void>;
  /** Time for everything to be exported and erased after the last start. */
  drainMs: number;
  /** Timeout of the run, which then throws. */
  giveUpMs: number;
}

/** The result of the run. */
export interface ExportsReport extends ExportVerdict {
  seed: number;
  lives: number;
  seconds: number;
  created: number;
  deleted: number;
  erased: number;
  /** Calls of clients that broke off. */
  interrupted: number;
}

/** Files that nobody has removed are due at once, but are left only by a death between the export and them. */
const SELDOM: SeldomWork = { leftBy: { "file-set": "export.mid_delete" }, makeDue: () => Promise.resolve() };
const CLIENTS = 3;
const INTERVAL_SECONDS = 60;

/** Exports while the processes of the product die: at random, and once at every named step. */
export async function runExportsCrash(options: ExportsCrashOptions): Promise<ExportsReport> {
  const startedAt = performance.now();
  const { testStorage, topology, workers, leaseSeconds, seed } = options;
  const env = insightsEnv(testStorage, { leaseSeconds, intervalSeconds: INTERVAL_SECONDS });
  const deployment = await Deployment.prepare({ topology, env, ...(workers === undefined ? {} : { workers }) });
  const over = new AbortController();
  const giveUp = setTimeout(() => over.abort(new Error(`the run took over ${options.giveUpMs} ms`)), options.giveUpMs);
  const random = new Random(seed);
  const broken: string[] = [];
  try {
    deployment.start();
    await deployment.ready();
    const { url } = deployment;
    const patient = new PatientClient({ url, authorization: await signIn(url), broken, over: over.signal });
    const client = new ExportClient(patient, broken);
    const traffic = new ExportTraffic({ client, random, broken });
    await traffic.prepare();
    traffic.start(CLIENTS);
    const lives = await liveThrough(options, { deployment, random, broken, traffic, over: over.signal });
    await traffic.stop();
    const store = await openStore(testStorage);
    const verdict = await reachExportVerdict({
      client,
      traffic,
      endings: deployment.exportEndings,
      store,
      storage: testStorage,
      giveUpAt: performance.now() + options.drainMs,
    }).finally(() => store.close());
    verdict.broken.push(...broken, ...deployment.errors, ...(await deployment.end("SIGTERM")));
    const { created, deleted, erased } = traffic;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const { interrupted } = patient;
    return { seed, lives, seconds, created, deleted: deleted.length, erased: erased.length, interrupted, ...verdict };
  } finally {
    clearTimeout(giveUp);
    over.abort();
    await deployment.end("SIGKILL");
    await testStorage.remove();
  }
}

/** One line for a person, with the violations in full. */
export function describeExportsReport({ lost, twice, broken, ...figures }: ExportsReport): string {
  const faults = { lost: lost.length, twice: twice.length, broken: broken.length };
  const named = Object.entries({ ...figures, ...faults }).map(([name, value]) => `${name} ${value}`);
  return [named.join(", "), ...lost.map((each) => `lost ${each}`), ...twice, ...broken].join("; ");
}

interface World {
  deployment: Deployment;
  random: Random;
  broken: string[];
  traffic: ExportTraffic;
  over: AbortSignal;
}

/** Returns the number of lives; afterwards everything runs. */
async function liveThrough(options: ExportsCrashOptions, world: World): Promise<number> {
  const { deployment, random } = world;
  const { lifeMaxMs, everyStep = true, afterKill } = options;
  // An erasure passes some steps once in five seconds.
  const stage = {
    ...world,
    lifeMaxMs,
    passesMax: 1,
    seldom: SELDOM,
    ...(afterKill === undefined ? {} : { afterKill }),
  };
  const failpoints = everyStep ? EXPORT_FAILPOINTS : [];
  const lives = planLives({ ...options, failpoints }, deployment, random);
  await liveAll(lives, stage);
  return lives.length;
}
